// Renders a prompt for Gemini, as the parameters of `models.generateContent` in `@google/genai`. Gemini finds prefixes
// itself, so there are no breakpoints. Messages don't contain thought signatures. If the API requires one, it gets the
// text that Google documents for calls with a lost signature.
import { wellFormed } from "../../base/text/well-formed.ts"
import type { Message, SentPart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { conversationWriter, type WrittenMessage } from "./conversation.ts"
import { placesOf, type Rendered } from "./place.ts"
import {
  bareModel,
  callInput,
  isTail,
  NO_MARKS,
  type RenderOptions,
  sentParts,
  type ToolSchema,
  toolNameOf,
  toolsWriter,
} from "./renderer.ts"

/** A text part for Gemini. */
export interface GoogleText {
  readonly text: string
}

/** A part of a message for Gemini. */
export type GooglePart =
  | GoogleText
  | {
      readonly functionCall: {
        readonly id: string
        readonly name: string
        readonly args: Record<string, unknown>
      }
      readonly thoughtSignature?: string
    }
  | {
      readonly functionResponse: {
        readonly id: string
        readonly name: string
        readonly response: Record<string, unknown>
      }
    }

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
  { model, maxTokens }: RenderOptions,
): Rendered<GoogleRequest> {
  const functionDeclarations = writeTools(prompt)
  const parts = prompt.head.map(({ text }) => ({ text }))
  const write = SIGNED.test(model) ? writeSigned : writePlain
  const { items, tail } = write({ prompt, messages, marks: NO_MARKS })
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
  }
}

const writeTools = toolsWriter(
  ({ name, description }, parametersJsonSchema): GoogleTool => ({ name, description, parametersJsonSchema }),
)

const writePlain = conversationWriter<GoogleContent, never>("/contents", (message, _marks, calls) =>
  writeMessage(message, calls),
)

const writeSigned = conversationWriter<GoogleContent, never>("/contents", (message, _marks, calls) =>
  writeMessage(message, calls, { thoughtSignature: NO_SIGNATURE }),
)

function writeMessage(
  message: Message,
  calls: Message | undefined,
  signature: { readonly thoughtSignature?: string } = {},
): WrittenMessage<GoogleContent> {
  const parts: GooglePart[] = []
  const tails = new Map<number, { item: number; pointer: string; offset: number }>()
  for (const [at, part] of sentParts(message)) {
    if (isTail(part)) tails.set(at, { item: 0, pointer: `/parts/${parts.length}/text`, offset: 0 })
    const made = renderPart(part, calls)
    parts.push("functionCall" in made ? { ...made, ...signature } : made)
  }
  const role = message.role === "assistant" ? "model" : "user"
  return { items: parts.length > 0 ? [{ role, parts }] : [], tails }
}

function renderPart(part: SentPart, calls: Message | undefined): GooglePart {
  if (part.kind === "text") return { text: part.text }
  if (part.kind === "tool-call") {
    // The arguments of a call are always an object, though the message type doesn't express that.
    const args = callInput(part) as Record<string, unknown>
    return { functionCall: { id: part.id, name: part.name, args } }
  }
  const response = part.isError ? { error: part.text } : { output: part.text }
  return { functionResponse: { id: part.id, name: toolNameOf(part.id, calls), response } }
}
