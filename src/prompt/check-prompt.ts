// Checks what `definePrompt` and the requests of a chat are given. The types exclude these mistakes, but a program may
// be written in JavaScript, where a misspelled option would have no effect.
import { IncipitError } from "../base/error.ts"
import { isRecord } from "../base/is-record.ts"
import { checkKeys } from "../core/compile/check-options.ts"
import { checkBudget } from "../core/fit/budget.ts"
import type { KeyedOptions } from "../render/formats/renderer.ts"
import type { Target } from "./formats.ts"

const PROMPT = ["sections", "tools", "budget", "ttl", "markup", "name", "counter"]

/** Throws if an option has no effect or cannot be used. Each section and the counter are checked where they are used. */
export function checkPromptOptions(options: unknown): void {
  const { sections, tools, budget, ...rest } = isRecord(options) ? options : {}
  if (!isRecord(sections))
    throw new IncipitError(
      "bad-input",
      'definePrompt needs sections by name, such as { sections: { base: text("Be brief.") } }',
    )
  checkKeys("definePrompt", Object.keys(rest), PROMPT)
  if (tools !== undefined && !Array.isArray(tools))
    throw new IncipitError(
      "bad-input",
      "the tools of definePrompt must be a list of { name, description, parameters }",
    )
  if (budget !== undefined) checkBudget(budget)
}

const REQUEST = [
  "maxTokens",
  "cacheKey",
  "ttl",
  "rule",
  "breakpoints",
  "taken",
  "oneOff",
  "withoutTail",
] satisfies readonly (keyof KeyedOptions)[]

/** Throws if the model is missing, or an option has no effect. */
export function checkRequest({ format, model }: Target, options: object | undefined): void {
  const name = `chat.${format}`
  if (typeof model !== "string" || model === "")
    throw badRequest(`${name} needs the name of a model, such as ${name}("${EXAMPLES[format] ?? "gpt-5.2"}")`)
  if (options === undefined) return
  checkKeys(name, Object.keys(options), REQUEST)
  const maxTokens: unknown = "maxTokens" in options ? options.maxTokens : undefined
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && Number(maxTokens) > 0))
    throw badRequest(`the maxTokens of ${name} is ${String(maxTokens)}, but must be a whole number above 0`)
}

const EXAMPLES: Partial<Record<Target["format"], string>> = {
  anthropic: "claude-sonnet-5-5",
  google: "gemini-3-pro",
  openaiCompatible: "qwen3",
}

function badRequest(problem: string): IncipitError {
  return new IncipitError("bad-render-call", problem)
}
