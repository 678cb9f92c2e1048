// A chat: one conversation with one audience. It holds what the compiler needs from call to call, so that a program only
// says, sends and adds. Mutable, but pure otherwise: no clock, no network, no random ids.
import type { Message } from "../core/model/message.ts"
import type { Plan } from "../core/model/plan.ts"
import type { Prompt } from "../core/model/prompt.ts"
import { type AiSdkRequest, renderAiSdk } from "../render/formats/ai-sdk.ts"
import { type AnthropicRequest, renderAnthropic } from "../render/formats/anthropic.ts"
import { type BedrockRequest, renderBedrock } from "../render/formats/bedrock.ts"
import { type GoogleRequest, renderGoogle } from "../render/formats/google.ts"
import { type ChatRequest, renderChat } from "../render/formats/openai-chat.ts"
import { type ResponsesRequest, renderResponses } from "../render/formats/openai-responses.ts"
import { outputLimit } from "../render/formats/output-limit.ts"
import type { KeyedOptions, RenderOptions } from "../render/formats/renderer.ts"
import { renderText, type TextRequest } from "../render/formats/text.ts"
import type { ToolCall, ToolResult } from "./calls.ts"
import { add, answer, say, update } from "./chat-moves.ts"
import { type SavedChat, saveState } from "./chat-state.ts"
import { type ChatWork, request, stateNow } from "./chat-work.ts"
import type { ModelOutput } from "./formats.ts"
import type { ChatAudience, InputArguments } from "./prompt-inputs.ts"
import { emptyReport, type TurnReport } from "./turn-report.ts"

/** Options of a request, such as `maxTokens`; everything has a default. */
export type RequestOptions = Omit<RenderOptions, "model">

/** For APIs that route requests with the same `cacheKey` to the server that has their prefix. */
export type KeyedRequestOptions = Omit<KeyedOptions, "model">

/**
 * What `generateText` and `streamText` take, apart from the model and its tools. The names in `toolOrder` fit any set of
 * tools: the SDK's type knows only those that it is given.
 */
export type AiSdkArguments = Omit<AiSdkRequest, "toolOrder"> & { readonly toolOrder: never[] }

/** A conversation. Say something, send the request that one of its methods makes, add the output, answer the calls. */
export interface Chat<Session extends object, Turn extends object> {
  readonly id: string
  /** The conversation as it was sent, with its turn context. */
  readonly messages: readonly Message[]
  /** The newest prompt, for `report`, `explain` and `diff`. */
  readonly prompt: Prompt | undefined
  /** The newest plan: an entry for everything that could be in the prompt, with its outcome. */
  readonly plan: Plan | undefined
  /**
   * Begins a turn with the person's words and the inputs of the turn sections. Words with an image or a file are a
   * message, which `fromAnthropic`, `fromResponses` and others make from the SDK's own form.
   */
  say(words: string | Message, ...inputs: InputArguments<Turn>): void
  /**
   * Adds the model's output and returns the calls that it asks for. Takes `response.output` (OpenAI),
   * `completion.choices[0].message` (Chat Completions), `message.content` (Anthropic), `response.candidates[0].content`
   * (Google), `result.response.messages` (AI SDK), `response.output.message` (Bedrock), or our own messages.
   */
  add(output: ModelOutput): readonly ToolCall[]
  /** Adds a result for each call. `inputs`: those of the turn, if the calls have changed them. */
  answer(results: readonly ToolResult[], inputs?: Turn): void
  /** Changes inputs of the session or its audience. A changed text is sent as the section's `onChange` says. */
  update(changes: Partial<Session> & ChatAudience): void
  /** A request for OpenAI's Responses API: `client.responses.create(…)`. */
  openai(model: string, options?: KeyedRequestOptions): ResponsesRequest
  /** A request for OpenAI's Chat Completions API: `client.chat.completions.create(…)`. */
  openaiChat(model: string, options?: KeyedRequestOptions): ChatRequest
  /** The same for servers with that protocol that take only strings, such as Ollama and vLLM. */
  openaiCompatible(model: string, options?: RequestOptions): TextRequest
  /** A request for Anthropic's Messages API: `client.messages.create(…)`. `maxTokens`: at most 16,000 by default. */
  anthropic(model: string, options?: RequestOptions): AnthropicRequest
  /** A request for Gemini: `client.models.generateContent(…)`. */
  google(model: string, options?: RequestOptions): GoogleRequest
  /** For the AI SDK: `generateText({ ...chat.aiSdk(…), model, tools })`. */
  aiSdk(model: string, options?: KeyedRequestOptions): AiSdkArguments
  /** A request for Amazon Bedrock's Converse API: `new ConverseCommand(…)`. */
  bedrock(model: string, options?: RequestOptions): BedrockRequest
  /** What the current turn has sent and left out so far. */
  report(): TurnReport
  /** The chat as plain JSON, for `resume`. */
  save(): SavedChat
}

/** Anthropic's SDK refuses a request for more than about 21,000 tokens unless it is streamed. */
const UNSTREAMED = 16_000

/** `request` refuses a model that isn't a name. */
function unstreamedLimit(model: unknown): number {
  const limit = typeof model === "string" ? outputLimit(model) : undefined
  return Math.min(limit ?? UNSTREAMED, UNSTREAMED)
}

export function chatOf<Session extends object, Turn extends object>(work: ChatWork): Chat<Session, Turn> {
  return {
    id: work.session.id,
    get messages() {
      return stateNow(work).messages
    },
    get prompt() {
      return work.made?.prompt
    },
    get plan() {
      return work.made?.prompt.plan
    },
    say: (words, ...[inputs]) => say(work, words, inputs ?? {}),
    add: (output) => add(work, output),
    answer: (results, inputs) => answer(work, results, inputs),
    update: (changes) => update(work, changes),
    openai: (model, options) => request(work, { format: "openai", model }, renderResponses, options),
    openaiChat: (model, options) => request(work, { format: "openaiChat", model }, renderChat, options),
    openaiCompatible: (model, options) =>
      request(work, { format: "openaiCompatible", model }, renderText, options),
    anthropic: (model, options) =>
      request(work, { format: "anthropic", model }, renderAnthropic, {
        maxTokens: unstreamedLimit(model),
        ...options,
      }),
    google: (model, options) => request(work, { format: "google", model }, renderGoogle, options),
    // The names are those of the plan; see `AiSdkArguments`.
    aiSdk: (model, options) =>
      request(work, { format: "aiSdk", model }, renderAiSdk, options) as AiSdkArguments,
    bedrock: (model, options) => request(work, { format: "bedrock", model }, renderBedrock, options),
    report: () => stateNow(work).report ?? emptyReport(work.state.turn, work.session.audience.trust),
    save: () => saveState({ id: work.session.id, state: work.state, asked: work.asked }),
  }
}
