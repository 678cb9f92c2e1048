// Writes a session as Claude Code does: a row for each message and each block of an answer, and for each request the
// rows that it is made of. Digests are computed here on their own, so that the reader is checked against them.
import { createHash } from "node:crypto"
import { answer, at, SESSION, type Tokens, VERSION } from "./claude-code-rows.ts"

type Row = Readonly<Record<string, unknown>>
type Block = Readonly<Record<string, unknown>>
interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

export interface Session {
  /** All rows so far. */
  readonly rows: Row[]
  /** Requests as they were sent, in order. */
  readonly requests: Row[]
  /** Instruction files, in the client's envelope. */
  attach(files: readonly { readonly path: string; readonly content: string }[]): void
  say(text: string): void
  call(blocks: readonly Block[], options?: { readonly tokens?: Tokens }): void
  /** Results of tools, in the order in which they ended. */
  results(results: Readonly<Record<string, string>>): void
  /** The conversation is replaced by a summary. */
  compact(summary: string): void
  /** Another process goes on: its requests build on none of the earlier ones. */
  resume(): void
}

export interface SessionOptions {
  readonly session?: string
  readonly agent?: string
  /** The number of the first answer. */
  readonly from?: number
  readonly version?: string
  /** Older versions write no rows for requests. */
  readonly isOld?: boolean
  /** Rows that were copied from another session, with the messages that they stand for. */
  readonly copied?: Session
}

