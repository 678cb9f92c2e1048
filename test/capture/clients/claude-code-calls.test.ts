import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { CLAUDE_CODE } from "../../../src/capture/clients/claude-code/claude-code.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { lines, SESSION, VERSION } from "./claude-code-rows.ts"
import { createSession, type Session, type SessionOptions, text, use } from "./claude-code-session.ts"
import { callsIn } from "./read-all.ts"
import { testReader } from "./reader-contract.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const FILE = `home/.claude/projects/-work-boats/${SESSION}.jsonl`
const RULES = { path: "/work/boats/CLAUDE.md", content: "# Boats\n\nName the boat first." }

/** Three calls: a question, two tools at once, and an answer. */
function boats(options: SessionOptions = {}): Session {
  const session = createSession(options)
  session.say("Which boats are free?")
  session.attach([RULES])
  session.call([text("I look."), use("t1", "ls boats"), use("t2", "ls slips")], { tokens: { short: 900 } })
  session.results({ t2: "slip 4", t1: "Ada\nBo" })
  session.call([text("Ada and Bo.")], { tokens: { read: 900, short: 60 } })
  session.say("And tomorrow?")
  session.call([text("Only Bo.")], { tokens: { read: 960, short: 20 } })
  return session
}

const read = (rows: readonly unknown[], file = FILE) => callsIn(CLAUDE_CODE, folder.write(file, lines(rows)))
const coverages = (calls: readonly { readonly coverage: string }[]) => calls.map(({ coverage }) => coverage)

test("every request is rebuilt as it was sent, with its marks, and verified", async () => {
  const session = boats()
  const { calls, diagnostics } = await read(session.rows)
  expect(diagnostics).toEqual([])
  expect(calls.map(({ request }) => request)).toEqual(session.requests)
  expect(calls.map(({ usage: _, id: __, at: ___, request: ____, ...call }) => call)).toEqual(
    Array.from({ length: 3 }, () => ({
      client: "claude-code",
      session: SESSION,
      project: "/work/boats",
      model: "claude-sonnet-5-5",
      version: VERSION,
      thread: "main",
      format: "anthropic",
      coverage: "exact",
      files: [{ path: RULES.path, text: RULES.content }],
    })),
  )
  // Messages that two requests share are one object: splitting the second costs only what is new.
  const [first, second] = calls.slice(1).map(({ request }) => request?.messages as readonly unknown[])
  expect(first?.[0]).toBe(second?.[0])
})

test("a resumed session, a compaction and a sub-agent are rebuilt, too", async () => {
  const session = boats()
  session.resume()
  session.say("Thanks.")
  session.call([text("Any time.")])
  session.compact("They asked about boats.")
  session.attach([RULES])
  session.say("Which one was free?")
  session.call([use("t9", "cat log")])
  session.results({ t9: "Bo" })
  session.call([text("Bo.")])
  const { calls, diagnostics } = await read(session.rows)
  expect(diagnostics).toEqual([])
  expect(coverages(calls)).toEqual(Array(6).fill("exact"))
  expect(calls.map(({ request }) => request)).toEqual(session.requests)
  const agent = boats({ agent: "a1", from: 50 })
  const helper = await read(
    agent.rows,
    `home/.claude/projects/-work-boats/${SESSION}/subagents/agent-a1.jsonl`,
  )
  expect(helper.calls.map(({ request }) => request)).toEqual(agent.requests)
  expect(helper.calls.map(({ thread, session: of }) => [thread, of])).toEqual(
    Array(3).fill(["agent:a1", SESSION]),
  )
})

