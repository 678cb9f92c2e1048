// One call to a model through the AI SDK: sends the request exactly as rendered and returns the answer as message
// parts, while its text is passed on piece by piece. Does not retry.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  APICallError,
  type JSONSchema7,
  jsonSchema,
  type LanguageModelStreamPart,
  type LanguageModelUsage,
  NoOutputGeneratedError,
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type ToolSet,
} from "ai"
import { wellFormed } from "../../../base/text/well-formed.ts"
import type { Effort, Tool } from "../../../core/model/inputs.ts"
import type { MessagePart } from "../../../core/model/message.ts"
import type { Secrets } from "../../../record/redact/secrets.ts"
import type { SecretStream } from "../../../record/redact/stream.ts"
import type { AiSdkRequest } from "../../../render/formats/ai-sdk.ts"
import type { Model } from "../../models/model.ts"
import { sdkModel } from "../../models/sdk-model.ts"
import { createListener, type Listener, type TellPiece } from "./answer-listener.ts"
import type { Fault } from "./fault.ts"
import { readStream } from "./read-stream.ts"
import { retryAfter } from "./retry-after.ts"
import { whyUnreachable } from "./unreachable.ts"

export interface ModelCall {
  readonly model: Model
  readonly request: AiSdkRequest
  readonly tools: readonly Tool[]
  readonly effort?: Effort | undefined
  readonly signal: AbortSignal
  /** The longest silence allowed. */
  readonly idleMs: number
  /** Secrets by value: removed from the answer, its pieces and errors. */
  readonly secrets: Secrets
  /** Receives the bytes just before they are sent. */
  readonly sent: (body: string) => void
  readonly tell: TellPiece
}

export interface ModelAnswer {
  readonly parts: readonly MessagePart[]
  readonly usage: LanguageModelUsage
  /** Why it ended, in the SDK's words: `stop`, `tool-calls`, `length`, … */
  readonly finish: string
  /** The provider's names for its answer and model, if it gives them. */
  readonly response: { readonly id?: string; readonly model?: string }
  /** What the SDK says it left out or changed, which must not happen. */
  readonly warnings: readonly string[]
}

export const FAILURES = ["limited", "overloaded", "timeout", "cut", "too-long", "refused", "stopped"] as const
export type FailureKind = (typeof FAILURES)[number]

/** Why there is no answer. The first four kinds may be retried. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure"
  readonly kind: FailureKind
  readonly status: number | undefined
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined
  /** What had arrived before the failure. */
  readonly parts: readonly MessagePart[]
  /** The message of the conversation that the provider gives as the reason. */
  fault: Fault | undefined
  /** For `stopped`: a spending limit does not allow the call. */
  readonly isOverLimit: boolean

  constructor(kind: FailureKind, message: string, more: FailureDetails = {}) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
    this.parts = more.parts ?? []
    this.isOverLimit = more.isOverLimit ?? false
  }

  get isRetryable(): boolean {
    return ["limited", "overloaded", "timeout", "cut"].includes(this.kind)
  }
}

interface FailureDetails {
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly parts?: readonly MessagePart[]
  readonly isOverLimit?: boolean
  readonly cause?: unknown
}

const BROKEN_OFF = "the answer was cut off"

export async function callModel(call: ModelCall): Promise<ModelAnswer> {
  const idle = new AbortController()
  const watch = watchdog(call.idleMs, () => idle.abort())
  const { secrets } = call
  const guarded = withoutSecrets(call)
  const heard = createListener(guarded.tell)
  try {
    const answer = await listen(call, AbortSignal.any([call.signal, idle.signal]), heard, watch.touch)
    if (answer === undefined) throw new Error(BROKEN_OFF)
    guarded.end()
    return {
      ...answer,
      parts: cleanParts(answer.parts, (part) => wellFormed(secrets.within(part))),
      response: secrets.within(answer.response),
      warnings: secrets.within(answer.warnings),
    }
  } catch (error) {
    throw failureOf(error, {
      isStopped: call.signal.aborted,
      isIdle: idle.signal.aborted,
      parts: cleanParts(heard.parts(), (part) => wellFormed(cutShort(secrets.within(part), secrets))),
      ...{ redact: secrets.redact, model: call.model.id },
    })
  } finally {
    watch.stop()
  }
}

