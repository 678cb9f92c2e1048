// Parsers of what the clients of others have written or sent, for fuzzing: transcripts with a text in any of their values
// and between their lines, requests that quote files with the text, and a provider's answers.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { changedLine } from "../../src/capture/attribute/changed-line.ts"
import { FORMATS } from "../../src/capture/call.ts"
import { CLAUDE_CODE } from "../../src/capture/clients/claude-code/claude-code.ts"
import { CODEX } from "../../src/capture/clients/codex/codex.ts"
import { GEMINI_CLI } from "../../src/capture/clients/gemini-cli.ts"
import { JSON_LINES } from "../../src/capture/clients/json-lines.ts"
import { OPENCLAW } from "../../src/capture/clients/pi/openclaw.ts"
import { PI } from "../../src/capture/clients/pi/pi.ts"
import type { CaptureReader } from "../../src/capture/clients/reader.ts"
import { answerIn } from "../../src/capture/proxy/answer.ts"
import { lookAt } from "../../src/capture/proxy/exchange-call.ts"
import { createSplitter } from "../../src/capture/split/splitter.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { ENVELOPES, type Envelope, ownersOf, writeTree } from "../capture/attribute/envelopes.ts"
import { answer, SESSION } from "../capture/clients/claude-code-rows.ts"

type Parser = (text: string) => Promise<unknown>

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-fuzz-")))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Transcript {
  readonly reader: CaptureReader
  /** Where the client keeps it, below the home folder. */
  readonly path: string
  /** A few sound lines, with the text where a person or a model says something. */
  readonly rows: (text: string) => readonly object[]
}

