// Keeping a schedule running: on time, one after another, through failures, sleep and a stop.
import { expect, test } from "vitest"
import type { Firing } from "../../../src/agent/schedule/due-runs.ts"
import { startScheduler } from "../../../src/agent/schedule/scheduler.ts"
import { simulatedTime } from "../world/simulated-time.ts"

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** A schedule in memory: what is due stays due until it is taken. */
function listed(now: () => number, times: readonly (readonly [string, number])[]) {
  const open = new Map(
    times.map(([entry, due]) => [`${entry} ${due}`, { entry, due, run: entry, missed: 0 }]),
  )
  return {
    take: ({ entry, due }: Firing) => open.delete(`${entry} ${due}`),
    due: async (): Promise<readonly Firing[]> => [...open.values()].filter(({ due }) => due <= now()),
    next: async (after = now()) => {
      const later = [...open.values()].flatMap(({ due }) => (due > after ? [due] : []))
      return later.length === 0 ? undefined : Math.min(...later)
    },
  }
}

test("waits for the next run, and no longer than a minute", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [["a", START + 90_000]])
  const done: string[] = []
  const scheduler = startScheduler({
    schedule,
    run: async (firing) => {
      schedule.take(firing)
      done.push(`${firing.entry} at ${time.now() - START}`)
    },
    now: time.now,
    timer: time.timer,
    trouble: () => {},
  })
  const waits: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const at = await time.waiting()
    waits.push(at - time.now())
    time.wake(at)
  }
  await time.waiting()
  expect({ waits, done }).toEqual({ waits: [MINUTE, 30_000, MINUTE], done: ["a at 90000"] })
  await scheduler.stop()
})

test("a run that comes due while it is looked is not slept through", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [["a", START + 5]])
  const due = async () => {
    const found = await schedule.due()
    if (time.now() === START) time.set(START + 10)
    return found
  }
  const done: number[] = []
  const scheduler = startScheduler({
    schedule: { ...schedule, due },
    run: async (firing) => {
      schedule.take(firing)
      done.push(time.now() - START)
    },
    now: time.now,
    timer: time.timer,
    trouble: () => {},
  })
  time.wake(await time.waiting())
  await time.waiting()
  expect(done).toEqual([10])
  await scheduler.stop()
})

test("a run that fails is reported, the others continue, and it comes again a minute later if it was not taken", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [
    ["a", START],
    ["b", START],
  ])
  const events: string[] = []
  const scheduler = startScheduler({
    schedule,
    run: async (firing) => {
      if (firing.entry === "a" && time.now() === START) throw new Error("no network")
      schedule.take(firing)
      events.push(`${firing.entry} done at ${time.now() - START}`)
    },
    now: time.now,
    timer: time.timer,
    trouble: (error, firing) => events.push(`${firing?.entry}: ${error}`),
  })
  time.wake(await time.waiting())
  await time.waiting()
  expect(events).toEqual(["a: Error: no network", "b done at 0", "a done at 60000"])
  await scheduler.stop()
})

test("runs are done one after another, and what comes due meanwhile follows at once", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [
    ["a", START],
    ["b", START],
    ["a", START + 5 * MINUTE],
  ])
  const events: string[] = []
  const scheduler = startScheduler({
    schedule,
    run: async (firing) => {
      schedule.take(firing)
      events.push(`${firing.entry} begins at ${time.now() - START}`)
      await Promise.resolve()
      time.set(time.now() + 6 * MINUTE)
      events.push(`${firing.entry} ends at ${time.now() - START}`)
    },
    now: time.now,
    timer: time.timer,
    trouble: () => {},
  })
  await time.waiting()
  expect(events).toEqual([
    "a begins at 0",
    "a ends at 360000",
    "b begins at 360000",
    "b ends at 720000",
    "a begins at 720000",
    "a ends at 1080000",
  ])
  await scheduler.stop()
})

test("a schedule that cannot be asked is reported and asked again", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [["a", START]])
  const events: string[] = []
  const scheduler = startScheduler({
    schedule: {
      ...schedule,
      due: async () => {
        if (time.now() === START) throw new Error("the store is locked")
        return schedule.due()
      },
    },
    run: async (firing) => {
      schedule.take(firing)
      events.push(`${firing.entry} done at ${time.now() - START}`)
    },
    now: time.now,
    timer: time.timer,
    trouble: (error, firing) => events.push(`${firing?.entry}: ${error}`),
  })
  time.wake(await time.waiting())
  await time.waiting()
  expect(events).toEqual(["undefined: Error: the store is locked", "a done at 60000"])
  await scheduler.stop()
})

test("a stop waits for the run that is being done, and begins no other", async () => {
  const time = simulatedTime(START)
  const schedule = listed(time.now, [
    ["a", START],
    ["b", START],
  ])
  const events: string[] = []
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const scheduler = startScheduler({
    schedule,
    run: async (firing) => {
      schedule.take(firing)
      begun.resolve()
      await mayEnd.promise
      events.push(`${firing.entry} done`)
    },
    now: time.now,
    timer: time.timer,
    trouble: () => {},
  })
  await begun.promise
  const stopped = scheduler.stop().then(() => events.push("stopped"))
  mayEnd.resolve()
  await stopped
  expect(events).toEqual(["a done", "stopped"])
})

test("a stop while it waits calls the timer off", async () => {
  const time = simulatedTime(START)
  const scheduler = startScheduler({
    schedule: listed(time.now, []),
    run: async () => {},
    now: time.now,
    timer: (ms, wake) => {
      const cancel = time.timer(ms, wake)
      return () => {
        cancelled = true
        cancel()
      }
    },
    trouble: () => {},
  })
  let cancelled = false
  await time.waiting()
  await scheduler.stop()
  expect(cancelled).toBe(true)
})