async function listen(call: ModelCall, signal: AbortSignal, heard: Listener, touch: () => void) {
  const model = sdkModel(call.model, sendingThrough(call.sent))
  const warnings: string[] = []
  let names: Names = { id: undefined, modelId: model.modelId }
  let end: Pick<ModelAnswer, "usage" | "finish"> | undefined
  let hasOutput = false
  await readStream(openAnswer(call, model, signal), signal, (part) => {
    if (part.type === "model-call-start")
      return void warnings.push(...part.warnings.map((warning) => JSON.stringify(warning)))
    if (part.type === "text-delta" && part.text === "" && part.providerMetadata === undefined) return
    touch()
    if (part.type === "error") throw part.error
    if (part.type === "model-call-response-metadata")
      names = { id: part.id ?? names.id, modelId: part.modelId ?? names.modelId }
    if (part.type === "model-call-end") end = { usage: part.usage, finish: part.finishReason }
    hasOutput ||= isOutput(part)
    heard.hear(part)
  })
  if (end === undefined && !hasOutput) throw new NoOutputGeneratedError({ message: NO_OUTPUT })
  if (end === undefined || isBrokenOff(end)) return undefined
  return {
    ...end,
    response: responseOf(names),
    parts: heard.parts({ isCut: end.finish === "length" }),
    warnings,
  }
}

const NO_OUTPUT = "No output generated. The model stream ended without a finish chunk."

/** The SDK's function for a single call: in `streamText`, each piece would pass through ten more streams. */
async function openAnswer(
  { request, tools, effort }: ModelCall,
  model: LanguageModelV4,
  abortSignal: AbortSignal,
): Promise<ReadableStream<LanguageModelStreamPart<ToolSet>>> {
  const { toolOrder, instructions, messages, allowSystemInMessages, maxOutputTokens, providerOptions } =
    request
  quietWarnings()
  const { stream } = await streamLanguageModelCall({
    ...{ model, instructions, messages, abortSignal },
    ...(allowSystemInMessages && { allowSystemInMessages }),
    ...(tools.length > 0 && { tools: toolSet(wellFormed(tools)), toolOrder }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(effort && { reasoning: effort }),
    ...(providerOptions && { providerOptions }),
  })
  return stream
}

function isOutput(part: LanguageModelStreamPart<ToolSet>): boolean {
  if (part.type === "text-delta" || part.type === "reasoning-delta") return part.text !== ""
  if (part.type === "tool-input-delta") return part.delta !== ""
  return part.type === "tool-call" || part.type === "file" || part.type === "reasoning-file"
}

interface Names {
  readonly id: string | undefined
  readonly modelId: string
}

function responseOf({ id, modelId }: Names): ModelAnswer["response"] {
  return { ...(id !== undefined && { id }), ...(modelId !== "" && { model: modelId }) }
}

/** A page instead of a stream, or a stream that ended early, comes without an error. */
function isBrokenOff({ finish, usage }: Pick<ModelAnswer, "usage" | "finish">): boolean {
  return (
    finish === "interrupted" || finish === "error" || (finish === "other" && usage.outputTokens === undefined)
  )
}

/** Warnings become diagnostics; the SDK would print them over the terminal's contents. */
function quietWarnings(): void {
  globalThis.AI_SDK_LOG_WARNINGS ??= false
}

function sendingThrough(sent: ModelCall["sent"]): typeof fetch {
  return (input, init) => {
    if (typeof init?.body === "string") sent(init.body)
    return fetch(input, init)
  }
}

/** Redacts pieces of an answer for display. No secret spans words and thoughts. */
function withoutSecrets({ secrets, tell }: ModelCall): {
  readonly tell: ModelCall["tell"]
  readonly end: () => void
} {
  let open: { readonly kind: "text" | "reasoning"; readonly stream: SecretStream } | undefined
  const show = (kind: "text" | "reasoning", text: string) => text !== "" && tell({ kind, text })
  const end = () => {
    if (open !== undefined) show(open.kind, open.stream.end())
    open = undefined
  }
  return {
    tell({ kind, text }) {
      if (open?.kind !== kind) end()
      open ??= { kind, stream: secrets.stream() }
      show(kind, open.stream.push(text))
    },
    end,
  }
}

/** Thoughts are signed, and providers refuse changed ones, so those with secrets are left out. */
function cleanParts(
  parts: readonly MessagePart[],
  clean: (part: MessagePart) => MessagePart,
): readonly MessagePart[] {
  return parts.flatMap((part) => {
    const shown = clean(part)
    return part.kind === "reasoning" && shown !== part ? [] : [shown]
  })
}

/** The answer may have broken off in the middle of a secret. */
function cutShort(part: MessagePart, secrets: Secrets): MessagePart {
  if (part.kind !== "text" && part.kind !== "reasoning") return part
  const text = secrets.redactCut(part.text)
  return text === part.text ? part : { ...part, text }
}

/** Definitions only: the agent runs its tools itself. */
function toolSet(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      // Registered schemas are JSON Schema, which is the SDK's type.
      { description, inputSchema: jsonSchema(parameters as JSONSchema7) },
    ]),
  )
}

