// The rules of Anthropic's Messages API without a server: what it refuses, and how its prompt cache counts. They are
// taken from its documents, not measured. Servers for tests and for trying things are made over it.
import { digest, o200k } from "incipit"

/** A block of tools, of the system prompt or of a message, as far as the rules look into it. */
interface Block {
  readonly type?: string
  readonly name?: string
  readonly text?: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly input?: unknown
  readonly cache_control?: CacheControl | undefined
}

interface CacheControl {
  readonly ttl?: string
}

interface Turn {
  readonly role: string
  readonly content: readonly Block[]
}

export interface MessagesBody {
  readonly model: string
  readonly max_tokens: number
  readonly tools?: readonly Block[]
  readonly system?: readonly Block[]
  readonly messages: readonly Turn[]
  /** Marks the last block. */
  readonly cache_control?: CacheControl
  readonly tool_choice?: unknown
  readonly thinking?: unknown
}

export interface InputUsage {
  /** What was neither read nor written. */
  readonly input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number
    readonly ephemeral_1h_input_tokens: number
  }
}

/** The API refuses a request with more. */
const MAX_BREAKPOINTS = 4
/** A breakpoint finds an earlier entry at most this many blocks before itself. */
const LOOK_BACK = 20
const LIFETIMES = { "5m": 5 * 60_000, "1h": 60 * 60_000 } as const

/** Why the API would answer 400, or nothing. */
export function refuseMessages({ model, max_tokens, ...body }: MessagesBody): string | undefined {
  const { tools = [], system = [], messages, cache_control } = body
  const blocks = [...system, ...messages.flatMap(({ content }) => content)]
  const marks = [...tools, ...blocks].flatMap((block) => block.cache_control ?? [])
  const count = marks.length + (cache_control ? 1 : 0)
  if (typeof model !== "string" || !(max_tokens > 0)) return "model and max_tokens are required"
  if (count > MAX_BREAKPOINTS)
    return `a maximum of 4 blocks with cache_control may be provided, found ${count}`
  const misplaced = lateSystem(model, messages)
  if (misplaced !== undefined) return misplaced
  if (messages[0]?.role !== "user") return "messages: the first message must be from the user"
  if (messages.findLast(({ role }) => role !== "system")?.role !== "user")
    return "the conversation must end with a user message"
  if (blocks.some(({ type, text }) => type === "text" && text?.trim() === ""))
    return "text content blocks must be non-empty"
  const firstShort = marks.findIndex(({ ttl }) => ttl !== "1h")
  if (firstShort !== -1 && marks.slice(firstShort).some(({ ttl }) => ttl === "1h"))
    return "a 1h block must not come after a 5m block"
  return badCall(messages) ?? unpairedCall(messages)
}

const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** Ids are plain and used once, and the input of a call is an object. */
function badCall(messages: readonly Turn[]): string | undefined {
  const ids = new Set<string>()
  for (const [at, { content }] of messages.entries())
    for (const [block, { type, id = "", name = "", input }] of content.entries()) {
      if (type !== "tool_use") continue
      const place = `messages.${at}.content.${block}.tool_use`
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) return `${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
      if (!NAME.test(name)) return `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
      if (typeof input !== "object" || input === null || Array.isArray(input))
        return `${place}.input: Input should be a valid dictionary`
      if (ids.has(id)) return `messages.${at}.content.${block}: \`tool_use\` ids must be unique`
      ids.add(id)
    }
  return undefined
}

/** Models that take a system message within the conversation. */
const TAKES_LATE_SYSTEM = /^claude-(?:opus-(?:4-8|5)|sonnet-5|haiku-5-5|(?:fable|mythos)-5)(?!\d)/

/** It comes after the user's message, and nothing but an answer comes after it. */
function lateSystem(model: string, messages: readonly Turn[]): string | undefined {
  const late = messages.flatMap(({ role }, at) => (role === "system" ? [at] : []))
  if (late.length > 0 && !TAKES_LATE_SYSTEM.test(model)) return "role system is not supported on this model"
  const isMisplaced = late.some(
    (at) =>
      messages[at - 1]?.role !== "user" ||
      (messages[at + 1] !== undefined && messages[at + 1]?.role !== "assistant"),
  )
  return isMisplaced
    ? "a system message must follow a user message and be last or precede an answer"
    : undefined
}

