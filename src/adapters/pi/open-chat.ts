// A chat in pi (`@earendil-works/pi-coding-agent`): an extension. The head is a section of pi's own at the end of its
// system prompt, and turn context is in the request alone. Imports nothing of pi.
import type { Tool } from "../../core/model/inputs.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import type { Format, Target } from "../../prompt/formats.ts"
import type { ChatOptions } from "../../prompt/prompt-inputs.ts"
import {
  type HostArguments,
  type HostedChat,
  type HostedWork,
  openHosted,
  type PreparedCall,
  withHost,
} from "../host/hosted-chat.ts"
import {
  isSpoken,
  type PiMessage,
  type PiTool,
  readMessage,
  readTool,
  usageIn,
  withHead,
  writeMessages,
} from "./pi-messages.ts"

/** A chat in pi. */
export interface PiChat<Session extends object> extends HostedChat<Session> {
  /** What a file of an extension exports as `default`. One chat for each session of pi. */
  readonly extension: (pi: PiExtensionApi) => void
}

/** What the extension uses of pi's `ExtensionAPI`. */
export interface PiExtensionApi {
  on(
    event: "context_with_system",
    // Messages of pi, or of the form that it takes.
    handler: (event: { messages: PiMessage[] }, context: PiContext) => Promise<{ messages: never[] }>,
  ): unknown
  on(event: "before_agent_start", handler: (event: PiStart, context: PiContext) => void): unknown
  on(event: "before_provider_request", handler: (event: { payload: unknown }) => void): unknown
  on(event: "message_end", handler: (event: { message: PiMessage }) => void): unknown
  getActiveTools(): string[]
  getAllTools(): PiTool[]
}

/** What pi says about the session when it calls a handler. */
export interface PiContext {
  readonly model: PiModel | undefined
}

/** A model of pi. */
export interface PiModel {
  readonly id: string
  readonly provider: string
  readonly api: string
}

/** What pi shows before it answers a person. */
export interface PiStart {
  systemPromptOptions: { sections: Record<string, string>; forceSystemPrompt?: string }
}

/** Opens a chat of a prompt in pi. `session` is what `prompt.open` takes. */
export function openChat<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: HostArguments<NoInfer<Turn>>
): PiChat<Session> {
  const work = openHosted(prompt, session, options)
  return withHost(work.chat, { extension: (pi: PiExtensionApi) => register(work, pi) })
}

/** A call that pi is making. */
interface Begun {
  readonly prepared: PreparedCall
  readonly model: string
  readonly startedAt: number
  /** Undefined until pi has made it. */
  body?: { readonly sent: unknown }
}

/** The name of our section, and of the tag that pi puts around it. */
const SECTION = "incipit"

function register<S extends object>(work: HostedWork<S>, pi: PiExtensionApi): void {
  let begun: Begun | undefined
  // Those of the first call: pi tells a model of later changes in messages of its own if the model takes them there, and
  // turn context that is in the conversation keeps its place.
  let first: readonly Tool[] | undefined
  const tools = () => {
    first ??= activeTools(pi)
    return first
  }
  pi.on("before_agent_start", ({ systemPromptOptions: options }, { model }) => {
    const text = work.headText({ target: targetFor(model), tools: tools() })
    if (text === "") delete options.sections[SECTION]
    else options.sections[SECTION] = text
    // An extension before this one has replaced pi's whole prompt, sections and all.
    if (options.forceSystemPrompt !== undefined && text !== "")
      options.forceSystemPrompt += `\n\n<${SECTION}>\n${text}\n</${SECTION}>`
  })
  // Not `context`: a changed result of that makes pi rewrite its own system messages, and so the cached prefix.
  pi.on("context_with_system", async ({ messages }, { model }) => {
    const startedAt = Date.now()
    const target = targetFor(model)
    const spoken = messages.filter(isSpoken)
    const prepared = await work.prepare({ target, messages: spoken.map(readMessage), tools: tools() })
    begun = { prepared, model: target.model, startedAt }
    // Each is a message of pi, or one of the form that it takes.
    const written = writeMessages(prepared.items, messages, spoken)
    return { messages: withHead(written, { name: SECTION, text: prepared.headText }) as never[] }
  })
  pi.on("before_provider_request", ({ payload: sent }) => {
    // pi sends a request once more to keep its cache warm, when nothing is being answered.
    if (begun !== undefined) begun.body = { sent }
  })
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant" || begun === undefined) return
    const { prepared, model, startedAt, body } = begun
    begun = undefined
    const usage = usageIn(message, model)
    if (usage === undefined) return
    const { prompt, turnId, turn, step } = prepared
    const call = { chat: work.chat.id, turnId, turn, step, model, prompt, startedAt }
    work.onCall?.({ ...call, endedAt: Date.now(), request: body?.sent, usage })
  })
}

function activeTools(pi: PiExtensionApi): readonly Tool[] {
  const active = new Set(pi.getActiveTools())
  return pi
    .getAllTools()
    .filter(({ name }) => active.has(name))
    .map(readTool)
}

/** By the name of the API in pi. */
const FORMATS: readonly (readonly [api: RegExp, format: Format])[] = [
  [/^anthropic/, "anthropic"],
  [/^openai-completions/, "openaiCompatible"],
  [/responses$/, "openai"],
  [/^google/, "google"],
  [/^bedrock/, "bedrock"],
]

function targetFor(model: PiModel | undefined): Target {
  const { api, provider, id } = model ?? { api: "", provider: "unknown", id: "unknown" }
  const [, format = "openaiCompatible"] = FORMATS.find(([pattern]) => pattern.test(api)) ?? []
  return { format, model: `${provider}/${id}` }
}
