// Messages of the AI SDK, as far as an adapter has to know them: what an application passes and what a model gets have
// the same form. Everything else in them is passed on as it is.
import { isRecord } from "../../base/is-record.ts"
import type { Tool } from "../../core/model/inputs.ts"
import type { Message, MessagePart, ProviderData } from "../../core/model/message.ts"
import { type AiSdkProviderOptions, type AiSdkTarget, joinedOptions } from "../../render/formats/ai-sdk.ts"
import { outputText } from "../../render/from/from-ai-sdk.ts"
import type { SentItem, SentPiece, SentRequest, SentText } from "../host/sent-items.ts"

type Fields = Readonly<Record<string, unknown>>

/** A message of the SDK. */
export interface SdkMessage {
  readonly role: string
  readonly content: unknown
}

/** The system text that the host has before its conversation, and the conversation. */
export function parted<M extends SdkMessage>(
  prompt: readonly M[],
): {
  readonly lead: readonly M[]
  readonly rest: readonly M[]
} {
  const first = prompt.findIndex(({ role }) => role !== "system")
  const end = first === -1 ? prompt.length : first
  return { lead: prompt.slice(0, end), rest: prompt.slice(end) }
}

export function readMessage({ role, content }: SdkMessage): Message {
  if (role === "system") return { role: "user", parts: [native({ role, text: content })] }
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content)
  return { role: role === "assistant" ? "assistant" : "user", parts: blocks.map(readBlock) }
}

function listOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : []
}

function readBlock(block: unknown): MessagePart {
  if (!isRecord(block)) return native({ type: typeof block })
  const { type, text, toolCallId: id, toolName: name } = block
  if (type === "text" && typeof text === "string") return { kind: "text", text }
  if (type === "reasoning" && typeof text === "string")
    return {
      kind: "reasoning",
      text,
      ...(isRecord(block.providerOptions) && { data: dataOf(block.providerOptions) }),
    }
  if (type === "tool-call" && typeof id === "string" && block.providerExecuted !== true)
    return { kind: "tool-call", id, name: String(name), input: block.input }
  if (type === "tool-result" && typeof id === "string" && isRecord(block.output))
    return { kind: "tool-result", id, text: outputText(block.output) ?? "" }
  return native({ type, name: block.filename ?? block.mediaType ?? name })
}

/** The SDK passes options by provider, each a record. */
function dataOf(options: Fields): ProviderData {
  return options as ProviderData
}

function native(value: Fields): MessagePart {
  return { kind: "native", format: "ai-sdk", value }
}

export function readTool({ name, description, inputSchema, type }: Fields): Tool {
  return {
    name: String(name),
    description: typeof description === "string" ? description : "",
    parameters: isRecord(inputSchema) ? inputSchema : { type: String(type) },
  }
}

/** Marks of the host's own, by any provider's name for them. They count towards what the provider takes. */
export function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + marksIn(item), 0)
  if (!isRecord(value)) return 0
  const own = Object.values(isRecord(value.providerOptions) ? value.providerOptions : {}).filter(
    (options) => isRecord(options) && MARKS.some((name) => isRecord(options[name])),
  ).length
  return own + marksIn(value.content)
}

const MARKS = ["cacheControl", "cache_control", "cachePoint", "promptCacheBreakpoint"]

/** The system messages of the head. */
export function writeHead({ head, headText }: SentRequest, target: AiSdkTarget): readonly SdkMessage[] {
  if (target.blocks) return head.map((block) => systemMessage(block, target))
  return headText === "" ? [] : [{ role: "system", content: headText }]
}

function systemMessage({ text: content, mark }: SentText, target: AiSdkTarget): SdkMessage {
  return { role: "system", content, ...markOptions(mark, target) }
}

/** The SDK's own messages with turn context and marks. One without either is the same object. */
export function writeItem(
  item: SentItem,
  own: readonly SdkMessage[],
  target: AiSdkTarget,
): readonly SdkMessage[] {
  if (item.kind === "system") return [systemMessage(item, target)]
  const message = item.at === undefined ? undefined : own[item.at]
  if (message !== undefined && item.pieces.every(isUntouched) && isWhole(item.pieces, message))
    return [message]
  // All of it was reasoning that cannot be sent any more.
  if (item.pieces.length === 0) return []
  if (message === undefined || message.role === "user")
    return [withContent(message ?? { role: "user", content: [] }, blocksOf(item.pieces, message, target))]
  // Turn context is a user's message of its own beside results of tools.
  return runsOf(item.pieces).map((run) =>
    run[0]?.kind === "tail"
      ? { role: "user", content: blocksOf(run, message, target) }
      : withContent(message, blocksOf(run, message, target)),
  )
}

function isUntouched(piece: SentPiece, at: number): boolean {
  return piece.kind === "part" && piece.part === at && piece.guarded === undefined && piece.mark === undefined
}

function isWhole(pieces: readonly SentPiece[], { content }: SdkMessage): boolean {
  return typeof content === "string" || !Array.isArray(content) || pieces.length === content.length
}

function withContent(message: SdkMessage, content: readonly unknown[]): SdkMessage {
  return { ...message, content }
}

function runsOf(pieces: readonly SentPiece[]): readonly (readonly SentPiece[])[] {
  const runs: SentPiece[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === piece.kind) last.push(piece)
    else runs.push([piece])
  }
  return runs
}

function blocksOf(
  pieces: readonly SentPiece[],
  message: SdkMessage | undefined,
  target: AiSdkTarget,
): readonly unknown[] {
  const content = message?.content
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content)
  return pieces.map((piece) => {
    if (piece.kind === "tail") return { type: "text", text: piece.text, ...markOptions(piece.mark, target) }
    const block = blocks[piece.part]
    if (!isRecord(block)) return block
    const said = piece.guarded === undefined ? block : withText(block, piece.guarded)
    return piece.mark === undefined ? said : { ...said, ...markOptions(piece.mark, target, said) }
  })
}

function withText(block: Fields, text: string): Fields {
  return block.type === "tool-result"
    ? { ...block, output: { type: "text", value: text } }
    : { ...block, text }
}

function markOptions(
  mark: string | undefined,
  { mark: write }: AiSdkTarget,
  block: Fields = {},
): { readonly providerOptions?: AiSdkProviderOptions } {
  if (mark === undefined || write === undefined) return {}
  const given = isRecord(block.providerOptions) ? dataOf(block.providerOptions) : undefined
  const providerOptions = joinedOptions(given, write(mark))
  return providerOptions === undefined ? {} : { providerOptions }
}