test("a fork has the copied calls in part, without a word, and its own exactly", async () => {
  const original = boats()
  const fork = createSession({ session: "fork", from: 4, copied: original })
  // What stood before the copied conversation is written down again.
  const [context] = original.rows.filter(({ type }) => type === "api-request-blob")
  fork.rows.push({ ...context, sessionId: "fork" })
  fork.rows.push(...answered(original))
  fork.say("And on Sunday?")
  fork.call([text("All of them.")])
  const { calls, diagnostics } = await read(fork.rows)
  expect(diagnostics).toEqual([])
  expect(coverages(calls)).toEqual(["partial", "partial", "partial", "exact"])
  expect(calls.at(-1)?.request).toEqual(fork.requests.at(-1))
  const ids = (await read(original.rows)).calls.map(({ id }) => id)
  expect(calls.slice(0, 3).map(({ id }) => id)).toEqual(ids)
})

test("what was read of a file does not change when the file grows, wherever it was cut", async () => {
  const session = boats()
  session.compact("They asked about boats.")
  session.say("Which one was free?")
  session.call([text("Bo.")])
  const bytes = Buffer.from(lines(session.rows))
  const whole = (await read(session.rows)).calls
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bytes.length }), async (cut) => {
      const { calls } = await callsIn(CLAUDE_CODE, folder.write(FILE, bytes.toString("latin1", 0, cut)))
      expect(calls).toEqual(whole.slice(0, calls.length))
    }),
    { numRuns: 40 },
  )
})

test("hostile rows stop nothing", async () => {
  const session = boats()
  const hostile = [
    { type: "api-request", id: 7, tail: "x", keep: -1, cacheControl: "y", params: null },
    { type: "api-request", id: "h", tail: [1, null, {}], keep: 1e99, base: "h", params: { __proto__: null } },
    '{"type":"api-request","id":"p","params":{"__proto__":{"a":1}},"cacheControl":[{"path":["__proto__"],"value":1}]}',
    { type: "api-request-shape", shapeHash: "__proto__", shape: [] },
    { type: "api-request-blob", hash: "constructor", message: "text" },
    { type: "user", message: { content: { not: "a list" } }, uuid: "u", parentUuid: "u" },
    { type: "assistant", message: null },
    { type: "attachment", attachment: { files: [null, 3, { path: 1, content: {} }] }, rendered: [null, "x"] },
    { type: "system", subtype: "compact_boundary_of_another_kind" },
  ]
  const { calls, diagnostics } = await read(session.rows.flatMap((row) => [...hostile, row]))
  expect(calls.map(({ usage }) => usage)).toEqual((await read(session.rows)).calls.map(({ usage }) => usage))
  expect(diagnostics.map(({ code }) => code).filter((code) => code !== "capture-not-exact")).toEqual([])
})

test("a request that does not have the client's digest is not called exact", async () => {
  const session = boats()
  const changed = session.rows.map((row) =>
    row.type === "api-request-blob"
      ? JSON.parse(JSON.stringify(row).replace("Name the boat first", "Name it last"))
      : row,
  )
  const withoutShape = session.rows.filter(({ type }) => type !== "api-request-shape")
  const otherDigest = session.rows.map((row) =>
    row.requestDigest ? { ...row, requestDigest: "0".repeat(64) } : row,
  )
  const otherMark = session.rows.map((row) =>
    row.cacheControl
      ? { ...row, cacheControl: [{ path: ["messages", 99, "content", 0], value: {} }, null, {}] }
      : row,
  )
  for (const rows of [changed, withoutShape, otherDigest, otherMark]) {
    const { calls, diagnostics } = await read(rows)
    expect(coverages(calls)).toEqual(["partial", "partial", "partial"])
    expect(diagnostics.map(({ code }) => code)).toEqual(["capture-not-exact"])
  }
})

