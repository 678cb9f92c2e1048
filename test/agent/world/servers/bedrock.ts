// Bedrock's Converse protocol: events in Amazon's binary frames.
import { crc32 } from "node:zlib"
import { digest } from "../../../../src/base/digest.ts"
import {
  type Answer,
  type AnswerPart,
  endOf,
  hasCall,
  type Protocol,
  pieces,
  type Written,
  writtenInput,
} from "./protocol.ts"
import { type Json, refuseBedrock } from "./refusals.ts"

export const bedrock: Protocol = {
  path: /^\/model\/[^/]+\/converse-stream$/,
  keyHeader: "authorization",
  contentType: "application/vnd.amazon.eventstream",
  refuse: (body) => refuseBedrock(body) ?? refuseThoughts(body),
  write,
  problem: (_status, message) => ({ message }),
  env: (url) => ({
    AWS_REGION: "eu-north-1",
    AWS_BEARER_TOKEN_BEDROCK: "test-key",
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  }),
}

function refuseThoughts({ messages }: Json): string | undefined {
  const blocks: Json[] = messages.flatMap(({ content }: Json) => content)
  const thoughts = blocks.flatMap(({ reasoningContent }) => reasoningContent?.reasoningText ?? [])
  return thoughts.some(({ text, signature }) => signature !== digest(text))
    ? "The signature of a reasoning block is not valid."
    : undefined
}

function write(answer: Answer): Written {
  const { usage, isCut } = answer
  const { "5m": short = 0, "1h": long = 0 } = usage?.write ?? {}
  const counted = usage && {
    inputTokens: usage.uncached,
    outputTokens: usage.output,
    totalTokens: usage.uncached + usage.read + short + long + usage.output,
    cacheReadInputTokens: usage.read,
    cacheWriteInputTokens: short + long,
    cacheDetails: [
      { inputTokens: long, ttl: "1h" },
      { inputTokens: short, ttl: "5m" },
    ],
  }
  const stopReason = isCut ? "max_tokens" : hasCall(answer) ? "tool_use" : "end_turn"
  return {
    start: [frame("messageStart", { role: "assistant" })],
    parts: answer.parts.map((part, index) => blockOf(part, index)),
    end: endOf(answer, [
      frame("messageStop", { stopReason }),
      frame("metadata", { ...(counted && { usage: counted }), metrics: { latencyMs: 1 } }),
    ]),
  }
}

/** What Anthropic calls it, as Amazon does. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  overloaded_error: "serviceUnavailableException",
  rate_limit_error: "throttlingException",
}

function blockOf(part: AnswerPart, contentBlockIndex: number): readonly Uint8Array[] {
  if ("error" in part) {
    const { type, message } = part.error
    return [frame(EXCEPTIONS[type] ?? type, { message }, "exception")]
  }
  const delta = (value: object) => frame("contentBlockDelta", { contentBlockIndex, delta: value })
  const stop = frame("contentBlockStop", { contentBlockIndex })
  if ("text" in part) return [...pieces(part.text).map((text) => delta({ text })), stop]
  if ("reasoning" in part)
    return [
      ...pieces(part.reasoning).map((text) => delta({ reasoningContent: { text } })),
      delta({ reasoningContent: { signature: digest(part.reasoning) } }),
      stop,
    ]
  const { id: toolUseId, name } = part.call
  return [
    frame("contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId, name } } }),
    ...pieces(writtenInput(part.call)).map((text) => delta({ toolUse: { input: text } })),
    stop,
  ]
}

/** Lengths, headers and payload, each part with its checksum. */
function frame(type: string, payload: object, kind: "event" | "exception" = "event"): Uint8Array {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.concat([number(16 + headers.length + body.length), number(headers.length)])
  const unsigned = Buffer.concat([prelude, number(crc32(prelude)), headers, body])
  return Buffer.concat([unsigned, number(crc32(unsigned))])
}

const STRING = 7

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING]),
    length,
    Buffer.from(value),
  ])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
