// Several processes with one schedule through a year: each run is done by one of them, once, also when they are killed
// in the middle of it.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { expect, onTestFinished, test } from "vitest"
import { bundled } from "../../bundled.ts"
import { reckon } from "../../sources/reckoning.ts"
import { openAt, storeFile } from "./schedule-store.ts"

const ZONE = "Europe/Stockholm"
const FROM = Date.UTC(2026, 0, 1)
const TO = Date.UTC(2027, 0, 1)
const DAY = 86_400_000
const ENTRIES = [
  { cron: "30 2 * * *", run: "night" },
  { cron: "0 1,2 * * 0", run: "sunday" },
  { cron: "0 */6 24-31 3,10 *", run: "change" },
  { cron: "*/20 * 25 10 *", run: "autumn" },
]

/** The runs that were claimed, with their messages. */
const RUNS = `SELECT due AS at, json_extract(message, '$.text') AS text
  FROM schedule_runs JOIN inbox USING (turn_id) ORDER BY due, text`

const PROGRAM = await bundled("test/agent/schedule/schedule-worker.ts")

function start(path: string): ChildProcess {
  const child = fork(PROGRAM, [path, ZONE, JSON.stringify(ENTRIES)])
  onTestFinished(() => void child.kill("SIGKILL"))
  return child
}

async function started(path: string): Promise<ChildProcess> {
  const child = start(path)
  await once(child, "message")
  return child
}

/** Answers, or dies. */
async function tick(child: ChildProcess, now: number): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  const answered = Promise.race([once(child, "message", { signal }), once(child, "exit", { signal })])
  child.send(now)
  return answered.finally(() => over.abort())
}

test("two processes, one killed now and then: every run exactly once", async () => {
  const path = storeFile()
  const plan = ENTRIES.flatMap(({ cron, run }) =>
    reckon(cron, ZONE, { from: FROM, to: TO }).map((at) => ({ at, text: `${run}: missed 0` })),
  )
  const moments = [...new Set(plan.map(({ at }) => at))].sort((a, b) => a - b)
  const pair = [await started(path), await started(path)]
  await Promise.all(pair.map((child) => tick(child, FROM)))
  for (const [index, now] of moments.entries()) {
    const ticks = pair.map((child) => tick(child, now))
    if (index % 60 === 20) pair[index % 3 === 0 ? 0 : 1]?.kill("SIGKILL")
    await Promise.all(ticks)
    for (const [at, child] of pair.entries()) if (child.killed) pair[at] = await started(path)
    // What a killed process had not begun is done by the next look.
    if (index % 60 === 20) await Promise.all(pair.map((child) => tick(child, now + 1_000)))
  }
  const { database } = openAt(path, { now: () => TO })
  const runs = database.all(RUNS)
  const doers = database.all("SELECT DISTINCT taken_by FROM inbox")
  database.close()
  const sorted = plan.sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1))
  expect(runs).toEqual(sorted)
  expect(doers.length).toBeGreaterThan(1)
})

test("four processes that wake at once after days of sleep make up for the newest run, and tell how many they left out", async () => {
  const path = storeFile()
  const all = await Promise.all(Array.from({ length: 4 }, () => started(path)))
  await Promise.all(all.map((child) => tick(child, FROM)))
  for (const day of [10, 20, 30]) await Promise.all(all.map((child) => tick(child, FROM + day * DAY)))
  const { database } = openAt(path, { now: () => TO })
  const runs = database.all(RUNS)
  database.close()
  expect(runs).toEqual([
    { at: Date.UTC(2026, 0, 10, 1, 30), text: "night: missed 9" },
    { at: Date.UTC(2026, 0, 11, 0, 0), text: "sunday: missed 2" },
    { at: Date.UTC(2026, 0, 20, 1, 30), text: "night: missed 9" },
    { at: Date.UTC(2026, 0, 30, 1, 30), text: "night: missed 9" },
  ])
})
