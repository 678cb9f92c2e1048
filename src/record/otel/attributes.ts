// Attributes of spans and metrics: the names of the GenAI conventions and the value types of OTLP's JSON. The
// conventions are not stable, so the names are our own copy.
import type { RecordEvent } from "../write/event.ts"

export const NAMES = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  responseId: "gen_ai.response.id",
  responseModel: "gen_ai.response.model",
  finish: "gen_ai.response.finish_reasons",
  conversation: "gen_ai.conversation.id",
  agent: "gen_ai.agent.id",
  tool: "gen_ai.tool.name",
  call: "gen_ai.tool.call.id",
  input: "gen_ai.usage.input_tokens",
  output: "gen_ai.usage.output_tokens",
  read: "gen_ai.usage.cache_read.input_tokens",
  write: "gen_ai.usage.cache_creation.input_tokens",
  tokenType: "gen_ai.token.type",
  error: "error.type",
  system: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  arguments: "gen_ai.tool.call.arguments",
  result: "gen_ai.tool.call.result",
  leftOut: "incipit.input.messages_left_out",
  cost: "incipit.cost_usd",
  turn: "incipit.turn",
  step: "incipit.step",
  data: "incipit.data",
} as const

export interface Attribute {
  readonly key: string
  readonly value: AttributeValue
}

type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } }

export type Attributes = Readonly<Record<string, string | number | readonly string[] | undefined>>

export function attributesOf(values: Attributes): readonly Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: wireValue(key, value) }],
  )
}

function wireValue(key: string, value: string | number | readonly string[]): AttributeValue {
  if (typeof value === "string") return { stringValue: value }
  // An attribute keeps its type, even if a sum of dollars happens to be an integer.
  if (typeof value === "number")
    return key === NAMES.cost ? { doubleValue: value } : { intValue: String(Math.round(value)) }
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } }
}

/** Applies a function to every text of an attribute's value, always in the same order. */
export function withTexts({ key, value }: Attribute, change: (text: string) => string): Attribute {
  if ("stringValue" in value) return { key, value: { stringValue: change(value.stringValue) } }
  if (!("arrayValue" in value)) return { key, value }
  const values = value.arrayValue.values.map(({ stringValue }) => ({ stringValue: change(stringValue) }))
  return { key, value: { arrayValue: { values } } }
}

/** The operation and its object, in the words of the conventions; for other events, their type. */
export function operationOf(event: RecordEvent): {
  readonly operation: string
  readonly subject?: string | undefined
} {
  const { type, model, agent } = event
  if (type === "api_call" || type === "api_error")
    return { operation: "chat", subject: model && modelOf(model) }
  if (type === "tool_call" || type === "tool_error")
    return { operation: "execute_tool", subject: toolOf(event) }
  if (type === "turn_started" || type === "turn_completed")
    return { operation: "invoke_agent", subject: agent }
  return { operation: type }
}

export function toolOf({ data }: RecordEvent): string | undefined {
  return typeof data?.tool === "string" ? data.tool : undefined
}

/** From a bounded set, as the convention requires: the status, or the type of event. */
export function errorType({ type, data }: RecordEvent): string {
  const status = data?.status
  return typeof status === "number" ? String(status) : type
}

/** The provider's own id: `provider/model` without the provider. */
export function modelOf(model: string): string {
  return model.slice(model.indexOf("/") + 1)
}

/** Maps our provider names to those of the conventions; others are equal. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["gemini", "gcp.gemini"],
  ["google-vertex", "gcp.vertex_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["bedrock", "aws.bedrock"],
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["xai", "x_ai"],
  ["x-ai", "x_ai"],
  ["mistral", "mistral_ai"],
  ["moonshotai", "moonshot_ai"],
])

/** The makers of models, by the start of their ids. */
const MAKERS = [
  [/^claude/, "anthropic"],
  [/^(?:gpt|o\d|chatgpt)/, "openai"],
  [/^gemini/, "gcp.gemini"],
  [/^deepseek/, "deepseek"],
  [/^grok/, "x_ai"],
] as const

export function providerOf(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  const slash = model.indexOf("/")
  if (slash < 0) return MAKERS.find(([begins]) => begins.test(model))?.[1] ?? "_OTHER"
  const seller = model.slice(0, slash).toLowerCase()
  return PROVIDERS.get(seller) ?? seller
}
