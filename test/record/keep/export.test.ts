// The event log as lines: all of it, so that reading them back gives the same rows.
import fc from "fast-check"
import { expect, test } from "vitest"
import { exportEvents } from "../../../src/record/keep/export.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { count, event, NOON, openFile, openStore, recordFile } from "../record-file.ts"

const anyText = fc.string({ unit: "binary", maxLength: 40 })

test("reading the lines back gives equal rows, every column", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          error: anyText,
          session: anyText,
          cost: fc.double({ min: 0, max: 1e6, noNaN: true }),
          text: anyText,
        }),
        {
          maxLength: 20,
        },
      ),
      async (made) => {
        const path = recordFile()
        const record = openRecord(path)
        for (const { error, session, cost, text } of made)
          record.append(
            event({
              type: "api_call",
              error,
              session,
              costUsd: cost,
              usage: { uncached: 1, read: 2, write: { "5m": 3 }, output: 4 },
              data: { [text]: text, line: "one\ntwo\u2028three" },
            }),
          )
        await record.close()
        const database = openFile(path)
        const lines: string[] = []
        await exportEvents(openStore(path), (line) => void lines.push(line))
        // One line each, whatever is in it.
        expect(lines.join("").split("\n")).toHaveLength(made.length + 1)
        const other = openFile(recordFile())
        for (const line of lines.join("").split("\n").slice(0, -1)) {
          const row = JSON.parse(line)
          const names = Object.keys(row)
          other.run(
            `INSERT INTO events (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
            ...names.map((name) => row[name]),
          )
        }
        const all = "SELECT *, typeof(cost_usd), typeof(tokens_in) FROM events ORDER BY id"
        expect(other.all(all)).toEqual(database.all(all))
      },
    ),
    { numRuns: 20 },
  )
})

test("only what is asked for, with progress, waiting for a slow reader", async () => {
  const path = recordFile()
  const record = openRecord(path)
  for (let n = 0; n < 1_800; n += 1) record.append(event({ at: NOON + n }))
  await record.close()
  const database = openFile(path)
  const times: number[] = []
  const progress: number[] = []
  let isBusy = false
  const write = async (line: string) => {
    expect(isBusy).toBe(false)
    isBusy = true
    await Promise.resolve()
    times.push(Date.parse(JSON.parse(line).timestamp) - NOON)
    isBusy = false
  }
  const lines = await exportEvents(openStore(path), write, {
    since: NOON + 100,
    until: NOON + 1_700,
    onProgress: (count) => progress.push(count),
  })
  expect(times).toEqual(Array.from({ length: 1_600 }, (_, n) => n + 100))
  expect(lines).toBe(1_600)
  expect(progress).toEqual([400, 900, 1_400])
  expect(count(database)).toBe(1_800)
})

test("of one session alone", async () => {
  const path = recordFile()
  const record = openRecord(path)
  for (const session of ["one", "two", "one"]) record.append(event({ session }))
  record.append(event({}))
  await record.close()
  const sessions: unknown[] = []
  const write = (line: string) => void sessions.push(JSON.parse(line).session_id)
  expect(await exportEvents(openStore(path), write, { session: "one" })).toBe(2)
  expect(sessions).toEqual(["one", "one"])
})
