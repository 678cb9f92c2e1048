// A chat in OpenAI Agents (`@openai/agents`): an input filter for the runner, which gives each call its instructions and
// its turn context, and the key under which OpenAI keeps the prefix. Imports nothing of the SDK.
import { isRecord } from "../../base/is-record.ts"
import type { Tool } from "../../core/model/inputs.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import type { ChatOptions } from "../../prompt/prompt-inputs.ts"
import {
  type HostArguments,
  type HostedChat,
  type HostedWork,
  openHosted,
  withHost,
} from "../host/hosted-chat.ts"
import { readItem, withoutTails, writeItem } from "./agent-items.ts"

/** A chat in OpenAI Agents. */
export interface OpenAIAgentsChat<Session extends object> extends HostedChat<Session> {
  /** For `run(agent, input, { callModelInputFilter })`, or for a `Runner`. One chat for each conversation. */
  readonly callModelInputFilter: OpenAIAgentsFilter
  /** For `new Agent({ modelSettings: chat.modelSettings })`: leads all calls to the server that has the prefix. */
  readonly modelSettings: { readonly providerData: { readonly prompt_cache_key: string } }
}

/** What the SDK calls before each call of a model. */
export type OpenAIAgentsFilter = <I extends object>(call: {
  modelData: { input: I[]; instructions?: string }
  agent: { readonly model?: unknown; readonly tools?: readonly unknown[] }
}) => Promise<{ input: I[]; instructions: string }>

/** Opens a chat of a prompt in OpenAI Agents. `session` is what `prompt.open` takes. */
export function openChat<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: HostArguments<NoInfer<Turn>>
): OpenAIAgentsChat<Session> {
  const work = openHosted(prompt, session, options)
  return withHost(work.chat, {
    callModelInputFilter: filterOf(work),
    modelSettings: { providerData: { prompt_cache_key: work.cacheKey() } },
  })
}

function filterOf<S extends object>(work: HostedWork<S>): OpenAIAgentsFilter {
  return async <I extends object>({ modelData, agent }: Parameters<OpenAIAgentsFilter>[0]) => {
    const own = withoutTails(modelData.input, work.isTail)
    const prepared = await work.prepare({
      target: { format: "openai", model: `openai/${modelOf(agent.model)}` },
      messages: own.map(readItem),
      tools: (agent.tools ?? []).map(readTool),
    })
    const instructions = prepared.headText + (modelData.instructions ?? "")
    // Each is an item of the SDK, or a message of the form that it takes.
    return { input: prepared.items.flatMap((item) => writeItem(item, own)) as I[], instructions }
  }
}

/** The SDK's default model has no name here; its rule is that of OpenAI's models. */
const DEFAULT_MODEL = "gpt-5.2"

function modelOf(model: unknown): string {
  if (typeof model === "string" && model !== "") return model
  return isRecord(model) && typeof model.model === "string" ? model.model : DEFAULT_MODEL
}

function readTool(tool: unknown): Tool {
  const { name, description, parameters }: Readonly<Record<string, unknown>> = isRecord(tool)
    ? { ...tool }
    : {}
  return {
    name: String(name),
    description: typeof description === "string" ? description : "",
    parameters: isRecord(parameters) ? parameters : { type: "object" },
  }
}