test("an older version tells a part: messages and files, and what would make it exact", async () => {
  const session = boats({ version: "2.1.112", isOld: true })
  const { calls, diagnostics } = await read(session.rows)
  expect(diagnostics).toEqual([
    {
      code: "capture-not-exact",
      path: `${folder.path}/${FILE}`,
      count: 3,
      fix: expect.stringContaining("OTEL_LOG_RAW_API_BODIES"),
    },
  ])
  expect(coverages(calls)).toEqual(["partial", "partial", "partial"])
  expect(calls.map(({ version, files }) => [version, files.length])).toEqual(Array(3).fill(["2.1.112", 1]))
  expect(calls[1]?.request).toEqual({
    model: "claude-sonnet-5-5",
    messages: [
      { role: "user", content: "Which boats are free?" },
      { role: "user", content: `Contents of ${RULES.path}:\n\n${RULES.content}` },
      { role: "assistant", content: [text("I look."), use("t1", "ls boats"), use("t2", "ls slips")] },
      { role: "user", content: [{ tool_use_id: "t2", type: "tool_result", content: "slip 4" }] },
      { role: "user", content: [{ tool_use_id: "t1", type: "tool_result", content: "Ada\nBo" }] },
    ],
  })
})

test("going back to an earlier message leaves out what came after it", async () => {
  const session = boats({ version: "2.1.112", isOld: true })
  const [first] = session.rows.filter(({ type }) => type === "attachment")
  session.say("No: which boats are red?")
  session.rows.push({ ...session.rows.pop(), parentUuid: first?.uuid })
  session.call([text("Ada.")])
  const { calls } = await read(session.rows)
  expect(calls.at(-1)?.request?.messages).toEqual([
    { role: "user", content: "Which boats are free?" },
    { role: "user", content: `Contents of ${RULES.path}:\n\n${RULES.content}` },
    { role: "user", content: "No: which boats are red?" },
  ])
})

test("sub-agents that older versions wrote into the same file are threads of their own", async () => {
  const main = createSession({ version: "1.0.60", isOld: true })
  main.say("Ask two helpers.")
  const helpers = ["one", "two"].map((name, at) => {
    const helper = createSession({ version: "1.0.60", isOld: true, agent: name, from: 10 + at })
    helper.say(`You are helper ${name}.`)
    helper.call([text(`I am ${name}.`)])
    return helper.rows.map(({ agentId: _, ...row }) => row)
  })
  const [one = [], two = []] = helpers
  const { calls } = await read([...main.rows, one[0], two[0], one[1], two[1]])
  expect(calls.map(({ request }) => request?.messages)).toEqual([
    [{ role: "user", content: "You are helper one." }],
    [{ role: "user", content: "You are helper two." }],
  ])
  expect(new Set(calls.map(({ thread }) => thread)).size).toBe(2)
})

test("a version that nobody knows yet is read as far as possible, and named", async () => {
  const { calls, diagnostics } = await read(boats({ version: "3.0.0" }).rows)
  expect(coverages(calls)).toEqual(["exact", "exact", "exact"])
  expect(diagnostics).toEqual([
    {
      code: "capture-unknown-version",
      path: `${folder.path}/${FILE}`,
      client: "Claude Code",
      version: "3.0.0",
    },
  ])
})

/** The rows of the last answer, which a request after it has as a message. */
function answered(session: Session): readonly Readonly<Record<string, unknown>>[] {
  const last = session.rows.filter(({ type }) => type === "assistant").at(-1)
  return last === undefined ? [] : [last]
}

testReader({
  name: "Claude Code",
  reader: CLAUDE_CODE,
  record: (home) => {
    const put = (name: string, session: Session) => {
      const path = `${home}/.claude/projects/-work-boats/${name}`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, lines(session.rows))
    }
    const single = createSession()
    for (const day of ["today", "tomorrow", "on Sunday"]) {
      single.say(`Which boats are free ${day}?`)
      single.call([text(`All of them ${day}.`)])
    }
    put(`${SESSION}.jsonl`, single)
    const agent = createSession({ agent: "a1", from: 20 })
    agent.say("Count the boats.")
    agent.call([text("Two.")])
    put(`${SESSION}/subagents/agent-a1.jsonl`, agent)
  },
})
