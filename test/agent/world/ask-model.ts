// Asks a model one step with the real SDK and collects what the stream says, errors and all. For tests of models and
// servers; it is not the agent's loop.

import { jsonSchema, type ModelMessage, streamText, type TextStreamPart, type ToolSet, tool } from "ai"
import type { Model } from "../../../src/agent/models/model.ts"
import { openModel } from "../../../src/agent/models/models.ts"
import { sdkModel } from "../../../src/agent/models/sdk-model.ts"
import type { Message, MessagePart, ProviderData } from "../../../src/core/model/message.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { usageOf } from "../../../src/render/cache/sdk-usage.ts"
import { type AiSdkRequest, renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import type { Config } from "../../../src/sources/config/config-schema.ts"
import { samplePrompt, TOOLS } from "../../render/sample.ts"
import type { ProtocolName, ProviderServer } from "./servers/server.ts"

/** A model that each protocol serves. */
export const MODELS: Readonly<Record<ProtocolName, string>> = {
  anthropic: "anthropic/claude-sonnet-5-5",
  "openai-responses": "openai/gpt-5.6-sol",
  "openai-chat": "ollama/qwen3",
  google: "google/gemini-3.5-flash",
  bedrock: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
}

export const PROTOCOL_NAMES = Object.keys(MODELS) as ProtocolName[]

export function modelAt(server: ProviderServer, protocol: ProtocolName, config: Config = {}): Promise<Model> {
  return openModel(MODELS[protocol], { env: server.env, config })
}

export interface Asked {
  /** The kinds of the stream's parts, runs of one kind as one. */
  readonly kinds: readonly string[]
  readonly text: string
  /** What the model said, to be sent with the next step. */
  readonly message: Message
  readonly usage: Usage | undefined
  readonly finishReason: string | undefined
  readonly warnings: readonly unknown[]
  /** From a part of the stream, or thrown by it. */
  readonly error: { readonly by: "part" | "throw"; readonly error: unknown } | undefined
}

export interface AskOptions {
  readonly prompt?: Prompt
  readonly signal?: AbortSignal
  readonly fetch?: typeof globalThis.fetch
  /** Changes what is sent. */
  readonly change?: (request: AiSdkRequest) => object
  readonly onPart?: (part: TextStreamPart<ToolSet>) => void
}

/** In another order than the plan's. */
const tools: ToolSet = Object.fromEntries(
  TOOLS.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }),
  ]),
)

export async function ask(
  model: Model,
  messages: readonly Message[],
  { prompt = samplePrompt(), signal, fetch, change = (request) => request, onPart }: AskOptions = {},
): Promise<Asked> {
  const { request } = renderAiSdk(prompt, messages, {
    ...{ model: model.id, rule: model.rule },
    withoutTail: true,
  })
  const result = streamText({
    ...request,
    ...change(request),
    model: sdkModel(model, fetch),
    tools,
    maxRetries: 0,
    onError: () => {},
    ...(signal && { abortSignal: signal }),
  })
  const parts: TextStreamPart<ToolSet>[] = []
  let thrown: Asked["error"]
  try {
    for await (const part of result.stream) {
      parts.push(part)
      onPart?.(part)
    }
  } catch (error) {
    thrown = { by: "throw", error }
  }
  return {
    ...summary(parts, model),
    message: await messageOf(result.responseMessages),
    error: thrown ?? errorIn(parts),
  }
}

function errorIn(parts: readonly TextStreamPart<ToolSet>[]): Asked["error"] {
  const found = parts.find((part) => part.type === "error")
  return found && { by: "part", error: found.error }
}

function summary(
  parts: readonly TextStreamPart<ToolSet>[],
  { rule }: Model,
): Omit<Asked, "message" | "error"> {
  const kinds = parts.map(({ type }) => type)
  const finished = parts.find((part) => part.type === "finish-step")
  return {
    kinds: kinds.filter((kind, at) => kind !== kinds[at - 1]),
    text: parts.map((part) => (part.type === "text-delta" ? part.text : "")).join(""),
    usage: usageOf(finished?.usage, rule),
    finishReason: finished?.finishReason,
    warnings: parts.find((part) => part.type === "start-step")?.warnings ?? [],
  }
}

async function messageOf(answer: PromiseLike<readonly ModelMessage[]>): Promise<Message> {
  // What failed has no messages.
  const [message] = await Promise.resolve(answer).catch(() => [])
  const content = message?.role === "assistant" && typeof message.content !== "string" ? message.content : []
  return {
    role: "assistant",
    parts: content.flatMap((part): MessagePart[] => {
      if (part.type !== "text" && part.type !== "reasoning" && part.type !== "tool-call") return []
      // JSON by provider, as the SDK gives it.
      const given = part.providerOptions as ProviderData | undefined
      const data = given && { data: given }
      if (part.type === "text") return [{ kind: "text", text: part.text, ...data }]
      if (part.type === "reasoning") return [{ kind: "reasoning", text: part.text, ...data }]
      return [{ kind: "tool-call", id: part.toolCallId, name: part.toolName, input: part.input, ...data }]
    }),
  }
}
