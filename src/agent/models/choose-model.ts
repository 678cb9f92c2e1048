// Chooses the model: the one that is wanted, else the configured one, else the first whose key is set. If none can be
// used, the offline model answers, and `why` says what would change that.
import type { Approvable } from "../../approval/approvable.ts"
import { IncipitError } from "../../base/error.ts"
import { isOffline } from "../../record/prices/offline-calls.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { MissingKey } from "./model.ts"
import { type Env, missingKey, providerFor, providersOf } from "./providers.ts"

export interface ChooseModelOptions {
  /** From a flag or an option; throws if it cannot be used. */
  readonly wanted?: string | undefined
  /** From a variable or the file; if something is missing, the offline model answers and says what. */
  readonly configured?: string | undefined
  readonly env: Env
  readonly config: Config
  /** What the user has not approved yet. Providers among them are not called. */
  readonly waiting?: readonly Approvable[]
}

export type ModelChoice =
  | { readonly kind: "model"; readonly id: string; readonly why: string }
  /** `id`: the model that was asked for, if any. */
  | { readonly kind: "offline"; readonly id?: string; readonly why: string; readonly missing?: MissingKey }

export function chooseModel({
  wanted,
  configured,
  env,
  config,
  waiting = [],
}: ChooseModelOptions): ModelChoice {
  const named = wanted ?? configured
  if (named === undefined) return firstWithKey(env, config)
  const why = wanted === undefined ? "is configured" : "was asked for"
  if (isOffline(named)) return { kind: "offline", id: named, why: `it ${why}` }
  const { provider } = providerFor(named, config)
  const missing = missingKey(provider, env)
  const held = waiting.find(({ kind, name }) => kind === "provider" && name === provider.name)
  if (missing === undefined && held === undefined) return { kind: "model", id: named, why: `it ${why}` }
  const needs = missing ?? `your approval of ${held?.place}: incipit hooks approve ${held?.name}`
  if (wanted !== undefined)
    throw new IncipitError(missing === undefined ? "not-approved" : "no-key", `${named} needs ${needs}`)
  const without = missing === undefined ? {} : { missing: { key: missing, model: named } }
  return { kind: "offline", why: `${named} needs ${needs}`, ...without }
}

function firstWithKey(env: Env, config: Config): ModelChoice {
  const providers = providersOf(config).filter(({ keys }) => keys.every((names) => names.length > 0))
  const found = providers.find((row) => row.model !== undefined && missingKey(row, env) === undefined)
  if (found !== undefined) {
    const [names = []] = found.keys.filter((set) => missingKey({ ...found, keys: [set] }, env) === undefined)
    return { kind: "model", id: `${found.name}/${found.model}`, why: `${names.at(-1)} is set` }
  }
  const why = "no model is configured and no API key is set"
  const first = providers.find(({ model }) => model !== undefined)
  const key = first && missingKey(first, env)
  if (first === undefined || key === undefined) return { kind: "offline", why }
  return { kind: "offline", why, missing: { key, model: `${first.name}/${first.model}` } }
}
