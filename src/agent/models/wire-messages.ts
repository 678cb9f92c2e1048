// Converts a conversation to the form that a model's provider accepts. The transcript has our own call ids. Here each
// call gets the id that this model gave it, or ours if another model gave it, it occurs twice, or the provider would
// refuse it.
// Every call has its result right after it, names and inputs have a form that all providers accept, and neither the
// first nor the last message is the model's. Messages that are fine already are passed on unchanged.

import { digest } from "../../base/digest.ts"
import { isRecord } from "../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { isSent, type Message, type MessagePart, type Native, userMessage } from "../../core/model/message.ts"
import type { Model } from "./model.ts"

type CallPart = Extract<MessagePart, { kind: "tool-call" }>
type ResultPart = Extract<MessagePart, { kind: "tool-result" }>

/** The id that a call got from its model, together with the model. Stored beside the provider's own data. */
const GIVEN = "given"

/** The part as it is stored: with our own id, which is short and plain enough for every provider. */
export function ownCall(part: CallPart, own: string, model: string): CallPart {
  return { ...part, id: own, data: { ...part.data, [GIVEN]: { id: part.id, by: model } } }
}

/** Nine letters and digits: one provider requires exactly that, and all others accept it. */
export function ownCallId(id: string): string {
  return id.slice(-9)
}

/** A message as it is sent, and the index of its source. */
interface Wired {
  readonly message: Message
  readonly from: number | undefined
}

export interface WiredConversation {
  readonly messages: readonly Message[]
  /** For each message, the index of its source; undefined for an inserted message. */
  readonly origins: readonly (number | undefined)[]
}

export function wireMessages(
  given: readonly Message[],
  { id, callIds = ANY_ID, takesFiles = true }: Pick<Model, "id" | "callIds" | "takesFiles">,
  cache: WireCache = new WeakMap(),
): WiredConversation {
  const messages = takesFiles ? given : given.map((message) => withoutFiles(message, cache))
  const taken = new Set<string>()
  const made: Wired[] = []
  const put = (message: Message, from?: number) => made.push({ message, from })
  let open: readonly OpenCall[] = []
  for (const [at, message] of messages.entries()) {
    const isAnswer = message.role === "assistant"
    if (isAnswer && open.length > 0) put({ role: "user", parts: open.map(lostResult) })
    if (isAnswer && !made.some((one) => one.message.parts.some(isSent))) put(LEFT_OUT)
    if (!isAnswer) put(withResults(message, open, cache), at)
    open = isAnswer ? callsIn(message).map((call) => openCall(call, { model: id, callIds, taken })) : []
    if (isAnswer) put(withCalls(message, open, cache), at)
  }
  if (open.length > 0) put({ role: "user", parts: open.map(lostResult) })
  const last = made.findLast(({ message }) => message.parts.some(isSent))
  if (last?.message.role === "assistant") put(GO_ON)
  return { messages: made.map(({ message }) => message), origins: made.map(({ from }) => from) }
}

/** A line in place of each file, for a model that takes none. */
function withoutFiles(message: Message, cache: WireCache): Message {
  if (!message.parts.some(isFile)) return message
  return remembered({ message, key: "no files", cache }, () => ({
    ...message,
    parts: message.parts.map((part) => (isFile(part) ? fileLine(part.value) : part)),
  }))
}

function isFile(part: MessagePart): part is Extract<MessagePart, { kind: "native" }> {
  return part.kind === "native" && part.format === "file"
}

function fileLine({ mediaType, name }: Native["value"]): MessagePart {
  const called = typeof name === "string" ? ` "${name}"` : ""
  return {
    kind: "text",
    text: `[left out: a file${called} of the type ${mediaType}, which this model does not take]\n`,
  }
}

/** A provider accepts any text in the ids that it made itself. */
const ANY_ID = /^\S{1,256}$/
const GO_ON: Message = userMessage("Continue.")
const LEFT_OUT: Message = userMessage("The beginning of this conversation is left out.")

