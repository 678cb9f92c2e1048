import { appendFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { CalledUsage } from "../../../src/capture/call.ts"
import { CLAUDE_CODE } from "../../../src/capture/clients/claude-code/claude-code.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { answer, at, lines, SESSION, usage } from "./claude-code-rows.ts"
import { callsIn, usageIn } from "./read-all.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const FILE = `home/.claude/projects/-work-boats/${SESSION}.jsonl`
const put = (rows: readonly unknown[]) => folder.write(FILE, lines(rows))

/** What the reader says about `answer({ n, tokens })`. */
function called(n: number, used: Partial<CalledUsage["usage"]> = {}): CalledUsage {
  return {
    id: `msg_${n}/req_${n}`,
    client: "claude-code",
    session: SESSION,
    project: "/work/boats",
    at: Date.parse(at(n)),
    model: "claude-sonnet-5-5",
    usage: { uncached: 3, read: 0, write: {}, output: 20, ...used },
  }
}

test("an answer in several rows is one call, with the tokens of its last row", async () => {
  const path = put([
    { type: "user", message: { role: "user", content: "Which boats are free?" }, sessionId: SESSION },
    answer({ n: 1, tokens: { short: 900, output: 1 }, stop: null }),
    answer({ n: 1, tokens: { short: 900, output: 8 }, stop: null }),
    answer({ n: 1, tokens: { short: 900, output: 212 }, stop: "tool_use" }),
    { type: "user", toolUseResult: { usage: usage({ uncached: 5000 }) }, message: { content: "ok" } },
    answer({ n: 2, tokens: { read: 900, short: 40, long: 7 } }),
  ])
  expect(await usageIn(CLAUDE_CODE, path)).toEqual({
    calls: [
      called(1, { write: { "5m": 900 }, output: 212 }),
      called(2, { read: 900, write: { "5m": 40, "1h": 7 } }),
    ],
    diagnostics: [],
    after: expect.any(Number),
  })
})

test("a call that comes again later in the file counts once", async () => {
  const path = put([answer({ n: 1 }), ...many(2, 40), answer({ n: 1 }), answer({ n: 41 })])
  const { calls } = await usageIn(CLAUDE_CODE, path)
  expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: 41 }, (_, n) => `msg_${n + 1}/req_${n + 1}`))
})

test("what the client says instead of an answer is no call, and old rows have no lifetimes but a price", async () => {
  const { cache_creation: _, ...old } = usage({ short: 70 })
  const path = put([
    answer({ n: 1, message: { model: "<synthetic>" } }),
    answer({ n: 2, row: { isApiErrorMessage: true } }),
    answer({ n: 3, row: { costUSD: 0.25 }, message: { usage: old } }),
    answer({ n: 4, row: { requestId: undefined } }),
  ])
  const { calls, diagnostics } = await usageIn(CLAUDE_CODE, path)
  expect(calls).toEqual([
    { ...called(3, { write: { "5m": 70 } }), reportedUsd: 0.25 },
    { ...called(4), id: "msg_4" },
  ])
  expect(diagnostics).toEqual([])
})

test("answers of sub-agents in rows about progress are the same calls as in the sub-agent's own file", async () => {
  const { message, requestId, timestamp } = answer({ n: 7 })
  const relayed = { type: "assistant", message, requestId, timestamp, uuid: "x" }
  const { cwd, version } = answer({ n: 1 })
  const path = put([
    answer({ n: 1 }),
    {
      type: "progress",
      sessionId: SESSION,
      cwd,
      version,
      data: { type: "agent_progress", message: relayed },
    },
  ])
  expect((await usageIn(CLAUDE_CODE, path)).calls).toEqual([called(1), called(7)])
})

test("another model that the provider asked for an answer is a call of its own, as ccusage counts it", async () => {
  const advisor = {
    type: "advisor_message",
    model: "claude-opus-5-5",
    ...usage({ uncached: 1000, output: 50 }),
  }
  const iterations = [{ type: "message", ...usage() }, advisor]
  const row = answer({ n: 1, message: { usage: { ...usage(), iterations } } })
  const path = put([row, row])
  const expected = [
    called(1),
    {
      ...called(1, { uncached: 1000, output: 50 }),
      id: "msg_1/req_1/advisor-1",
      model: "claude-opus-5-5",
    },
  ]
  expect((await usageIn(CLAUDE_CODE, path)).calls).toEqual(expected)
  const { calls } = await callsIn(CLAUDE_CODE, path)
  expect(calls.map(({ id, thread, coverage }) => [id, thread, coverage])).toEqual([
    ["msg_1/req_1", "main", "none"],
    ["msg_1/req_1/advisor-1", "advisor", "none"],
  ])
})

test("garbage is left out and counted; everything else is read", async () => {
  const deep = `{"usage":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`
  const path = put([
    '{"type":"assistant","message":{"usage":{',
    '["usage":{}]',
    '"a text with \\"usage\\":{ in it"',
    deep,
    answer({ n: 1, message: { usage: { ...usage(), input_tokens: -1 } } }),
    answer({ n: 2, message: { usage: { ...usage(), output_tokens: "many" } } }),
    answer({ n: 3, row: { timestamp: "yesterday" } }),
    '{"__proto__":{"message":{"usage":{"input_tokens":1,"output_tokens":1}}},"usage":{}}',
    answer({ n: 4, text: "x".repeat(3 << 20) }),
  ])
  expect(await usageIn(CLAUDE_CODE, path)).toEqual({
    calls: [called(4)],
    diagnostics: [
      { code: "capture-lines-skipped", path, count: 2, why: "not a JSON object" },
      { code: "capture-lines-skipped", path, count: 1, why: "nested too deeply" },
      { code: "capture-lines-skipped", path, count: 3, why: "their figures cannot be right" },
    ],
    after: expect.any(Number),
  })
})

