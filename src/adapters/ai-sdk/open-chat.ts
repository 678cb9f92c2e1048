// A chat in the AI SDK (`ai` 6 and 7): a middleware for `wrapLanguageModel`, and a `prepareStep` for calls whose model
// cannot be wrapped. Imports nothing of the SDK: what it passes through keeps the SDK's own types.
import { prefixOf } from "../../core/model/prompt.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import type { ChatOptions } from "../../prompt/prompt-inputs.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import { usageOf } from "../../render/cache/sdk-usage.ts"
import { type AiSdkProviderOptions, type AiSdkTarget, aiSdkTarget } from "../../render/formats/ai-sdk.ts"
import { cacheKeyFor } from "../host/cache-key.ts"
import type { HostedCall } from "../host/hosted-call.ts"
import {
  type HostArguments,
  type HostedChat,
  type HostedWork,
  openHosted,
  type PreparedCall,
  withHost,
} from "../host/hosted-chat.ts"
import {
  marksIn,
  parted,
  readMessage,
  readTool,
  type SdkMessage,
  writeHead,
  writeItem,
} from "./sdk-messages.ts"

/** A chat in the AI SDK. */
export interface AiSdkChat<Session extends object> extends HostedChat<Session> {
  /** For `wrapLanguageModel({ model, middleware: chat.middleware })`. Wrap the model once for each conversation. */
  readonly middleware: AiSdkMiddleware
  /**
   * For `generateText`, `streamText` and `ToolLoopAgent` with a model that isn't wrapped, such as one of a gateway. Calls
   * are not recorded. Don't use both.
   */
  readonly prepareStep: AiSdkPrepareStep
}

/** What `wrapLanguageModel` takes. */
export interface AiSdkMiddleware {
  readonly specificationVersion: "v4"
  transformParams<P extends AiSdkParams>(call: { params: P; model: AiSdkModel }): Promise<P>
  wrapGenerate<R extends AiSdkGenerated>(call: {
    doGenerate: () => PromiseLike<R>
    params: object
    model: AiSdkModel
  }): Promise<R>
  wrapStream<R extends AiSdkStreamed>(call: {
    doStream: () => PromiseLike<R>
    params: object
    model: AiSdkModel
  }): Promise<R>
}

/** A model of the SDK, by its names. */
export interface AiSdkModel {
  readonly provider: string
  readonly modelId: string
}

/** What the SDK is about to send. */
export interface AiSdkParams {
  prompt: { role: string; content: unknown }[]
  tools?: object[]
  providerOptions?: object
}

/** What the SDK says about a call. */
export interface AiSdkAnswered {
  readonly inputTokens: {
    readonly total: number | undefined
    readonly cacheRead: number | undefined
    readonly cacheWrite: number | undefined
  }
  readonly outputTokens: { readonly total: number | undefined }
  readonly raw?: unknown
}

/** The result of a call that isn't streamed. */
export interface AiSdkGenerated {
  readonly usage: AiSdkAnswered
  readonly request?: { readonly body?: unknown }
}

/** The result of a call that is streamed. */
export interface AiSdkStreamed {
  stream: ReadableStream<{ readonly type: string }>
  readonly request?: { readonly body?: unknown }
}

/** What `prepareStep` gets and returns. */
export type AiSdkPrepareStep = <M extends { role: string }>(step: {
  messages: M[]
  model: string | AiSdkModel
  initialInstructions?: unknown
}) => Promise<{ instructions: AiSdkInstructions; messages: M[] }>

type AiSdkInstructions = { role: "system"; content: string; providerOptions?: AiSdkProviderOptions }[]

/**
 * Opens a chat of a prompt in the AI SDK. `session` is what `prompt.open` takes; the option `turn` returns what the turn
 * sections need.
 */
export function openChat<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: HostArguments<NoInfer<Turn>>
): AiSdkChat<Session> {
  const work = openHosted(prompt, session, options)
  return withHost(work.chat, { middleware: middlewareOf(work), prepareStep: prepareStepOf(work) })
}

interface Begun {
  readonly prepared: PreparedCall
  readonly startedAt: number
}

function middlewareOf<S extends object>(work: HostedWork<S>): AiSdkMiddleware {
  const begun = new WeakMap<object, Begun>()
  const finish = (params: object, model: AiSdkModel, answered: Answered) => {
    const call = begun.get(params)
    if (call !== undefined) work.onCall?.(calledOf(work.chat.id, nameOf(model), { ...call, ...answered }))
  }
  return {
    specificationVersion: "v4",
    async transformParams({ params, model }) {
      const startedAt = Date.now()
      const { prepared, messages, target } = await prepareFor(work, params.prompt, {
        model: nameOf(model),
        tools: params.tools ?? [],
        takesLate: true,
      })
      const next = { ...params, prompt: messages, ...keyOptions(prepared, target, params.providerOptions) }
      begun.set(next, { prepared, startedAt })
      return next
    },
    async wrapGenerate({ doGenerate, params, model }) {
      const result = await doGenerate()
      finish(params, model, { usage: result.usage, body: result.request?.body })
      return result
    },
    async wrapStream({ doStream, params, model }) {
      const result = await doStream()
      const watch = new TransformStream<{ readonly type: string }, { readonly type: string }>({
        transform(part, controller) {
          if (isFinish(part)) finish(params, model, { usage: part.usage, body: result.request?.body })
          controller.enqueue(part)
        },
      })
      return { ...result, stream: result.stream.pipeThrough(watch) }
    },
  }
}

