// Opens a model by its id, `provider/model`, through the AI SDK's providers. Sends nothing until it is called.
import { IncipitError } from "../../base/error.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { toolFormatOf } from "../../workspace/tool-format.ts"
import { guardedFetch } from "../turn/provider/guarded-fetch.ts"
import type { Model } from "./model.ts"
import { type Env, missingKey, providerFor, urlOf } from "./providers.ts"
import { overridesOf, ruleOf } from "./terms.ts"

/** Where `openModel` finds keys and providers. */
export interface OpenModelOptions {
  readonly env: Env
  readonly config: Config
}

/** Opens a model by its name, `provider/model`, with the keys and settings that are passed in. */
export async function openModel(id: string, { env, config }: OpenModelOptions): Promise<Model> {
  const { provider, name } = providerFor(id, config)
  const missing = missingKey(provider, env)
  if (missing !== undefined) throw new IncipitError("no-key", `${id} needs ${missing}`)
  const [connect, { priceFor }] = await Promise.all([
    provider.open(env, urlOf(provider, env).url),
    // The price table is slow to load.
    import("../../record/prices/prices.ts"),
  ])
  const overrides = overridesOf(config)
  return {
    id,
    toolFormat: toolFormatOf(id, config),
    takesFiles: config.providers?.[id.split("/")[0] ?? ""]?.files ?? true,
    ...(provider.callIds && { callIds: provider.callIds }),
    rule: ruleOf(id, config),
    isOffline: false,
    price: (at) => priceFor(id, { at, overrides }),
    language: (fetch = globalThis.fetch) => connect(name, guardedFetch(fetch)),
  }
}