const AT = "2026-11-18T12:00:00.000Z"
const USAGE = { input_tokens: 9, cached_input_tokens: 3, output_tokens: 2, total_tokens: 11 }
const PI_ANSWER = {
  ...{ role: "assistant", api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" },
  usage: { input: 9, output: 2, cacheRead: 3, cacheWrite: 1 },
}

const piRows: Transcript["rows"] = (text) => [
  { type: "session", version: 4, id: "s1", timestamp: AT, cwd: "/work/lamp" },
  {
    ...{ type: "message", id: "e1", parentId: null, timestamp: AT },
    message: { role: "user", content: [{ type: "text", text }] },
  },
  {
    ...{ type: "message", id: "e2", parentId: "e1", timestamp: AT },
    message: { ...PI_ANSWER, content: [{ type: "text", text }] },
  },
]

const TRANSCRIPTS: readonly Transcript[] = [
  {
    ...{ reader: CLAUDE_CODE, path: `.claude/projects/-work-boats/${SESSION}.jsonl` },
    rows: (text) => [
      {
        ...{
          type: "user",
          uuid: "u-1",
          parentUuid: null,
          sessionId: SESSION,
          timestamp: AT,
          cwd: "/work/boats",
        },
        message: { role: "user", content: text },
      },
      answer({ n: 1, text }),
    ],
  },
  {
    ...{ reader: CODEX, path: ".codex/sessions/2026/11/18/rollout-2026-11-18T12-00-00-t1.jsonl" },
    rows: (text) => [
      {
        timestamp: AT,
        type: "session_meta",
        payload: { id: "t1", cwd: "/work/lamp", base_instructions: { text } },
      },
      { timestamp: AT, type: "turn_context", payload: { turn_id: "a", cwd: "/work/lamp", model: "gpt-5.5" } },
      {
        ...{ timestamp: AT, type: "response_item" },
        payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
      },
      {
        ...{ timestamp: AT, type: "token_usage_record" },
        payload: { thread_id: "t1", turn_id: "a", response_id: "resp_1", usage: USAGE },
      },
      {
        ...{ timestamp: AT, type: "event_msg" },
        payload: { type: "token_count", info: { total_token_usage: USAGE, last_token_usage: USAGE } },
      },
    ],
  },
  { reader: PI, path: ".pi/agent/sessions/--work-lamp--/2026-11-18T12-00-00-000Z_s1.jsonl", rows: piRows },
  { reader: OPENCLAW, path: ".openclaw/agents/main/sessions/s1.jsonl", rows: piRows },
  {
    ...{ reader: GEMINI_CLI, path: ".gemini/tmp/lamp/chats/session-2026-11-18T12-00-g1.jsonl" },
    rows: (text) => [
      { sessionId: "g1", projectHash: "p", startTime: AT, lastUpdated: AT, kind: "main" },
      { id: "u1", timestamp: AT, type: "user", content: [{ text }] },
      {
        ...{ id: "a1", timestamp: AT, type: "gemini", content: text, model: "gemini-2.5-pro" },
        tokens: { input: 9, cached: 3, output: 2, thoughts: 1, tool: 0, total: 12 },
      },
    ],
  },
  {
    ...{ reader: JSON_LINES, path: "calls.jsonl" },
    rows: (text) => [
      {
        ...{ session: "s", at: AT, model: "claude-sonnet-4-5", format: "anthropic" },
        usage: { uncached: 9, read: 3, write: { "5m": 1 }, output: 2 },
        request: { system: text, messages: [{ role: "user", content: text }] },
      },
    ],
  },
]

/** A longer text is only said, not put in the place of every value. */
const LONGEST_VALUE = 4_000

function transcript({ reader, path, rows }: Transcript): Parser {
  return (text) =>
    inFolder(async (home) => {
      const sound = rows(text)
      const value = text.length > LONGEST_VALUE ? undefined : jsonOr(text)
      const odd = value === undefined ? [] : rows("a").flatMap((row) => withValue(row, value))
      const lines = [...sound, ...odd].map((row) => `${JSON.stringify(row)}\n`)
      const file = join(home, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${lines.join("")}${text}\n${lines.slice(0, sound.length).join("")}${text}`)
      const found = await reader.files(file)
      if (found.length === 0) throw new Error(`not found by its reader: ${path}`)
      let calls = 0
      for (const one of found) {
        for await (const _ of reader.usage(one)) calls += 1
        for await (const { kind } of reader.calls(one)) calls += kind === "call" ? 1 : 0
      }
      return calls
    })
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The row with the value in place of each of its own values, at any depth. */
function withValue(row: unknown, value: unknown): readonly unknown[] {
  if (typeof row !== "object" || row === null) return []
  return Object.entries(row).flatMap(([key, one]) =>
    [value, ...withValue(one, value)].map((other) =>
      Array.isArray(row) ? row.with(Number(key), other) : { ...row, [key]: other },
    ),
  )
}

/** A client's request that quotes a file with the text, and then the same one with a line more. */
function request({ client, format, instructions, request: make }: Envelope): Parser {
  return (text) =>
    inFolder(async (folder) => {
      const [project, home] = [join(folder, "project"), join(folder, "home")]
      const skill = `---\nname: tea\ndescription: ${JSON.stringify(text.slice(0, 500))}\n---\n${text}`
      writeTree(project, { [instructions]: text, ".claude/skills/tea/SKILL.md": skill })
      const quoted = [text, `${text.slice(0, text.length / 2)}\nOne more.\n${text.slice(text.length / 2)}`]
      const bodies = quoted.map((one) => make([{ path: join(project, instructions), text: one }], text))
      const split = createSplitter({ counter: o200k })
      for (const body of bodies) split(body, format)
      const [before = [], after = []] = await ownersOf(bodies, { client, format, project, home })
      return before.map((part, at) => changedLine(part, after[at]))
    })
}

const HEADERS = ["content-type", "application/json", "x-session", "s"]

async function exchange(text: string): Promise<unknown> {
  const asked = JSON.stringify({ model: text, messages: [{ role: "user", content: text }], system: text })
  const looked: unknown[] = []
  for (const path of [
    "/v1/messages",
    "/v1/responses",
    "/v1/chat/completions",
    "/v1/models/m:generateContent",
  ])
    for (const request of [text, asked])
      looked.push(
        await lookAt({
          ...{ method: "POST", path, requestHeaders: HEADERS, responseHeaders: HEADERS, status: 200 },
          ...{ isComplete: true, from: 0, at: 1 },
          ...{ request: Buffer.from(request), response: Buffer.from(text) },
        }),
      )
  return looked
}

async function answers(text: string): Promise<unknown> {
  const start = { type: "message_start", message: { id: text, model: text, usage: jsonOr(text) } }
  const bodies = [
    text,
    `data: ${text}\n\n`,
    `data: ${JSON.stringify(start)}\n\n`,
    JSON.stringify(start.message),
  ]
  return FORMATS.flatMap((format) => bodies.map((body) => answerIn(body, format, "m")))
}

export const CAPTURED: Readonly<Record<string, Parser>> = {
  ...Object.fromEntries(TRANSCRIPTS.map((one) => [`transcript of ${one.reader.client}`, transcript(one)])),
  ...Object.fromEntries(ENVELOPES.map((one) => [`request of ${one.client}`, request(one)])),
  "proxied exchange": exchange,
  "provider's answer": answers,
}
