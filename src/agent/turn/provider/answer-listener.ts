// Assembles an answer from the parts of its stream: text and thoughts piece by piece, calls whole. A call that cannot
// be read is kept but never run, with the start of what the model wrote as its input.
import { AISDKError } from "ai"
import { isRecord } from "../../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import { firstCharacters } from "../../../base/text/characters.ts"
import type { MessagePart, ProviderData } from "../../../core/model/message.ts"

/** A part of the AI SDK's stream. */
export type StreamPart = { readonly type: string } & Readonly<Record<string, unknown>>

export type TellPiece = (piece: { readonly kind: "text" | "reasoning"; readonly text: string }) => void

export interface Listener {
  hear(part: StreamPart): void
  /** `isCut`: the answer ended at the output limit, perhaps in the middle of its last call. */
  parts(end?: { readonly isCut: boolean }): readonly MessagePart[]
}

export function createListener(tell: TellPiece): Listener {
  const order: Heard[] = []
  const hear = (part: StreamPart) => {
    const [, kind, event] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === "text" || kind === "reasoning") {
      const { isOpen } = hearWords(order, kind, part)
      if (event === "delta" && typeof part.text === "string") tell({ kind, text: part.text })
      if (!isOpen) throw notBegun(kind, part)
    }
    if (part.type === "tool-input-start") callIn(order, part.id, part.toolName)
    if (part.type === "tool-input-delta") callIn(order, part.id).written += String(part.delta)
    if (part.type === "tool-call") callIn(order, part.toolCallId, part.toolName).whole = part
  }
  return {
    hear,
    parts: ({ isCut } = { isCut: false }) => {
      const last = order.findLast((heard) => heard.kind === "call")
      return order.flatMap((heard) =>
        heard.kind === "call" ? callPart(heard, isCut && heard === last) : wordsPart(heard),
      )
    },
  }
}

interface HeardWords {
  readonly kind: "text" | "reasoning"
  readonly id: string
  text: string
  /** Until its end has arrived. */
  isOpen: boolean
  data?: ProviderData
}

interface HeardCall {
  readonly kind: "call"
  readonly id: string
  name: string
  /** The input so far, if it is streamed in pieces. */
  written: string
  whole?: StreamPart
}

type Heard = HeardWords | HeardCall

/** Once a text or a thought has ended, its entry is closed: a model may reuse its id. */
function hearWords(order: Heard[], kind: HeardWords["kind"], part: StreamPart): { readonly isOpen: boolean } {
  const id = String(part.id)
  const isStart = part.type.endsWith("-start")
  const known = isStart
    ? undefined
    : order.findLast((heard): heard is HeardWords => heard.kind === kind && heard.id === id)
  const words = known ?? { kind, id, text: "", isOpen: isStart }
  if (known === undefined) order.push(words)
  const data = dataOf(part.providerMetadata)
  if (data !== undefined) words.data = { ...words.data, ...data }
  if (part.type.endsWith("-delta") && typeof part.text === "string") words.text += part.text
  const { isOpen } = words
  if (part.type.endsWith("-end")) words.isOpen = false
  return { isOpen }
}

/** Named like the SDK's own: callers show its message alone. */
function notBegun(kind: HeardWords["kind"], part: StreamPart): Error {
  return new AISDKError({ name: "AI_InvalidStreamPartError", message: `${kind} part ${part.id} not found` })
}

function wordsPart({ kind, text, data }: HeardWords): readonly MessagePart[] {
  return kind === "text" && text === "" ? [] : [{ kind, text, ...(data && { data }) }]
}

/** Once a call has arrived whole, its entry is closed: a model may reuse its id. */
function callIn(order: Heard[], id: unknown, name?: unknown): HeardCall {
  const known = order.findLast(
    (heard): heard is HeardCall => heard.kind === "call" && heard.id === String(id),
  )
  if (known !== undefined && known.whole === undefined) return known
  const made: HeardCall = { kind: "call", id: String(id), name: String(name), written: "" }
  order.push(made)
  return made
}

const SHOWN_CHARACTERS = 400

/** Returns no part if the whole call never arrived and the answer was not cut. */
function callPart({ id, name, written, whole }: HeardCall, isCut: boolean): readonly MessagePart[] {
  if (whole === undefined && !isCut) return []
  const data = dataOf(whole?.providerMetadata)
  const part = { kind: "tool-call", id, name, ...(data && { data }) } as const
  const input = whole?.input ?? {}
  // The SDK treats an input of which nothing arrived as an empty object.
  const isReadable = isRecord(input) && !isDeeperThan(input, MAX_JSON_DEPTH)
  if (isReadable && !(isCut && written.trim() === "")) return [{ ...part, input }]
  const text = written !== "" || typeof input !== "string" ? written : input
  const unread = firstCharacters(text, SHOWN_CHARACTERS)
  return [{ ...part, input: { unread }, unread: isCut ? "cut" : "malformed" }]
}

function dataOf(metadata: unknown): ProviderData | undefined {
  const isData = typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 0
  // JSON objects by provider, as the SDK's own type declares.
  return isData ? (metadata as ProviderData) : undefined
}