/** A call without its result so far. */
interface OpenCall {
  readonly call: CallPart
  /** The id under which it is sent. */
  readonly wire: string
}

function callsIn({ parts }: Message): readonly CallPart[] {
  return parts.filter((part) => part.kind === "tool-call")
}

interface Naming {
  readonly model: string
  readonly callIds: RegExp
  readonly taken: Set<string>
}

function openCall(call: CallPart, { model, callIds, taken }: Naming): OpenCall {
  const given = call.data?.[GIVEN]
  const names = [
    ...(given?.by === model ? [String(given.id)] : []),
    ...(PLAIN.test(call.id) ? [call.id] : []),
  ]
  const free = names.find((name) => callIds.test(name) && !taken.has(name))
  const wire = free ?? derived(call.id, taken)
  taken.add(wire)
  return { call, wire }
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/

/** The same for the same conversation, so that its bytes do not change. */
function derived(id: string, taken: ReadonlySet<string>): string {
  for (let times = 1; ; times += 1) {
    const made = digest(`${id} ${times}`).slice(-9)
    if (!taken.has(made)) return made
  }
}

interface Made {
  /** What the result depends on apart from the message. */
  readonly key: string
  readonly message: Message
}

/** Messages that were converted before. */
export type WireCache = WeakMap<Message, Made>

interface Converting extends Pick<Made, "key" | "message"> {
  readonly cache: WireCache
}

function keyOf(open: readonly OpenCall[]): string {
  return open.map(({ wire }) => wire).join(" ")
}

/** Converts each message once: a renderer caches what it wrote by the message object. */
function remembered({ message, key, cache }: Converting, make: () => Message): Message {
  const known = cache.get(message)
  if (known?.key === key) return known.message
  const made = make()
  cache.set(message, { key, message: made })
  return made
}

function withCalls(message: Message, open: readonly OpenCall[], cache: WireCache): Message {
  if (open.length === 0) return message
  return remembered({ message, key: keyOf(open), cache }, () => ({
    ...message,
    parts: message.parts.map((part) => {
      const found = open.find(({ call }) => call === part)
      return found === undefined ? part : sentCall(found)
    }),
  }))
}

function sentCall({ call: { data = {}, ...call }, wire }: OpenCall): CallPart {
  const { [GIVEN]: _ours, ...rest } = data
  return {
    ...{ ...call, id: wire, name: plainName(call.name), input: plainInput(call.input) },
    ...(Object.keys(rest).length > 0 && { data: rest }),
  }
}

/** A model may call a tool that does not exist by a name that no tool could have. */
function plainName(name: string): string {
  if (PLAIN.test(name)) return name
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unknown"
}

/** Input that could not be read is not sent back: providers require objects, and the result says what was wrong. */
function plainInput(input: unknown): unknown {
  return isRecord(input) && !isDeeperThan(input, MAX_JSON_DEPTH) ? input : {}
}

/** Puts results first, in the order of their calls, each once. */
function withResults(message: Message, open: readonly OpenCall[], cache: WireCache): Message {
  const given = message.parts.filter((part) => part.kind === "tool-result")
  if (open.length === 0 && given.length === 0) return message
  return remembered({ message, key: keyOf(open), cache }, () => {
    const left = [...given]
    const results = open.map((one) => {
      const at = left.findIndex(({ id }) => id === one.call.id)
      const [found] = at === -1 ? [] : left.splice(at, 1)
      return found === undefined ? lostResult(one) : sentResult(found, one)
    })
    return { ...message, parts: [...results, ...message.parts.filter(({ kind }) => kind !== "tool-result")] }
  })
}

/** Some providers refuse a result without a visible character. */
function sentResult(part: ResultPart, { wire }: OpenCall): ResultPart {
  return { ...part, id: wire, text: part.text.trim() === "" ? "(empty)" : part.text }
}

function lostResult({ wire }: OpenCall): ResultPart {
  const text = "No result: the turn was given up. The call may have taken effect; check before you repeat it."
  return { kind: "tool-result", id: wire, text, isError: true }
}