/** Calls `late` after `ms` without a `touch`. */
function watchdog(ms: number, late: () => void): { readonly touch: () => void; readonly stop: () => void } {
  const timer = setTimeout(late, ms)
  return { touch: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}

interface Circumstances {
  readonly isStopped: boolean
  readonly isIdle: boolean
  readonly parts: readonly MessagePart[]
  readonly redact: (text: string) => string
  readonly model: string
}

function failureOf(error: unknown, { isStopped, isIdle, parts, redact, model }: Circumstances): ModelFailure {
  // The SDK's error contains the request with its key, so only its message is kept.
  const cause = new Error(redact(messageOf(error)))
  if (isStopped) return new ModelFailure("stopped", "no answer was written yet", { parts, cause })
  if (isIdle) return new ModelFailure("timeout", "the model stopped responding", { parts, cause })
  const unreachable = whyUnreachable(error, model)
  if (unreachable !== undefined) return new ModelFailure("cut", redact(unreachable), { parts, cause })
  const status = statusOf(error)
  // A connection that breaks during a good answer still has its status.
  if (status === undefined || status < 400) return cutOff(error, { parts, cause, redact })
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {}
  return new ModelFailure(kindOf(status, cause.message), `${status}: ${cause.message}`, {
    ...{ status, parts, cause },
    retryAfterMs: retryAfter(headers),
  })
}

/** The status of an error response, or of an error inside a stream. */
function statusOf(error: unknown): number | undefined {
  const hasStatus = typeof error === "object" && error !== null && "statusCode" in error
  return hasStatus && typeof error.statusCode === "number" ? error.statusCode : undefined
}

/** No response at all, or one that ended in the middle. An error inside a stream names its kind. */
function cutOff(
  error: unknown,
  { parts, cause, redact }: Pick<Circumstances, "parts" | "redact"> & { readonly cause: Error },
): ModelFailure {
  const message = redact(brokenOff(error))
  const type = typeof error === "object" && error !== null && "type" in error ? String(error.type) : ""
  const kind = /overloaded|rate.?limit/i.test(`${type} ${message}`)
    ? "overloaded"
    : /^(?:invalid_request|authentication|permission|not_found)/.test(type)
      ? kindOf(400, message)
      : "cut"
  return new ModelFailure(kind, message, { parts, cause })
}

/** The SDK's message for an answer that it cannot continue means nothing to people. */
function brokenOff(error: unknown): string {
  if (APICallError.isInstance(error) && error.statusCode !== undefined) return BROKEN_OFF
  const message = messageOf(error)
  const isPlain = error instanceof Error && error.name === "Error" && message !== BROKEN_OFF
  return isPlain ? `the answer could not be read: ${message}` : message
}

function kindOf(status: number, message: string): FailureKind {
  if (status === 429) return "limited"
  if (status === 408) return "timeout"
  if (status >= 500 || status === 409) return "overloaded"
  const isTooLong = /too long|context.{0,12}(length|window|limit)|maximum context|too many tokens/i.test(
    message,
  )
  return status === 413 || isTooLong ? "too-long" : "refused"
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message.trim() || error.name
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message)
  return String(error)
}
