// The second model: when the first cannot answer, even after retries, the turn goes on with `fallback_model`. Its prompt
// is gathered again, because another model takes tools, turn text and cache marks in another form. The next turn begins
// with the first model again. Refusals are final: another model must not be asked what this one refused.
import { defined } from "../../base/defined.ts"
import { IncipitError } from "../../base/error.ts"
import type { Model } from "../models/model.ts"
import type { Services } from "../setup/services.ts"
import type { Prompts } from "./prompt/compile.ts"
import type { ModelFailure } from "./provider/call.ts"
import type { Work } from "./work.ts"

export interface FallBackServices extends Pick<Services, "models"> {
  readonly prompts: Pick<Prompts, "gather">
}

/** Whether the step can be asked of another model now. Switches the turn to it and reports that. */
export async function isHandedOver(
  { models, prompts }: FallBackServices,
  work: Work,
  failure: ModelFailure,
): Promise<boolean> {
  if (!failure.isRetryable) return false
  const { model: first, state } = work
  const second = await usable(models, work)
  if (second === undefined || second.id === first.id) return false
  report(work, second, failure)
  work.model = second
  work.gathered = await prompts.gather({
    ...{ id: work.session.id, message: work.waiting.message, state, model: second },
    inHead: state.touchedInHead ?? 0,
  })
  return true
}

/** A second model that cannot be used leaves the failure of the first as it is. */
async function usable(models: Services["models"], { scope, tell }: Work): Promise<Model | undefined> {
  try {
    return await models.fallback()
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    const text = `The fallback model cannot be used: ${error.message}`
    scope.event("diagnostic", { level: "warn", data: { code: "fallback-unusable", text } })
    tell({ kind: "diagnostic", level: "warning", text })
    return undefined
  }
}

function report(
  { model: first, scope, tell, step }: Work,
  second: Model,
  { message, kind, status, parts }: ModelFailure,
): void {
  const text = `${first.id} cannot answer now (${message}). ${second.id} takes over until the end of this turn.`
  const data = { code: "model-switched", text, from: first.id, to: second.id, kind, ...defined({ status }) }
  scope.event("diagnostic", { level: "warn", model: second.id, data })
  // The second model writes its own answer; the beginning of another is no part of it.
  if (parts.length > 0) tell({ kind: "step-discarded", step })
  tell({ kind: "diagnostic", level: "warning", text })
}
