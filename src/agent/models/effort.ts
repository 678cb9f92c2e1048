// The effort of a call: as the sender asks, else as configured for the model. Also whether a request carries one, since
// the AI SDK leaves it out for models that it knows to take none.

import { IncipitError } from "../../base/error.ts"
import { EFFORTS, type Effort } from "../../core/model/inputs.ts"
import type { Config } from "../../sources/config/config-schema.ts"

/** Returns undefined for the model's own default. */
export function effortFor(
  model: string,
  { effort: asked }: { readonly effort?: Effort },
  { effort: configured }: Pick<Config, "effort">,
): Effort | undefined {
  if (asked !== undefined) return asked
  if (typeof configured !== "object") return configured
  return Object.hasOwn(configured, model) ? configured[model] : undefined
}

/** Programs need not be type-checked. */
export function checkEffort(effort: unknown): void {
  if (effort === undefined || EFFORTS.some((known) => known === effort)) return
  throw new IncipitError(
    "bad-option",
    `the option effort of send must be one of ${EFFORTS.join(", ")}, not ${JSON.stringify(effort)}`,
  )
}

/** Where the requests of each provider carry the effort, or the budget that older models take instead. */
const FIELDS: readonly (readonly string[])[] = [
  ["reasoning"],
  ["reasoning_effort"],
  ["thinking"],
  ["output_config"],
  ["generationConfig", "thinkingConfig"],
  ["additionalModelRequestFields"],
]

export function carriesEffort(body: string): boolean {
  const request: unknown = JSON.parse(body)
  return FIELDS.some((keys) => keys.reduce<unknown>(field, request) !== undefined)
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
  // An own key was just found.
  return (value as Readonly<Record<string, unknown>>)[key]
}
