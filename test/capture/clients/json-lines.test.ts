import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { JSON_LINES } from "../../../src/capture/clients/json-lines.ts"
import { readAll, testReader } from "./reader-contract.ts"
import { writeRows, writeText } from "./written-files.ts"

const line = (more: object = {}) => ({
  ...{ session: "s", at: 1_795_021_516_000, model: "claude-sonnet-4-5" },
  usage: { uncached: 10, read: 5, write: 7, output: 2 },
  ...more,
})
const lines = [
  line(),
  line({ id: "call-2", at: "2026-11-18T12:00:00Z", usage: { uncached: 1, write: { "1h": 3 }, output: 4 } }),
  line({ id: "call-3", format: "anthropic", request: { messages: [] }, thread: "t", costUsd: 0.5 }),
]

testReader({
  name: "plain JSON Lines",
  reader: JSON_LINES,
  record: (home) => void writeRows(home, "calls.jsonl", lines),
  folders: (home) => [home],
})

async function read(text: string) {
  const home = mkdtempSync(join(tmpdir(), "lines-"))
  const path = writeText(home, "calls.jsonl", text)
  const [file] = await JSON_LINES.files(path)
  if (file === undefined) throw new Error("not one of ours")
  return { path, ...(await readAll(JSON_LINES.calls(file))) }
}

test("a line is a call, with its request if it has one", async () => {
  const { calls } = await read(`${lines.map((item) => JSON.stringify(item)).join("\n")}\n`)
  expect(
    calls.map(({ id, usage, coverage, thread, reportedUsd }) => [
      id.slice(0, 7),
      usage,
      coverage,
      thread,
      reportedUsd,
    ]),
  ).toEqual([
    ["sha256:", { uncached: 10, read: 5, write: { "5m": 7 }, output: 2 }, "none", "s", undefined],
    ["call-2", { uncached: 1, read: 0, write: { "1h": 3 }, output: 4 }, "none", "s", undefined],
    ["call-3", { uncached: 10, read: 5, write: { "5m": 7 }, output: 2 }, "exact", "t", 0.5],
  ])
  expect(calls[1]?.at).toBe(Date.UTC(2026, 10, 18, 12))
})

test("a line that is nested without end is one wrong line", async () => {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
  const deep = JSON.stringify(line({ format: "anthropic", request: { messages: "nested" } }))
  const { path, calls, notes } = await read(
    `${JSON.stringify(line())}\n${deep.replace('"nested"', nested)}\n`,
  )
  expect([calls.length, notes]).toEqual([
    1,
    [{ code: "capture-bad-line", path, line: 2, why: "it is nested too deeply" }],
  ])
})

test("wrong lines are named by number and reason, the first ten of them", async () => {
  const wrong = [
    "{",
    JSON.stringify(line({ usage: { uncached: -1, output: 2 } })),
    JSON.stringify(line({ at: "yesterday" })),
    JSON.stringify(line({ request: {} })),
    JSON.stringify(line({ tokens: 5 })),
    ...Array.from({ length: 7 }, () => "{"),
  ]
  const { path, calls, notes } = await read(`${JSON.stringify(line())}\n${wrong.join("\n")}\n`)
  expect(calls.length).toBe(1)
  expect(
    notes.map((note) => sentence(note).replace(path, "calls.jsonl")).filter((_, at) => at < 5 || at > 9),
  ).toEqual([
    "calls.jsonl:2: This line is not a call (it is not JSON), so it was skipped.",
    "calls.jsonl:3: This line is not a call (usage.uncached: Too small: expected number to be >=0), so it was skipped.",
    "calls.jsonl:4: This line is not a call (at: Invalid ISO datetime), so it was skipped.",
    "calls.jsonl:5: This line is not a call (format: a request needs its format), so it was skipped.",
    'calls.jsonl:6: This line is not a call (Unrecognized key: "tokens"), so it was skipped.',
    "calls.jsonl: 2 lines were skipped: they are wrong as well.",
  ])
})

test("a file of another program is left alone", async () => {
  const home = mkdtempSync(join(tmpdir(), "lines-"))
  const path = writeRows(home, "rollout-a.jsonl", [
    { type: "session_meta", payload: {}, session: "s", usage: {} },
  ])
  expect(await JSON_LINES.files(path)).toEqual([])
})