/** Every call is answered in the next message, and every answer has its call in the one before. */
function unpairedCall(messages: readonly Turn[]): string | undefined {
  const calls = ({ content }: Turn) => content.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []))
  const results = ({ content }: Turn) => content.flatMap(({ tool_use_id }) => tool_use_id ?? [])
  for (const [at, turn] of messages.entries()) {
    const [before, after] = [messages[at - 1], messages[at + 1]]
    const open = calls(turn).find((id) => !(after && results(after).includes(id ?? "")))
    if (open !== undefined)
      return `tool_use ids were found without tool_result blocks immediately after: ${open}`
    const stray = results(turn).find((id) => !(before && calls(before).includes(id)))
    if (stray !== undefined) return `unexpected tool_use_id found in tool_result blocks: ${stray}`
  }
  return undefined
}

export interface PromptCacheOptions {
  /** Tokens from which a prefix is kept: 512 to 4096, by the model. */
  readonly minimum?: number
  /** Milliseconds; without it nothing runs out. */
  readonly now?: () => number
}

interface Entry {
  readonly lifetimeMs: number
  readonly until: number
}

/** Reads can only land where an earlier request wrote a breakpoint, a limited number of blocks back. */
export function createPromptCache({ minimum = 512, now = () => 0 }: PromptCacheOptions = {}) {
  const entries = new Map<string, Entry>()
  return (body: MessagesBody): InputUsage => {
    const { sizes, chain, marks } = prefixOf(body)
    const sum = (from: number, to: number) => sizes.slice(from, to).reduce((total, size) => total + size, 0)
    const isLive = (at: number) => (entries.get(chain[at] ?? "")?.until ?? 0) > now()
    const hits = marks.flatMap(({ at: mark }) =>
      chain.flatMap((_hash, at) => (at <= mark && at > mark - LOOK_BACK && isLive(at) ? [at] : [])),
    )
    const read = Math.max(-1, ...hits)
    const written = { "5m": 0, "1h": 0 }
    let from = read + 1
    for (const { at, ttl } of marks) {
      if (sum(0, at + 1) < minimum) continue
      if (at >= from) written[ttl] += sum(from, at + 1)
      from = Math.max(from, at + 1)
    }
    const found = entries.get(chain[read] ?? "")
    if (found) entries.set(chain[read] ?? "", { ...found, until: now() + found.lifetimeMs })
    for (const { at, ttl } of marks.filter(({ at }) => sum(0, at + 1) >= minimum)) {
      const lifetimeMs = LIFETIMES[ttl]
      entries.set(chain[at] ?? "", { lifetimeMs, until: now() + lifetimeMs })
    }
    return {
      input_tokens: sum(from, sizes.length),
      cache_read_input_tokens: sum(0, read + 1),
      cache_creation_input_tokens: written["5m"] + written["1h"],
      cache_creation: { ephemeral_5m_input_tokens: written["5m"], ephemeral_1h_input_tokens: written["1h"] },
    }
  }
}

/** The request as one prefix: the size of each block, the digest of everything up to it, and where it is marked. */
function prefixOf(body: MessagesBody) {
  const { model, tools = [], system = [], messages, cache_control, tool_choice, thinking } = body
  const head = [...tools, ...system]
  const blocks = [...head, ...messages.flatMap(({ content }) => content)]
  const plain = blocks.map((block) => JSON.stringify({ ...block, cache_control: undefined }))
  const chain: string[] = []
  for (const [at, text] of plain.entries()) {
    // What voids only the conversation, and what voids everything.
    const terms = at === head.length ? JSON.stringify([tool_choice, thinking]) : ""
    chain.push(digest((chain.at(-1) ?? model) + terms + text))
  }
  const marks = blocks.flatMap(({ cache_control: own }, at) => {
    const mark = own ?? (at === blocks.length - 1 ? cache_control : undefined)
    return mark ? [{ at, ttl: mark.ttl === "1h" ? ("1h" as const) : ("5m" as const) }] : []
  })
  return { sizes: plain.map((text) => o200k.count(text)), chain, marks }
}
