// Renders a prompt for Gemini, as the parameters of `models.generateContent` in `@google/genai`. Gemini finds prefixes
// itself, so there are no breakpoints. Thought signatures go back with the parts that they came with. If the API requires
// one that the messages don't have, it gets the text that Google documents for calls with a lost signature.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { checkGiven } from "./check.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { asItCame, nativeOf, ownParts } from "./native.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  callInput,
  isTail,
  NO_MARKS,
  type RenderOptions,
  resultValue,
  type ToolSchema,
  toolNameOf,
  toolsWriter,
  writtenParts,
} from "./renderer.ts"

/** A text part for Gemini. */
export interface GoogleText {
  readonly text: string
}

/** A part of a message for Gemini. */
export type GooglePart = { readonly thoughtSignature?: string } & (
  | GoogleText
  | { readonly text: string; readonly thought: true }
  | {
      readonly functionCall: {
        readonly id?: string
        readonly name: string
        readonly args: Record<string, unknown>
      }
    }
  | {
      readonly functionResponse: {
        readonly id?: string
        readonly name: string
        readonly response: Record<string, unknown>
      }
    }
)

/** A message for Gemini. */
export interface GoogleContent {
  readonly role: "user" | "model"
  readonly parts: GooglePart[]
}

/** A tool definition for Gemini. */
export interface GoogleTool {
  readonly name: string
  readonly description: string
  readonly parametersJsonSchema: ToolSchema
}

/** What `models.generateContent` of Google's SDK takes. */
export interface GoogleRequest {
  readonly model: string
  readonly contents: GoogleContent[]
  readonly config: {
    readonly systemInstruction?: { readonly parts: GoogleText[] }
    readonly tools?: { readonly functionDeclarations: GoogleTool[] }[]
    readonly maxOutputTokens?: number
  }
}

/** From Gemini 3 on, the API refuses a call without a signature. */
const SIGNED = /^(?:google\/)?gemini-(?:[3-9]|\d\d)/
const NO_SIGNATURE = "skip_thought_signature_validator"

/** Writes the request for Google's Gemini API. */
export function renderGoogle(
  prompt: Prompt,
  messages: readonly Message[],
  options: RenderOptions,
): Rendered<GoogleRequest> {
  checkGiven(prompt, messages, options)
  const { model, maxTokens } = options
  const functionDeclarations = writeTools(prompt)
  const parts = prompt.head.map(({ text }) => ({ text }))
  const write = SIGNED.test(model) ? writeSigned : writePlain
  const { messages: own, diagnostics } = ownMessages(messages)
  const { items, tail } = write({ prompt, messages: own, marks: NO_MARKS })
  return {
    request: wellFormed({
      model: bareModel(model, "google"),
      contents: items,
      config: {
        ...(parts.length > 0 && { systemInstruction: { parts } }),
        ...(functionDeclarations.length > 0 && { tools: [{ functionDeclarations }] }),
        ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      },
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/config/systemInstruction/parts/${block}/text`, offset: 0 }),
      tail,
      tool: (index) => `/config/tools/0/functionDeclarations/${index}/name`,
    }),
    diagnostics,
  }
}

const ownMessages = ownParts("google")

const writeTools = toolsWriter(
  ({ name, description }, parametersJsonSchema): GoogleTool => ({ name, description, parametersJsonSchema }),
)

const writePlain = conversationWriter<GoogleContent, never>("/contents", (message, _marks, calls) =>
  writeMessage(message, calls),
)

const writeSigned = conversationWriter<GoogleContent, never>("/contents", (message, _marks, calls) =>
  // Of parallel calls only the first has a signature, so one is enough.
  writeMessage(message, calls, message.parts.some(isSignedCall) ? {} : { thoughtSignature: NO_SIGNATURE }),
)

function isSignedCall(part: MessagePart): boolean {
  return part.kind === "tool-call" && signature(part).thoughtSignature !== undefined
}

/** `otherwise`: for calls that have no signature. */
function writeMessage(
  message: Message,
  calls: Message | undefined,
  otherwise: { readonly thoughtSignature?: string } = {},
): WrittenMessage<GoogleContent> {
  const parts: GooglePart[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  for (const [at, part] of writtenParts(message)) {
    if (part.kind === "reasoning" && !isOwnThought(part)) continue
    if (isTail(part)) tails.set(at, { item: 0, pointer: `/parts/${parts.length}/text`, offset: 0 })
    const made = renderPart(part, calls)
    parts.push(part.kind === "tool-call" ? { ...made, ...otherwise, ...signature(part) } : made)
  }
  const role = message.role === "assistant" ? "model" : "user"
  return { items: parts.length > 0 ? [{ role, parts }] : [], tails }
}

function signature({ data }: Exclude<MessagePart, { kind: "native" }>): {
  readonly thoughtSignature?: string
} {
  const found = data?.google?.thoughtSignature
  return typeof found === "string" ? { thoughtSignature: found } : {}
}

function isOwnThought(part: Extract<MessagePart, { kind: "reasoning" }>): boolean {
  return part.native?.format === "google" || signature(part).thoughtSignature !== undefined
}

function renderPart(part: MessagePart, calls: Message | undefined): GooglePart {
  if (part.kind === "native") return asItCame<GooglePart>(part)
  const { part: fields, ...native } = nativeOf(part, "google")
  const rest = { ...(fields as object | undefined), ...signature(part) }
  if (part.kind === "text") return { text: part.text, ...native, ...rest }
  if (part.kind === "reasoning") return { text: part.text, thought: true, ...native, ...rest }
  const { id: given } = part
  const id = native.withoutId ? {} : { id: given }
  if (part.kind === "tool-call") {
    // The arguments of a call are always an object, though the message type doesn't express that.
    const args = callInput(part) as Record<string, unknown>
    return { functionCall: { ...id, name: part.name, args, ...(native.call as object | undefined) }, ...rest }
  }
  return { functionResponse: functionResponse(part, calls), ...rest }
}

type Result = Extract<MessagePart, { kind: "tool-result" }>
type GoogleResponse = Extract<GooglePart, { readonly functionResponse: unknown }>["functionResponse"]

function functionResponse(part: Result, calls: Message | undefined): GoogleResponse {
  const { withoutId, name, response: rest } = nativeOf(part, "google")
  const id = withoutId || isCallWithoutId(part, calls) ? {} : { id: part.id }
  return {
    ...id,
    name: typeof name === "string" ? name : toolNameOf(part.id, calls),
    response: responseOf(part),
    ...(rest as object | undefined),
  }
}

/** A result that the host wrote has the id that we made for the call. */
function isCallWithoutId({ id }: Result, calls: Message | undefined): boolean {
  const call = calls?.parts.find((part) => part.kind === "tool-call" && part.id === id)
  return call?.kind === "tool-call" && nativeOf(call, "google").withoutId === true
}

function responseOf(part: Result): Record<string, unknown> {
  const value = resultValue(part)
  const isWhole = nativeOf(part, "google").whole === true && typeof value === "object" && value !== null
  if (isWhole && !Array.isArray(value)) return { ...value }
  return part.isError ? { error: value } : { output: value }
}
