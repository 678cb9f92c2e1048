// Why a provider refuses, in words that say what to do about it: a key is wrong, a model is unknown, a request is too long.
// Read by who may know why.

import { providerOf } from "../../models/provider-of.ts"
import { providersOf } from "../../models/providers.ts"
import type { ModelFailure } from "./call.ts"

/** For a turn that is given up. */
export function whyFailed(failure: ModelFailure, model: string): string {
  const { isRetryable, kind, status, fault } = failure
  if (isRetryable) return "the model cannot answer now"
  if (kind === "too-long") return "it is too long for the model's window; start a new session"
  if (status === 401) return `${providerOf(model)} rejected ${keyOf(model)}; set a valid one`
  if (status === 403) return `${providerOf(model)} does not allow ${keyOf(model)} to use the model`
  if (status === 404) return unknownModel(model)
  // Other faults were left out and the rest was sent again, so this one is about the turn's own message.
  return fault === undefined ? "the model refused it" : "the provider refused this message"
}

function unknownModel(model: string): string {
  const provider = providerOf(model)
  const name = model.slice(provider.length + 1)
  if (provider === OLLAMA)
    return `Ollama does not have ${name}; run \`ollama pull ${name}\`, or choose a model that \`ollama list\` shows`
  return `${provider} does not know the model ${name}; choose another one with --model, or with \`model\` in incipit.yaml`
}

const OLLAMA = "ollama"

/** The variable, if the provider takes only one. */
function keyOf(model: string): string {
  const provider = providersOf({}).find(({ name }) => name === providerOf(model))
  const names = provider?.keys.flat() ?? []
  return names.length === 1 ? `the key in ${names[0]}` : "the key"
}
