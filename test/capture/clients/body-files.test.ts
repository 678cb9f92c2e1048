import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { AGENT_SDK, CLAUDE_CODE_BODIES } from "../../../src/capture/clients/claude-code/body-files.ts"
import { CLAUDE_CODE } from "../../../src/capture/clients/claude-code/claude-code.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { answer, at, lines, SESSION, usage } from "./claude-code-rows.ts"
import { callsIn, usageIn } from "./read-all.ts"
import { testReader } from "./reader-contract.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

interface BodyOptions {
  readonly entrypoint?: string
  readonly source?: string
  readonly isIndexed?: boolean
  readonly first?: string
  /** The text of the response file. */
  readonly response?: string
}

const messageOf = (n: number) => answer({ n, tokens: { read: 100 * n, short: 10 } }).message

function bodyOf(
  n: number,
  { entrypoint = "cli", source, first = "Which boats are free?" }: BodyOptions = {},
) {
  const flag = source?.startsWith("agent:") === true ? " cc_is_subagent=true;" : ""
  const line = `x-anthropic-billing-header: cc_version=2.1.325.a${n}; cc_entrypoint=${entrypoint}; cch=${n};${flag}`
  return {
    model: "claude-sonnet-5-5",
    messages: [
      { role: "user", content: [{ type: "text", text: first, cache_control: { type: "ephemeral" } }] },
    ],
    system: [
      { type: "text", text: line },
      { type: "text", text: "You rent out boats." },
    ],
    tools: [],
    betas: ["b-1"],
    metadata: { user_id: JSON.stringify({ device_id: "d", session_id: SESSION }) },
    max_tokens: 64_000,
  }
}

/** Writes the files of one call, as the client does. */
function put(home: string, n: number, options: BodyOptions = {}): void {
  const { source = "repl_main_thread", isIndexed = true, response = JSON.stringify(messageOf(n)) } = options
  mkdirSync(home, { recursive: true })
  const [requestFile, responseFile] = [`000${n}.request.json`, `req_${n}.response.json`]
  writeFileSync(join(home, requestFile), JSON.stringify(bodyOf(n, options)))
  writeFileSync(join(home, responseFile), response)
  // The time when a file was written is all there is for a call that is not in the index.
  const time = Date.parse(at(n)) / 1000
  utimesSync(join(home, requestFile), time - 2, time - 2)
  utimesSync(join(home, responseFile), time, time)
  const row = {
    ...{ timestamp: at(n), session_id: SESSION, query_source: source, model: "claude-sonnet-5-5" },
    ...{
      request_id: `req_${n}`,
      message_id: `msg_${n}`,
      request_file: requestFile,
      response_file: responseFile,
    },
  }
  if (isIndexed) writeFileSync(join(home, "index.jsonl"), lines([row]), { flag: "a" })
}

const bodies = () => join(folder.path, "bodies")
const read = () => callsIn(CLAUDE_CODE_BODIES, join(bodies(), "index.jsonl"))

test("every call is exact: its request as it was sent, without what is about the user", async () => {
  put(bodies(), 1)
  put(bodies(), 2)
  const { calls, diagnostics } = await read()
  expect(diagnostics).toEqual([])
  expect(calls).toEqual(
    [1, 2].map((n) => {
      const { betas: _, metadata: __, ...request } = bodyOf(n)
      return {
        id: `msg_${n}/req_${n}`,
        client: "claude-code",
        session: SESSION,
        at: Date.parse(at(n)),
        model: "claude-sonnet-5-5",
        usage: { uncached: 3, read: 100 * n, write: { "5m": 10 }, output: 20 },
        version: "2.1.325",
        thread: "main",
        format: "anthropic",
        coverage: "exact",
        request,
        files: [],
      }
    }),
  )
  expect(
    (await usageIn(CLAUDE_CODE_BODIES, join(bodies(), "index.jsonl"), 1)).calls.map(({ id }) => id),
  ).toEqual(["msg_2/req_2"])
})

test("the same call has the same id in body files and in the transcript", async () => {
  put(bodies(), 7)
  const transcript = folder.write(`projects/-work/${SESSION}.jsonl`, lines([answer({ n: 7 })]))
  const [fromBodies] = (await read()).calls
  const [fromTranscript] = (await usageIn(CLAUDE_CODE, transcript)).calls
  expect(fromBodies?.id).toBe(fromTranscript?.id)
})

test("calls that are not in the index are paired by their time, if nothing else was under way", async () => {
  put(bodies(), 1)
  put(bodies(), 2, { isIndexed: false })
  // Two requests before one response: whose it is cannot be told.
  put(bodies(), 3, { isIndexed: false })
  const time = Date.parse(at(3)) / 1000 - 1
  writeFileSync(join(bodies(), "0099.request.json"), JSON.stringify(bodyOf(9)))
  utimesSync(join(bodies(), "0099.request.json"), time, time)
  const { calls, diagnostics } = await read()
  expect(calls.map(({ id, session, coverage }) => [id, session, coverage])).toEqual([
    ["msg_1/req_1", SESSION, "exact"],
    ["msg_2/req_2", SESSION, "exact"],
    ["msg_3/req_3", bodies(), "none"],
  ])
  expect(diagnostics.map(({ code }) => code)).toEqual(["capture-lines-skipped"])
  // The index is as old as its last call, and the folder as its last answer.
  utimesSync(join(bodies(), "index.jsonl"), 1, 1)
  const [found] = await CLAUDE_CODE_BODIES.files(bodies())
  expect(found).toMatchObject({ path: join(bodies(), "index.jsonl"), changedAt: Date.parse(at(3)) })
})