interface Answered {
  readonly usage: AiSdkAnswered
  readonly body: unknown
}

function isFinish(part: {
  readonly type: string
}): part is { readonly type: "finish"; readonly usage: AiSdkAnswered } {
  return part.type === "finish" && "usage" in part
}

function prepareStepOf<S extends object>(work: HostedWork<S>): AiSdkPrepareStep {
  /** What a message was made from: the SDK brings them back in the next step. */
  const originals = new WeakMap<object, readonly SdkMessage[]>()
  return async ({ messages, model, initialInstructions }) => {
    const own = messages.flatMap((message) => originals.get(message) ?? [asMessage(message)])
    const { head, rest } = await prepareFor(work, own, {
      model: typeof model === "string" ? model : nameOf(model),
      tools: [],
      takesLate: false,
      onWrite: (written, from) => originals.set(written, from),
    })
    const instructions = [...head, ...instructionsOf(initialInstructions)]
    // Our own have this form, and the host's are passed on.
    return { instructions: instructions as AiSdkInstructions, messages: rest as never[] }
  }
}

/** The SDK's messages have a content each. */
function asMessage(message: { role: string }): SdkMessage {
  return { content: [], ...message }
}

function instructionsOf(given: unknown): readonly SdkMessage[] {
  if (given === undefined) return []
  if (typeof given === "string") return [{ role: "system", content: given }]
  return (Array.isArray(given) ? given : [given]).map(asMessage)
}

interface Preparing {
  readonly model: string
  readonly tools: readonly object[]
  readonly takesLate: boolean
  readonly onWrite?: (written: object, from: readonly SdkMessage[]) => void
}

async function prepareFor<S extends object, M extends SdkMessage>(
  work: HostedWork<S>,
  given: readonly M[],
  { model, tools, takesLate, onWrite }: Preparing,
) {
  const target = aiSdkTarget(model)
  const { lead, rest: own } = parted(given)
  const prepared = await work.prepare({
    target: { format: "aiSdk", model },
    messages: own.map(readMessage),
    tools: tools.map((tool) => readTool({ ...tool })),
    takesLate: takesLate && target.late === true,
    options: { taken: marksIn(given) + marksIn(tools) },
  })
  const head = writeHead(prepared, target)
  const rest = prepared.items.flatMap((item) => {
    const written = writeItem(item, own, target)
    const from = item.kind === "message" && item.at !== undefined ? own.slice(item.at, item.at + 1) : []
    for (const [at, message] of written.entries()) onWrite?.(message, at === 0 ? from : [])
    return written
  })
  // Each is the host's own message, or one of the form that it takes.
  return { prepared, target, head, rest, messages: [...head, ...lead, ...rest] as M[] }
}

/** OpenAI leads requests with the same key to the server that has their prefix. One that the host has set stays. */
function keyOptions(
  { prompt }: PreparedCall,
  { key }: AiSdkTarget,
  given: object = {},
): { readonly providerOptions?: object } {
  if (key === undefined) return {}
  const own = key(cacheKeyFor(prefixOf(prompt)))
  const entries = Object.entries(own).map(([name, options]) => {
    const set: unknown = Object.entries(given).find(([provider]) => provider === name)?.[1]
    return [name, { ...options, ...(typeof set === "object" ? set : {}) }] as const
  })
  return { providerOptions: { ...given, ...Object.fromEntries(entries) } }
}

/** `anthropic.messages` is a provider and one of its APIs. */
function nameOf({ provider, modelId }: AiSdkModel): string {
  return `${provider.split(".")[0]}/${modelId}`
}

function calledOf(
  chat: string,
  model: string,
  { prepared, startedAt, usage, body }: Begun & Answered,
): HostedCall {
  const { prompt, turnId, turn, step } = prepared
  const { inputTokens, outputTokens, raw } = usage
  const reported = {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    inputTokenDetails: { cacheReadTokens: inputTokens.cacheRead, cacheWriteTokens: inputTokens.cacheWrite },
    raw,
  }
  return {
    ...{ chat, turnId, turn, step, model, prompt, startedAt },
    endedAt: Date.now(),
    request: body,
    usage: usageOf(reported, ruleFor(model)),
  }
}
