import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import { expect, test } from "vitest"
import { CODEX } from "../../../src/capture/clients/codex/codex.ts"
import { callsIn, filesIn, readAll, testReader } from "./reader-contract.ts"
import { writeRows, writeText } from "./written-files.ts"

const DAY = ".codex/sessions/2026/11/18"
let clock = Date.UTC(2026, 10, 18, 12)

function row(type: string, payload: object, ordinal = 0): object {
  clock += 1_000
  return { timestamp: new Date(clock).toISOString(), ordinal, type, payload }
}

const meta = (id: string, more: object = {}) =>
  row("session_meta", {
    ...{ id, session_id: id, cwd: "/work/lamp", cli_version: "0.166.0", model_provider: "openai" },
    base_instructions: { text: "Keep the lamp burning." },
    ...more,
  })
const turn = (id: string, model = "gpt-5.5") => [
  row("event_msg", { type: "task_started", turn_id: id }),
  row("turn_context", { turn_id: id, cwd: "/work/lamp", model }),
]
const message = (role: string, text: string) =>
  row("response_item", { type: "message", role, content: [{ type: "input_text", text }] })
const called = (id: string) =>
  row("response_item", { type: "function_call", name: "exec_command", arguments: "{}", call_id: id })
const returned = (id: string, output: string) =>
  row("response_item", { type: "function_call_output", call_id: id, output })

type Figures = readonly [input: number, cached: number, output: number]
const figures = ([input_tokens, cached_input_tokens, output_tokens]: Figures) => ({
  ...{ input_tokens, cached_input_tokens, output_tokens },
  total_tokens: input_tokens + output_tokens,
})
const totals = (total: Figures, last: Figures) =>
  row("event_msg", {
    type: "token_count",
    info: { total_token_usage: figures(total), last_token_usage: figures(last) },
  })
const record = (response_id: string, usage: Figures) =>
  row("token_usage_record", { thread_id: "t1", turn_id: "a", response_id, usage: figures(usage) })

/** As 0.166 writes it: one row for each response, and the totals after it. */
function newRows(): readonly object[] {
  return [
    meta("t1"),
    message("developer", "The skills."),
    message("user", "# AGENTS.md instructions for /work/lamp"),
    row("world_state", {
      full: true,
      state: { agents_md: { directory: "/work/lamp", text: "Be brief.\n" } },
    }),
    ...turn("a"),
    message("user", "Look around."),
    called("c1"),
    record("resp_0000000000000001", [1_000, 0, 20]),
    returned("c1", "README.md"),
    totals([1_000, 0, 20], [1_000, 0, 20]),
    message("assistant", "A lighthouse."),
    record("resp_0000000000000002", [1_100, 900, 30]),
    totals([2_100, 900, 50], [1_100, 900, 30]),
    // A limit is reported again.
    totals([2_100, 900, 50], [1_100, 900, 30]),
    row("world_state", { full: false, state: { agents_md: { text: "Be very brief.\n" } } }),
    ...turn("b"),
    message("user", "Thanks."),
    message("assistant", "Gladly."),
    record("resp_0000000000000003", [1_200, 1_100, 10]),
    totals([3_300, 2_000, 60], [1_200, 1_100, 10]),
  ]
}

/** As versions before 0.15x wrote it: totals only. */
function oldRows(id = "t0"): readonly object[] {
  return [
    meta(id, { cli_version: "0.98.0" }),
    ...turn("x"),
    message("user", "Look around."),
    message("assistant", "Done."),
    totals([500, 0, 10], [500, 0, 10]),
    totals([500, 0, 10], [500, 0, 10]),
    ...turn("y", "gpt-5.4"),
    message("user", "Again."),
    message("assistant", "Done."),
    totals([1_100, 400, 25], [600, 400, 15]),
  ]
}

testReader({
  name: "Codex",
  reader: CODEX,
  record: (home) => {
    writeRows(home, `${DAY}/rollout-2026-11-18T12-00-00-t1.jsonl`, newRows())
    writeRows(home, ".codex/archived_sessions/rollout-2026-11-17T12-00-00-t0.jsonl", oldRows())
  },
})

const home = () => mkdtempSync(join(tmpdir(), "codex-"))