export function createSession(options: SessionOptions = {}): Session {
  const { session = SESSION, agent, from = 1, version = VERSION, isOld = false, copied } = options
  const common = { sessionId: session, version, ...(agent !== undefined && { agentId: agent }) }
  const rows: Row[] = (copied?.rows ?? [])
    .filter(({ type }) => !String(type).startsWith("api-request"))
    .map((row) => ({ ...row, sessionId: session }))
  const requests: Row[] = []
  const blobs = new Set<string>()
  let messages: Message[] = [...((copied?.requests.at(-1)?.messages as readonly Message[]) ?? [])].map(
    unmarked,
  )
  let waiting: { readonly derivable: boolean; readonly blocks: readonly Block[] } = {
    derivable: true,
    blocks: [],
  }
  let base: { readonly id: string; readonly digests: readonly string[] } | undefined
  let uuid: string | null = null
  let n = from
  let count = 0
  const push = (row: Row, fields: Row = {}) => {
    const own = `${session}-${agent ?? "main"}-${++count}`
    rows.push({
      parentUuid: uuid,
      isSidechain: agent !== undefined,
      ...row,
      uuid: own,
      timestamp: at(n),
      ...common,
      ...fields,
    })
    uuid = own
  }
  const told = (blocks: readonly Block[], derivable: boolean) => {
    waiting = { derivable: waiting.derivable && derivable, blocks: [...waiting.blocks, ...blocks] }
  }
  const record = (row: Row) => rows.push({ ...row, ...common })
  const shape = { system: [text("You rent out boats."), text("Be brief.")], tools: TOOLS }
  const sendRequest = () => {
    if (waiting.blocks.length > 0) messages.push({ role: "user", content: waiting.blocks })
    const digests = messages.map((message) => sha(canonical(listed(message))))
    const last = messages.length - 1
    const cacheControl = [
      { path: ["system", 1], value: { type: "ephemeral", ttl: "1h" } },
      {
        path: ["messages", last, "content", (messages[last]?.content.length ?? 1) - 1],
        value: { type: "ephemeral" },
      },
    ]
    const params = {
      model: "claude-sonnet-5-5",
      betas: ["b-1"],
      max_tokens: 64_000,
      thinking: { type: "adaptive" },
    }
    const body = marked({ ...params, ...shape, messages: messages.map(listed) }, cacheControl)
    const id = `request-${session}-${agent ?? "main"}-${n}`
    const keep = base === undefined ? 0 : shared(base.digests, digests)
    const { betas: _, ...sent } = body
    requests.push(sent)
    if (isOld) return id
    const shapeHash = sha(canonical(shape))
    if (!blobs.has(shapeHash)) record({ type: "api-request-shape", shapeHash, timestamp: at(n), shape })
    blobs.add(shapeHash)
    // Only what the other rows do not tell.
    const own = digests[last] ?? ""
    if (!waiting.derivable && !blobs.has(own))
      record({ type: "api-request-blob", hash: own, message: messages[last] })
    if (!waiting.derivable) blobs.add(own)
    record({
      ...{
        type: "api-request",
        id,
        timestamp: at(n),
        querySource: agent === undefined ? "sdk" : "agent:builtin:x",
      },
      ...{ shapeHash, params, ...(base && { base: base.id }), keep, tail: digests.slice(keep), cacheControl },
      requestDigest: sha(canonical(body)),
    })
    base = { id, digests }
    return id
  }
  return {
    rows,
    requests,
    attach: (files) => {
      const content = files.map((file) => `Contents of ${file.path}:\n\n${file.content}`).join("\n")
      const attachment = { type: "instructions", files: files.map((file) => ({ ...file, type: "Project" })) }
      push({ type: "attachment", attachment, rendered: [{ content }], renderedRole: "user" })
      told([text(content)], false)
    },
    say: (words) => {
      push({ type: "user", message: { role: "user", content: words } })
      told([text(words)], true)
    },
    call: (blocks, { tokens } = {}) => {
      const requestRef = sendRequest()
      waiting = { derivable: true, blocks: [] }
      for (const block of blocks) {
        const {
          parentUuid: _,
          uuid: __,
          ...row
        } = answer({ n, tokens: { ...tokens }, message: { content: [block] } })
        push(row, { ...(isOld ? {} : { requestRef }), isSidechain: agent !== undefined })
      }
      messages.push({ role: "assistant", content: blocks })
      n += 1
    },
    results: (results) => {
      const asked = messages.at(-1)?.content
      const calls =
        typeof asked === "object"
          ? asked.filter(({ type }) => type === "tool_use").map(({ id }) => String(id))
          : []
      for (const [id, content] of Object.entries(results))
        push({
          type: "user",
          message: { role: "user", content: [result(id, content)] },
          toolUseResult: content,
        })
      told(
        calls.map((id) => result(id, results[id] ?? "")),
        true,
      )
    },
    compact: (summary) => {
      uuid = null
      push({ type: "system", subtype: "compact_boundary", content: "Conversation compacted" })
      push({ type: "user", message: { role: "user", content: summary }, isCompactSummary: true })
      messages = []
      waiting = { derivable: false, blocks: [text(summary)] }
      base = undefined
      blobs.clear()
    },
    resume: () => {
      base = undefined
    },
  }
}

const TOOLS = [
  {
    name: "Bash",
    description: "Runs a command.",
    input_schema: { type: "object", properties: { command: { type: "string" } } },
  },
  {
    name: "Read",
    description: "Reads a file.",
    input_schema: { properties: { path: { type: "string" } }, type: "object" },
  },
]

export function text(words: string): Block {
  return { type: "text", text: words }
}

export function use(id: string, command: string): Block {
  return { type: "tool_use", id, name: "Bash", input: { command } }
}

function result(id: string, content: string): Block {
  return { tool_use_id: id, type: "tool_result", content }
}

function listed({ role, content }: Message): Message {
  return { role, content: typeof content === "string" ? [text(content)] : content }
}

function unmarked({ role, content }: Message): Message {
  if (typeof content === "string") return { role, content }
  return { role, content: content.map(({ cache_control: _, ...block }) => block) }
}

function shared(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((digest, index) => digest !== b[index])
  return at === -1 ? a.length : at
}

interface MarkAt {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

function marked(body: Row, marks: readonly MarkAt[]): Row {
  const copy = structuredClone(body)
  for (const { path, value } of marks) {
    let place = copy as Record<string | number, unknown>
    for (const key of path) place = place[key] as Record<string | number, unknown>
    place.cache_control = value
  }
  return copy
}

function sha(value: string): string {
  return createHash("sha256").update(value).digest("hex")
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`
}