test("a stream of events is an answer; an error is none; what was not written is said", async () => {
  const message = messageOf(1)
  const events = [
    {
      type: "message_start",
      message: { ...message, stop_reason: null, usage: usage({ read: 100, short: 10, output: 1 }) },
    },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "data: {}" } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ]
  put(bodies(), 1, {
    response: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  })
  put(bodies(), 2, { response: '{"type":"error","error":{"type":"overloaded_error","message":"later"}}' })
  put(bodies(), 3, { response: "" })
  put(bodies(), 4, { response: "half of an ans" })
  put(bodies(), 5, { response: `${"[".repeat(50_000)}${"]".repeat(50_000)}` })
  const { calls, diagnostics } = await read()
  expect(calls.map(({ id, usage: used }) => [id, used])).toEqual([
    ["msg_1/req_1", { uncached: 3, read: 100, write: { "5m": 10 }, output: 20 }],
  ])
  const path = join(bodies(), "index.jsonl")
  expect(diagnostics).toEqual([
    { code: "capture-bodies-unwritten", path, count: 1 },
    { code: "capture-lines-skipped", path, count: 2, why: "their response is not an answer" },
  ])
})

test("sub-agents, summaries and titles are threads of their own", async () => {
  put(bodies(), 1)
  put(bodies(), 2, { source: "agent:builtin:explore", first: "Count the boats." })
  put(bodies(), 3, { source: "agent:builtin:explore", first: "Count the slips." })
  put(bodies(), 4, { source: "agent:builtin:explore", first: "Count the boats." })
  put(bodies(), 5, { source: "compact" })
  const threads = (await read()).calls.map(({ thread }) => thread)
  expect([threads[0], threads[4]]).toEqual(["main", "compact"])
  expect(threads[1]).toBe(threads[3])
  expect(new Set(threads).size).toBe(4)
})

test("each folder belongs to the client whose requests are in it, and only regular files in it are opened", async () => {
  put(join(bodies(), "cli"), 1)
  put(join(bodies(), "sdk"), 2, { entrypoint: "sdk-ts" })
  put(join(bodies(), "print"), 3, { entrypoint: "sdk-cli", isIndexed: false })
  folder.write("bodies/other/index.jsonl", lines([{ type: "user", sessionId: "x" }]))
  symlinkSync("/etc/passwd", join(bodies(), "cli", "link.response.json"))
  execFileSync("mkfifo", [join(bodies(), "cli", "pipe.response.json")])
  const row = { timestamp: at(1), request_file: "../../secret.json", response_file: "pipe.response.json" }
  writeFileSync(join(bodies(), "cli", "index.jsonl"), lines([row, { response_file: "../x.response.json" }]), {
    flag: "a",
  })
  const found = async (reader: typeof AGENT_SDK) =>
    (await reader.files(bodies())).map(({ path, client }) => [path.slice(bodies().length + 1), client])
  expect(await found(CLAUDE_CODE_BODIES)).toEqual([
    ["cli/index.jsonl", "claude-code"],
    ["print/0003.request.json", "claude-code"],
  ])
  expect(await found(AGENT_SDK)).toEqual([["sdk/index.jsonl", "agent-sdk"]])
  const { calls } = await callsIn(CLAUDE_CODE_BODIES, join(bodies(), "cli/index.jsonl"))
  expect(calls.map(({ id }) => id)).toEqual(["msg_1/req_1"])
})

test("the folder is found in the environment and in the client's settings", () => {
  folder.write(
    "home/.claude/settings.json",
    JSON.stringify({ env: { OTEL_LOG_RAW_API_BODIES: "file:/var/bodies" } }),
  )
  folder.write("home/.config/claude/settings.json", "{ not json")
  const foldersWith = (value: string | undefined) =>
    AGENT_SDK.folders({ home: folder.home, variables: { OTEL_LOG_RAW_API_BODIES: value } })
  expect(foldersWith("file:/tmp/mine")).toEqual(["/tmp/mine", "/var/bodies"])
  expect(foldersWith("1")).toEqual(["/var/bodies"])
})

for (const [name, reader, entrypoint] of [
  ["body files", CLAUDE_CODE_BODIES, "cli"],
  ["the Agent SDK's body files", AGENT_SDK, "sdk-py"],
] as const)
  testReader({
    name,
    reader,
    grows: false,
    record: (home) => {
      const place = join(home, "bodies")
      mkdirSync(join(home, ".claude"), { recursive: true })
      const settings = { env: { OTEL_LOG_RAW_API_BODIES: `file:${place}` } }
      writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(settings))
      for (const n of [1, 2, 3]) put(place, n, { entrypoint })
    },
  })