test("a file that is gone, a pipe or a folder is said to be unreadable, or has no calls", async () => {
  const file = {
    client: "claude-code",
    path: join(folder.path, "gone.jsonl"),
    bytes: 0,
    changedAt: 0,
  } as const
  const items = []
  for await (const item of CLAUDE_CODE.usage(file)) items.push(item)
  expect(items).toEqual([
    {
      kind: "note",
      diagnostic: { code: "capture-unreadable", path: file.path, why: "no such file or folder" },
    },
  ])
})

/** By id: a call that is read again replaces what was read before. */
function merged(...readings: readonly (readonly CalledUsage[])[]): readonly CalledUsage[] {
  return [...new Map(readings.flat().map((call) => [call.id, call])).values()]
}

test("reading on from the place gives what reading the whole file gives, wherever the file was cut", async () => {
  const row = fc.record({
    n: fc.nat({ max: 50 }),
    output: fc.nat({ max: 3 }),
    stop: fc.constantFrom("end_turn", null),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (all, cut) => {
        const text = lines(growing(all).map(({ n, output, stop }) => answer({ n, stop, tokens: { output } })))
        const bytes = Buffer.from(text)
        const at = Math.floor(bytes.length * cut)
        const path = folder.write(FILE, bytes.toString("utf8", 0, at))
        const before = await usageIn(CLAUDE_CODE, path)
        appendFileSync(path, bytes.subarray(at))
        const after = await usageIn(CLAUDE_CODE, path, before.after)
        const whole = await usageIn(CLAUDE_CODE, path)
        expect(sorted(merged(before.calls, after.calls))).toEqual(sorted(merged(whole.calls)))
        expect(new Set(whole.calls.map(({ id }) => id)).size).toBe(whole.calls.length)
      },
    ),
    { numRuns: 60 },
  )
})

/** As the client writes: of one answer, later rows have at least as many tokens, and none follows its end. */
function growing<T extends { readonly n: number; readonly output: number; readonly stop: string | null }>(
  rows: readonly T[],
): readonly T[] {
  const known = new Map<number, T>()
  return rows.filter((row) => {
    const last = known.get(row.n)
    if (last !== undefined && (last.stop !== null || last.output > row.output)) return false
    known.set(row.n, row)
    return true
  })
}

function sorted(calls: readonly CalledUsage[]): readonly CalledUsage[] {
  return calls.toSorted((a, b) => a.at - b.at)
}

function many(from: number, to: number): readonly unknown[] {
  return Array.from({ length: to - from + 1 }, (_, index) => answer({ n: from + index }))
}

test("sessions and sub-agents are found in the client's folders, and nothing else", async () => {
  folder.write("home/.claude/history.jsonl", lines([{ display: "x", sessionId: SESSION }]))
  folder.write("home/.claude/projects/-work-boats/tool-results/a.jsonl", "")
  folder.write(FILE, lines([answer({ n: 1 })]))
  folder.write(
    `home/.claude/projects/-work-boats/${SESSION}/subagents/agent-a1.jsonl`,
    lines([answer({ n: 2 })]),
  )
  folder.write("home/.claude/projects/-work-boats/sessions-index.json", "{}")
  folder.write("elsewhere/rollout.jsonl", lines([{ type: "session_meta", payload: {} }]))
  folder.write("elsewhere/copied.jsonl", lines([answer({ n: 3 })]))
  const names = async (path: string) =>
    (await CLAUDE_CODE.files(path)).map((file) => file.path.slice(folder.path.length + 1))
  const own = [FILE, `home/.claude/projects/-work-boats/${SESSION}/subagents/agent-a1.jsonl`]
  expect(new Set(await names(join(folder.home, ".claude/projects")))).toEqual(new Set(own))
  expect(new Set(await names(join(folder.home, ".claude")))).toEqual(new Set(own))
  expect(await names(join(folder.path, "elsewhere"))).toEqual(["elsewhere/copied.jsonl"])
  expect(await names(join(folder.path, FILE))).toEqual([FILE])
  expect(await names(join(folder.path, "nowhere"))).toEqual([])
})

test("the folders are those of the client's variables, as ccusage reads them", () => {
  const foldersWith = (variables: Record<string, string>) =>
    CLAUDE_CODE.folders({ home: "/home/ada", variables })
  expect(foldersWith({})).toEqual(["/home/ada/.config/claude/projects", "/home/ada/.claude/projects"])
  expect(foldersWith({ XDG_CONFIG_HOME: "/cfg" })).toEqual([
    "/cfg/claude/projects",
    "/home/ada/.claude/projects",
  ])
  expect(foldersWith({ CLAUDE_CONFIG_DIR: " ~/one , /two/projects,," })).toEqual([
    "/home/ada/one/projects",
    "/two/projects",
  ])
})
