// The input of a prompt, with the terms of a model to price it by.
import { chooseModel } from "../../../agent/models/choose-model.ts"
import { providersOf } from "../../../agent/models/providers.ts"
import { type Terms, termsOf } from "../../../agent/models/terms.ts"
import { isOffline, simulatedModel } from "../../../record/prices/offline-calls.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import type { Terminal } from "../../terminal.ts"
import { gatherFromFlags, type Input, type PromptFlags } from "./resolve.ts"

export interface Priced {
  readonly input: Input
  readonly terms: Terms
}

/** When an invented conversation begins, so that it is the same whenever it is played. */
const BEGINNING = "2026-01-15T09:00:00Z"

/** The flags for a conversation that is invented: so is its time, unless one is given. */
function atInventedTime<F extends PromptFlags>(flags: F): F {
  return { ...flags, now: flags.now ?? BEGINNING }
}

/** Without a model, uses the one that would answer; in the place of the offline model, the one that it stands for. */
export async function gatherPriced(given: PromptFlags, terminal: Terminal): Promise<Priced> {
  const flags = atInventedTime(given)
  const input = await gatherFromFlags(flags, terminal)
  const { config } = input.workspace
  const named = input.session.model ?? config.model
  if (named !== undefined && !isOffline(named))
    return { input, terms: await termsOf(named, config, terminal.now()) }
  const model = (named && simulatedModel(named)) ?? likelyModel(terminal, config)
  return {
    input: await gatherFromFlags({ ...flags, model }, terminal),
    terms: await termsOf(model, config, terminal.now()),
  }
}

/** Without a key, the first model that would be used with one. */
function likelyModel({ env }: Terminal, config: Config): string | undefined {
  const choice = chooseModel({ env, config })
  if (choice.kind === "model") return choice.id
  const first = providersOf(config).find(({ model }) => model !== undefined)
  return first && `${first.name}/${first.model}`
}
