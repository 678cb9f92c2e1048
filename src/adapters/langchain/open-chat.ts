// A chat in LangChain (`langchain` 1): a middleware for `createAgent`.
import { createMiddleware } from "langchain"
import { isRecord } from "../../base/is-record.ts"
import type { Tool } from "../../core/model/inputs.ts"
import { prefixOf } from "../../core/model/prompt.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import type { Format } from "../../prompt/formats.ts"
import type { ChatOptions } from "../../prompt/prompt-inputs.ts"
import { cacheKeyFor } from "../host/cache-key.ts"
import {
  type HostArguments,
  type HostedChat,
  type HostedWork,
  openHosted,
  withHost,
} from "../host/hosted-chat.ts"
import {
  anthropicMark,
  marksIn,
  readMessage,
  systemMessage,
  type WriteMark,
  writeItem,
} from "./chain-messages.ts"

/** A chat in LangChain. */
export interface LangChainChat<Session extends object> extends HostedChat<Session> {
  /** For `createAgent({ middleware: [..., chat.middleware] })`: as the last one, so that it sees what others have changed. */
  readonly middleware: ReturnType<typeof createMiddleware>
}

/** Opens a chat of a prompt in LangChain. `session` is what `prompt.open` takes. */
export function openChat<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: HostArguments<NoInfer<Turn>>
): LangChainChat<Session> {
  const work = openHosted(prompt, session, options)
  return withHost(work.chat, { middleware: middlewareOf(work) })
}

function middlewareOf<S extends object>(work: HostedWork<S>): ReturnType<typeof createMiddleware> {
  return createMiddleware({
    name: "incipit",
    async wrapModelCall(request, handler) {
      const { model, messages, tools, systemMessage: own, modelSettings } = request
      const { provider, name } = modelOf(model)
      const { format, mark } = APIS[provider] ?? COMPATIBLE
      const prepared = await work.prepare({
        target: { format, model: name },
        messages: messages.map(readMessage),
        tools: tools.map(readTool),
        options: { taken: marksIn([own, ...messages]) + (isRecord(modelSettings?.cache_control) ? 1 : 0) },
      })
      const key = provider === "openai" ? { promptCacheKey: cacheKeyFor(prefixOf(prepared.prompt)) } : {}
      return handler({
        ...request,
        systemMessage: systemMessage(
          mark ? prepared.head : [{ text: prepared.headText, mark: undefined }],
          own,
          mark,
        ),
        messages: prepared.items.flatMap((item) => writeItem(item, messages, mark)),
        modelSettings: { ...key, ...modelSettings },
      })
    },
  })
}

interface Api {
  readonly format: Format
  readonly mark: WriteMark
}

/** By the provider's name in LangChain. */
const APIS: Readonly<Record<string, Api>> = {
  anthropic: { format: "anthropic", mark: anthropicMark },
  openai: { format: "openai", mark: undefined },
  google: { format: "google", mark: undefined },
}

const COMPATIBLE: Api = { format: "openaiCompatible", mark: undefined }

/** LangChain has several packages for Google's models. */
const GOOGLE = /^google/

function modelOf(model: unknown): { readonly provider: string; readonly name: string } {
  const params =
    isRecord(model) && typeof model.getLsParams === "function" ? model.getLsParams({}) : undefined
  const given = isRecord(params) ? params : {}
  const said = typeof given.ls_provider === "string" ? given.ls_provider : "unknown"
  const provider = GOOGLE.test(said) ? "google" : said
  const name = typeof given.ls_model_name === "string" ? given.ls_model_name : "unknown"
  return { provider, name: `${provider}/${name}` }
}

function readTool(tool: unknown): Tool {
  const { name, description, schema, ...rest }: Readonly<Record<string, unknown>> = isRecord(tool)
    ? { ...tool }
    : {}
  return {
    name: typeof name === "string" ? name : "tool",
    description: typeof description === "string" ? description : "",
    parameters:
      isRecord(schema) && !("_def" in schema)
        ? schema
        : { type: "object", ...(isRecord(rest.function) && rest.function) },
  }
}
