// The terms of a model: its cache rule and its price, with what the configuration says before what is bundled.
import { IncipitError } from "../../base/error.ts"
import type { PriceOverride } from "../../record/prices/price-overrides.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { CACHE_RULES, ruleFor } from "../../render/cache/cache-rules.ts"
import { type Price, pricedRule } from "../../render/cache/price.ts"
import type { Config } from "../../sources/config/config-schema.ts"

export interface Terms {
  readonly model: string
  readonly rule: CacheRule
  readonly price: Price | null
}

/** What tokens cost nothing is better told in tokens, as is what costs nobody knows what. */
export function isInDollars({ price }: Terms): boolean {
  return price !== null && price.input > 0
}

export async function termsOf(model: string | undefined, config: Config, now: number): Promise<Terms> {
  if (model === undefined)
    throw new IncipitError("bad-argument", "no model is set: give --model, or set `model` in incipit.yaml")
  // The table of prices takes a while to load.
  const { priceFor } = await import("../../record/prices/prices.ts")
  const price = priceFor(model, { at: now, overrides: overridesOf(config) })
  return { model, rule: pricedRule(ruleOf(model, config), price), price }
}

/** The rule with its own multiples; `pricedRule` puts those of a price in their place. */
export function ruleOf(model: string, config: Config): CacheRule {
  const own = ownRules(config)
  const rule = ruleFor(model, [...own, ...CACHE_RULES])
  // Behind a compatible API nothing can be marked, whatever the model is called.
  const isCompatible = config.providers?.[model.split("/")[0] ?? ""] !== undefined
  return isCompatible && rule.lookup === "breakpoint" && !own.includes(rule)
    ? ruleFor("openai-compatible/")
    : rule
}

function ownRules({ cache }: Config): readonly CacheRule[] {
  return (cache?.rules ?? []).map((row, at): CacheRule => {
    const { like, models, source, date } = row
    const base = CACHE_RULES.find(({ id }) => id === like)
    if (base === undefined) {
      const known = CACHE_RULES.map(({ id }) => id).join(", ")
      throw new IncipitError(
        "bad-configuration",
        `cache.rules.${at}: there is no rule "${like}" (there are ${known})`,
      )
    }
    const { minimum, breakpoints, look_back: lookBack, read, ttls } = row
    return {
      ...base,
      id: `${like} (incipit.yaml)`,
      models,
      source,
      date,
      ...(minimum !== undefined && { minimum }),
      ...(breakpoints !== undefined && { breakpoints }),
      ...(lookBack !== undefined && { lookBack }),
      ...(read !== undefined && { read }),
      ...(ttls && { ttls }),
    }
  })
}

/** As the table of prices takes them. */
export function overridesOf({ prices = [] }: Config): readonly PriceOverride[] {
  return prices.map(({ aliases, read, write, ...row }) => ({
    ...row,
    ...(aliases && { aliases }),
    ...(read !== undefined && { read }),
    ...(write && { write }),
  }))
}
