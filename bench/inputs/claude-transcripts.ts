// Transcripts in the shape of Claude Code's, with invented text, as large as wanted: what `bench/bill.ts` reads. The same
// seed gives the same bytes.
import { createHash } from "node:crypto"
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { canonicalJson } from "../../src/base/digest.ts"

export interface Generated {
  readonly bytes: number
  readonly files: number
  readonly calls: number
  readonly tokens: { uncached: number; read: number; written: number; output: number }
}

/** The conversation then fills the window of most models. */
const CALLS_PER_SESSION = 60
const PROJECTS = 12
const START = Date.UTC(2026, 9, 1, 8)
const MODELS = ["claude-opus-5-5", "claude-opus-5-5", "claude-sonnet-5-5"] as const

/** Writes sessions into `folder/projects` until they hold at least this many bytes. */
export function generateTranscripts(folder: string, bytes: number): Generated {
  const sum = { bytes: 0, files: 0, calls: 0, tokens: { uncached: 0, read: 0, written: 0, output: 0 } }
  for (let session = 0; sum.bytes < bytes; session += 1) {
    const project = join(folder, "projects", `-work-boats-${session % PROJECTS}`)
    mkdirSync(project, { recursive: true })
    const file = openSync(join(project, `${uuid(session)}.jsonl`), "w")
    for (const row of sessionRows(session, sum)) sum.bytes += writeSync(file, `${JSON.stringify(row)}\n`)
    closeSync(file)
    sum.files += 1
  }
  return sum
}

function* sessionRows(
  session: number,
  sum: { calls: number; tokens: Generated["tokens"] },
): Generator<object> {
  const random = randomFrom(session + 1)
  const words = (count: number) => sentence(random, count)
  const [cwd, sessionId] = [`/home/ada/boats-${session % PROJECTS}`, uuid(session)]
  const base = { userType: "external", entrypoint: "cli", cwd, sessionId, version: "2.1.325" }
  const model = MODELS[session % MODELS.length] ?? MODELS[0]
  const tools = Array.from({ length: 12 }, (_, at) => ({
    name: `Tool${at}`,
    description: words(150),
    input_schema: { type: "object", properties: {} },
  }))
  const shape = { system: [{ type: "text", text: words(900) }], tools }
  const requests = createRequests({ model, max_tokens: 32_000 }, shape)
  let at = START + session * 3_600_000
  const time = () => new Date(at).toISOString()
  yield { type: "api-request-shape", sessionId, shapeHash: requests.shapeHash, timestamp: time(), shape }
  let cached = Math.ceil(JSON.stringify(shape).length / 4)
  let said: Message = { role: "user", content: [{ type: "text", text: words(60) }] }
  for (let n = 0; n < CALLS_PER_SESSION; n += 1) {
    // Most calls follow at once; a person thinks for a while after some, and is away after a few.
    const isExpired = n % 40 === 39
    at += isExpired ? 900_000 : n % 8 === 7 ? 90_000 : 9_000
    const number = session * CALLS_PER_SESSION + n
    const row = () => ({ isSidechain: false, timestamp: time(), ...base })
    const output = said.content.map(({ content }) => content).join("")
    yield {
      ...row(),
      parentUuid: null,
      message: said,
      toolUseResult: { stdout: output },
      type: "user",
      uuid: uuid(number),
    }
    const request = requests.next(said)
    yield {
      type: "api-request",
      sessionId,
      timestamp: time(),
      version: base.version,
      querySource: "sdk",
      ...request,
    }
    const fresh = Math.ceil(JSON.stringify(said).length / 4)
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: isExpired || n === 0 ? cached + fresh : fresh,
      cache_read_input_tokens: isExpired || n === 0 ? 0 : cached,
      output_tokens: 40 + (number % 200),
    }
    cached += fresh
    const call = {
      type: "tool_use",
      id: `toolu_${number}`,
      name: `Tool${number % 12}`,
      input: { command: words(6) },
    }
    const content = [{ type: "text", text: words(20) }, call]
    requests.answered({ role: "assistant", content })
    const message = { id: `msg_${uuid(number).slice(0, 18)}`, type: "message", role: "assistant", model }
    const written = usage.cache_creation_input_tokens
    const cache_creation = { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: written }
    // One row for each block, and all of them repeat what the whole answer used.
    for (const [apiBlockIndex, item] of content.entries())
      yield {
        ...row(),
        parentUuid: uuid(number),
        message: {
          ...message,
          content: [item],
          stop_reason: "tool_use",
          stop_sequence: null,
          usage: { ...usage, service_tier: "standard", cache_creation },
        },
        requestId: `req_${number}`,
        apiBlockIndex,
        requestRef: request.id,
        type: "assistant",
        uuid: uuid(number + 1e9 + apiBlockIndex),
      }
    sum.calls += 1
    sum.tokens.uncached += usage.input_tokens
    sum.tokens.read += usage.cache_read_input_tokens
    sum.tokens.written += written
    sum.tokens.output += usage.output_tokens
    const result = { type: "tool_result", tool_use_id: call.id, content: words(200 + (number % 2_500)) }
    said = { role: "user", content: [result] }
  }
}

interface Message {
  readonly role: string
  readonly content: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The rows of requests that each build on the one before. The client's digest of a request is that of its canonical JSON,
 * in which the messages come after `max_tokens` and before the rest, so the hash of all earlier messages is kept.
 */
function createRequests(params: { readonly model: string; readonly max_tokens: number }, shape: object) {
  const shapeHash = hashOf(shape)
  const rest = canonicalJson({ model: params.model, ...shape }).slice(1)
  const earlier = createHash("sha256").update(`{"max_tokens":${params.max_tokens},"messages":[`)
  let count = 0
  let before: string | undefined
  let answer: string | undefined
  const add = (message: Message) => {
    earlier.update(`${count === 0 ? "" : ","}${canonicalJson(message)}`)
    count += 1
  }
  return {
    shapeHash,
    next(said: Message) {
      const [at, id] = [count, hashOf([shapeHash, count])]
      const value = { type: "ephemeral" }
      const marked = { ...said, content: said.content.map((block) => ({ ...block, cache_control: value })) }
      const whole = earlier.copy().update(`${at === 0 ? "" : ","}${canonicalJson(marked)}],${rest}`)
      const digests = [...(answer === undefined ? [] : [answer]), digestOf(said)]
      const row = {
        id,
        shapeHash,
        params,
        ...(before !== undefined && { base: before }),
        keep: at - digests.length + 1,
        tail: digests,
        cacheControl: [{ path: ["messages", at, "content", 0], value }],
        requestDigest: whole.digest("hex"),
      }
      add(said)
      before = id
      return row
    },
    answered(message: Message) {
      add(message)
      answer = digestOf(message)
    },
  }
}

const WORDS =
  "keel mast sail rope tide anchor harbour north wind lantern chart log deck hull oar rudder bell fog".split(
    " ",
  )

function sentence(random: () => number, count: number): string {
  return Array.from({ length: count }, (_, at) =>
    at % 11 === 10 ? `${Math.floor(random() * 10_000)}.\n` : WORDS[Math.floor(random() * WORDS.length)],
  ).join(" ")
}

/** Numbers from 0 to 1 that are the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function digestOf(message: Message): string {
  return createHash("sha256").update(canonicalJson(message)).digest("hex")
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex")
}

function uuid(n: number): string {
  const hex = hashOf(n)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  )
}