test("a call has the conversation before its answer, and the instruction file as it was then", async () => {
  const place = home()
  writeRows(place, `${DAY}/rollout-a.jsonl`, newRows())
  const calls = await callsIn(CODEX, place)
  expect(calls.map(({ id, usage }) => [id, usage])).toEqual([
    ["resp_0000000000000001", { uncached: 1_000, read: 0, write: {}, output: 20 }],
    ["resp_0000000000000002", { uncached: 200, read: 900, write: {}, output: 30 }],
    ["resp_0000000000000003", { uncached: 100, read: 1_100, write: {}, output: 10 }],
  ])
  expect(
    calls.map(({ model, project, thread, version, coverage }) => [model, project, thread, version, coverage]),
  ).toEqual(Array.from({ length: 3 }, () => ["openai/gpt-5.5", "/work/lamp", "t1", "0.166.0", "partial"]))
  expect(calls.map(({ request }) => [request?.input].flat().length)).toEqual([3, 5, 7])
  expect(calls[2]?.request?.instructions).toBe("Keep the lamp burning.")
  expect(calls.map(({ files }) => files)).toEqual([
    [{ path: "/work/lamp/AGENTS.md", text: "Be brief.\n" }],
    [{ path: "/work/lamp/AGENTS.md", text: "Be brief.\n" }],
    [{ path: "/work/lamp/AGENTS.md", text: "Be very brief.\n" }],
  ])
})

test("a fork that repeats its history counts nothing twice", async () => {
  const place = home()
  const original = oldRows()
  writeRows(place, `${DAY}/rollout-2026-11-18T11-00-00-t0.jsonl`, original)
  writeRows(place, `${DAY}/rollout-2026-11-18T12-00-00-t2.jsonl`, [
    meta("t2", { forked_from_id: "t0" }),
    ...original,
    ...turn("z"),
    message("user", "Another way."),
    totals([1_800, 900, 45], [700, 500, 20]),
  ])
  const calls = await callsIn(CODEX, place)
  expect(calls.length).toBe(5)
  const once = new Map(calls.map((call) => [call.id, call]))
  expect([...once.values()].map(({ usage }) => usage.output)).toEqual([10, 15, 20])
})

test("after a compaction a request has what was kept; after a rollback, what was left", async () => {
  const place = home()
  writeRows(place, `${DAY}/rollout-a.jsonl`, [
    ...newRows(),
    row("compacted", { replacement_history: [{ type: "message", role: "user", content: "The summary." }] }),
    ...turn("c"),
    message("user", "Go on."),
    record("resp_0000000000000004", [300, 0, 10]),
    ...turn("d"),
    message("user", "Not this."),
    record("resp_0000000000000005", [320, 0, 10]),
    row("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
    ...turn("e"),
    message("user", "But this."),
    record("resp_0000000000000006", [330, 0, 10]),
  ])
  const calls = (await callsIn(CODEX, place)).slice(-3)
  expect(
    calls.map(({ request }) => JSON.stringify(request?.input).match(/The summary|Go on|Not this|But this/g)),
  ).toEqual([
    ["The summary", "Go on"],
    ["The summary", "Go on", "Not this"],
    ["The summary", "Go on", "But this"],
  ])
})

test("a thread whose history is in another file has usage and no request", async () => {
  const place = home()
  writeRows(place, `${DAY}/rollout-a.jsonl`, [
    meta("t3", { history_base: { thread_id: "t1", end_ordinal_exclusive: 9 } }),
    ...turn("a"),
    record("resp_0000000000000007", [300, 0, 10]),
  ])
  expect((await callsIn(CODEX, place)).map(({ coverage, request }) => [coverage, request])).toEqual([
    ["none", undefined],
  ])
})

test("a compressed rollout is read, unless the plain one is there too", async () => {
  const place = home()
  const text = newRows()
    .map((item) => `${JSON.stringify(item)}\n`)
    .join("")
  writeText(place, `${DAY}/rollout-a.jsonl.zst`, zstdCompressSync(text))
  expect((await callsIn(CODEX, place)).length).toBe(3)
  writeText(place, `${DAY}/rollout-a.jsonl`, text)
  expect((await filesIn(CODEX, place)).map(({ path }) => path.endsWith(".jsonl"))).toEqual([true])
})

test("a file in a form that is not known is named", async () => {
  const place = home()
  writeRows(place, `${DAY}/rollout-a.jsonl`, [{ id: "x", instructions: null }, { record_type: "state" }])
  const [file] = await filesIn(CODEX, place)
  if (file === undefined) throw new Error("not found")
  expect((await readAll(CODEX.calls(file))).notes.map(({ code }) => code)).toEqual([
    "capture-unknown-version",
  ])
})
