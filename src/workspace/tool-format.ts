// How tools reach a model: as configured, else as known for the model.
import type { ToolFormat } from "../core/model/inputs.ts"
import type { Config } from "../sources/config/config-schema.ts"

/** Models without tool calling, according to their makers or servers. All others are assumed to have it. */
const WITHOUT_TOOLS: readonly RegExp[] = [
  /^openai\/(?:o1-(?:mini|preview)|chatgpt-4o|gpt-3\.5-turbo-instruct|gpt-4o-(?:mini-)?search)/,
  /^google\/gemma-/,
  /^ollama\/(?:gemma[23]?|codegemma|codellama|llama2|llama3|phi3?|tinyllama|orca-mini|vicuna|starcoder2?)(?::|$)/,
]

export function toolFormatOf(model: string | undefined, config: Config): ToolFormat {
  if (config.tool_format !== undefined) return config.tool_format
  const id = model?.toLowerCase() ?? ""
  const own = Object.entries(config.providers ?? {}).find(([name]) => model?.startsWith(`${name}/`))
  return own?.[1].tools ?? (WITHOUT_TOOLS.some((names) => names.test(id)) ? "fallback" : "native")
}
