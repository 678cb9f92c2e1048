// A year of a scheduler on a clock of its own, with both changes of the clock, sleep, restarts and runs that take long:
// what happened is compared with a list that is reckoned minute by minute.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Firing } from "../../../src/agent/schedule/due-runs.ts"
import { startScheduler } from "../../../src/agent/schedule/scheduler.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"
import { noteFigures } from "../../figures.ts"
import { cronLine } from "../../sources/config/cron-line.ts"
import { reckon } from "../../sources/reckoning.ts"
import { type SimulatedTime, simulatedTime } from "../world/simulated-time.ts"
import { openAt, storeFile } from "./schedule-store.ts"

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const FROM = Date.UTC(2026, 0, 1, 0, 0, 30)
const TO = Date.UTC(2027, 0, 1)
const MOST_RUNS = 800

interface Plan {
  readonly entry: ConfiguredRun
  readonly times: readonly number[]
}

/** One look at the schedule, and the run that was begun then. */
interface Look {
  readonly now: number
  readonly begun: Pick<Firing, "due" | "missed" | "run"> | undefined
}

/** A few lines that any year has, and some of anybody's; each in some zone and with some wish about missed runs. */
function plansOf(seed: number, zone: string): readonly Plan[] {
  const lines = ["30 2 * * *", "0 1,2 * * *", "15 */4 * * *", ...fc.sample(cronLine, { seed, numRuns: 12 })]
  const plans = lines.map((cron, index): Plan => {
    const missed = (["once", "skip", "all"] as const)[index % 3]
    const entry = { cron, run: `run ${index}`, zone, ...(missed && { missed }) }
    return { entry, times: reckon(cron, zone, { from: FROM, to: TO }) }
  })
  return plans.filter(({ times }) => times.length < MOST_RUNS).slice(0, 6)
}

/** What should have happened at the same looks. Of runs that are due at one moment, whichever may be the first. */
function expected(plans: readonly Plan[], looks: readonly Look[]): readonly Look[] {
  const settled = new Map(plans.map(({ entry }) => [entry.run, 0]))
  return looks.map(({ now, begun }) => {
    const open = plans.flatMap((plan) => wanted(plan, settled.get(plan.entry.run) ?? 0, now))
    const first = open.filter(({ due }) => due === Math.min(...open.map((run) => run.due)))
    const next = first.find(({ run }) => run === begun?.run) ?? first[0]
    if (next === undefined) return { now, begun: undefined }
    settled.set(next.run, next.index + 1)
    return { now, begun: { due: next.due, missed: next.missed, run: next.run } }
  })
}

/** By the rule as the guide has it. */
function wanted({ entry, times }: Plan, settled: number, now: number) {
  const past = times.findIndex((due) => due > now)
  const open = times.slice(settled, past === -1 ? times.length : past).filter((due) => now - due <= DAY)
  const newest = open.slice(-1)
  const punctual = newest.filter((due) => now - due <= 2 * MINUTE)
  const chosen = { once: newest, skip: punctual, all: open }[entry.missed ?? "once"]
  return chosen.map((due) => {
    const index = times.indexOf(due)
    return { due, run: entry.run, index, missed: due === chosen[0] ? index - settled : 0 }
  })
}

/** Runs the year. Whenever it wakes it may have slept long; now and then it is stopped and started again. */
async function live(plans: readonly Plan[], time: SimulatedTime, random: () => number) {
  const path = storeFile()
  const moments = [...new Set(plans.flatMap(({ times }) => times))].sort((a, b) => a - b)
  const looks: Look[] = []
  while (time.now() < TO) {
    const { schedule, database, claim } = openAt(path, {
      now: time.now,
      entries: plans.map(({ entry }) => entry),
    })
    const scheduler = startScheduler({
      schedule: {
        next: schedule.next,
        due: () => {
          looks.push({ now: time.now(), begun: undefined })
          return schedule.due()
        },
      },
      run: async (firing) => {
        const { due, missed, run } = firing
        expect(await claim(firing, `turn ${looks.length}`)).toBe(true)
        looks.splice(-1, 1, { now: time.now(), begun: { due, missed, run } })
        await Promise.resolve()
        if (random() < 0.05) time.set(time.now() + Math.floor(random() * 90 * MINUTE))
      },
      now: time.now,
      timer: time.timer,
      trouble: (error) => {
        throw error
      },
    })
    do {
      const asked = await time.waiting()
      const soon = moments.find((at) => at > time.now()) ?? TO
      // Mostly it sleeps until the next run, as if nobody had looked in between; seldom it oversleeps.
      const slept = random() < 0.02 ? soon + Math.floor(random() ** 3 * 4 * DAY) : soon
      time.wake(Math.max(Math.min(asked, soon), slept))
    } while (random() > 0.03 && time.now() < TO)
    await time.waiting()
    await scheduler.stop()
    database.close()
    time.wake(time.now() + (random() < 0.5 ? 0 : Math.floor(random() * 6 * 60 * MINUTE)))
  }
  return looks
}

/** Numbers that look random and are the same every time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const ZONES: readonly (readonly [number, string])[] = [
  [3, "Australia/Lord_Howe"],
  // A year takes seconds: these only in `npm run soak`.
  ...(process.env.KILL_ROUNDS === undefined
    ? []
    : ([
        [1, "Europe/Stockholm"],
        [2, "America/New_York"],
        [4, "UTC"],
      ] as const)),
]

test.for(ZONES)(
  "a year of runs, each once, missed ones by the rule: %s, %s",
  async ([seed, zone], context) => {
    const plans = plansOf(seed, zone)
    const looks = await live(plans, simulatedTime(FROM), randomFrom(seed))
    const begun = looks.flatMap((look) => look.begun ?? [])
    noteFigures(context, { "runs of a schedule": begun.length })
    expect(looks).toEqual(expected(plans, looks))
    expect(new Set(begun.map(({ due, run }) => `${run} ${due}`)).size).toBe(begun.length)
    expect(begun.length).toBeGreaterThan(1_000)
  },
)

test("a year in which nothing goes wrong: every run, once, and none missed", async () => {
  const plans = plansOf(5, "Europe/Stockholm")
  const looks = await live(plans, simulatedTime(FROM), () => 0.5)
  const begun = looks.flatMap((look) => look.begun ?? [])
  const byPlan = plans.map(({ entry }) => begun.filter(({ run }) => run === entry.run))
  expect(byPlan).toEqual(
    plans.map(({ entry, times }) => times.map((due) => ({ due, missed: 0, run: entry.run }))),
  )
})
