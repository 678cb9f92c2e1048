// The formats of a chat, one for each method that makes a request, and how the model's output in each is read.
import { IncipitError } from "../base/error.ts"
import type { Message } from "../core/model/message.ts"
import { type AiSdkHistoryMessage, fromAiSdk } from "../render/from/from-ai-sdk.ts"
import { type AnthropicBlock, fromAnthropic } from "../render/from/from-anthropic.ts"
import { type BedrockHistoryMessage, fromBedrock } from "../render/from/from-bedrock.ts"
import { type ChatHistoryMessage, fromChat } from "../render/from/from-chat.ts"
import { fromGoogle, type GoogleHistoryContent } from "../render/from/from-google.ts"
import { fromResponses, type ResponsesHistoryItem } from "../render/from/from-responses.ts"

/** The name of the method that makes the request. */
export type Format =
  | "openai"
  | "openaiChat"
  | "openaiCompatible"
  | "anthropic"
  | "google"
  | "aiSdk"
  | "bedrock"

/** Whom a request is for. */
export interface Target {
  readonly format: Format
  readonly model: string
}

/** What an SDK returned for the newest request, or messages of our own. */
export type ModelOutput =
  | readonly ResponsesHistoryItem[]
  | ChatHistoryMessage
  | readonly AnthropicBlock[]
  | GoogleHistoryContent
  | readonly AiSdkHistoryMessage[]
  | BedrockHistoryMessage
  | readonly Message[]

interface Reader {
  /** Where the SDK has the output. */
  readonly output: string
  /** A field of the whole response, which people pass by mistake. */
  readonly whole?: string
  readonly read: (output: never, before: readonly Message[]) => readonly Message[]
}

const READERS: Readonly<Record<Format, Reader>> = {
  openai: { output: "response.output", whole: "output", read: fromResponses },
  openaiChat: { output: "completion.choices[0].message", whole: "choices", read: fromChat },
  openaiCompatible: { output: "completion.choices[0].message", whole: "choices", read: fromChat },
  // A whole message of Anthropic's can be read as well as its content.
  anthropic: { output: "message.content", read: fromAnthropic },
  google: { output: "response.candidates[0].content", whole: "candidates", read: fromGoogle },
  aiSdk: { output: "result.response.messages", whole: "response", read: fromAiSdk },
  bedrock: { output: "response.output.message", whole: "output", read: fromBedrock },
}

export function isFormat(name: unknown): name is Format {
  return typeof name === "string" && Object.hasOwn(READERS, name)
}

/** Throws if it isn't an output of this format: the model would read garbage, or calls would be lost. */
export function readOutput(
  format: Format,
  output: ModelOutput,
  before: readonly Message[],
): readonly Message[] {
  const { output: expected, whole, read } = READERS[format]
  const wrong = (problem: string, cause?: unknown) =>
    new IncipitError("bad-sdk-messages", `after ${format}(…), add takes ${expected}: ${problem}`, { cause })
  const problem = notAnOutput(output, whole)
  if (problem !== undefined) throw wrong(problem)
  try {
    // The reader checks what it gets.
    return read(output as never, before)
  } catch (error) {
    if (error instanceof IncipitError && error.code === "bad-sdk-messages") throw wrong(error.message, error)
    throw error
  }
}

/** What people pass instead, in words. */
function notAnOutput(value: unknown, whole: string | undefined): string | undefined {
  if (value === undefined || value === null) return `this is ${value}`
  // Some converters take a string as the words of a person.
  if (typeof value === "string") return "this is a string, without the calls that the model may have made"
  if (typeof value !== "object") return undefined
  if (value instanceof Promise) return "this is a promise; wait for it first"
  if (Symbol.asyncIterator in value) return "this is a stream; wait for its end, and pass what it collected"
  return whole !== undefined && whole in value ? "this is the whole response" : undefined
}

export function isOwnMessages(output: ModelOutput): output is readonly Message[] {
  return Array.isArray(output) && output.length > 0 && output.every(isOwnMessage)
}

function isOwnMessage(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "parts" in value &&
    Array.isArray(value.parts) &&
    value.parts.every((part) => typeof part === "object" && part !== null && "kind" in part)
  )
}
