// What calls of the offline model cost, for every command, page and answer that shows it, in the same words.
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Price } from "../../render/cache/price.ts"

/** The provider of the offline model: `offline`, or `offline/` and the model that it stands for. */
export const OFFLINE = "offline"

export function isOffline(model: string): boolean {
  return model === OFFLINE || model.startsWith(`${OFFLINE}/`)
}

/** The model whose prices and cache are simulated; undefined if none is named. */
export function simulatedModel(model: string): string | undefined {
  return model === OFFLINE ? undefined : model.replace(/^offline\//, "")
}

export const OFFLINE_CALLS = "The offline model's calls are free; its prices and cache figures are simulated."

/** The sentence, with the model that is simulated. */
export function offlineCallsOf(model: string): string {
  const of = simulatedModel(model)
  return of === undefined ? OFFLINE_CALLS : OFFLINE_CALLS.replace(/\.$/, ` for ${of}.`)
}

/** Nothing for any kind of token: no provider is called. */
export function offlinePrice(model: string, date: string): Price {
  const { ttls } = ruleFor(simulatedModel(model))
  const write = Object.fromEntries(ttls.map(({ name }) => [name, 0]))
  return { model, input: 0, output: 0, read: 0, write, estimated: false, source: OFFLINE, date }
}
