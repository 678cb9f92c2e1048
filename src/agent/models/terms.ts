// The terms of a model: its cache rule and its price. The configuration overrides the bundled ones.
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

/** Costs that are zero or unknown are better shown in tokens. */
export function isInDollars({ price }: Terms): boolean {
  return price !== null && price.input > 0
}

export async function termsOf(model: string | undefined, config: Config, now: number): Promise<Terms> {
  if (model === undefined)
    throw new IncipitError("bad-argument", "no model is set: give --model, or set `model` in incipit.yaml")
  // The price table is slow to load.
  const { priceFor } = await import("../../record/prices/prices.ts")
  const price = priceFor(model, { at: now, overrides: overridesOf(config) })
  return { model, rule: pricedRule(ruleOf(model, config), price), price }
}

/** The rule with its own multiples; `pricedRule` replaces them with those of a price. */
export function ruleOf(model: string, config: Config): CacheRule {
  const own = ownRules(config)
  const rule = ruleFor(model, [...own, ...CACHE_RULES])
  // A compatible API has no cache breakpoints, whatever the model is called.
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
        `cache.rules.${at}: unknown rule "${like}" (known rules: ${known})`,
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

/** In the form that the price table takes. */
export function overridesOf({ prices = [] }: Config): readonly PriceOverride[] {
  return prices.map(({ aliases, read, write, ...row }) => ({
    ...row,
    ...(aliases && { aliases }),
    ...(read !== undefined && { read }),
    ...(write && { write }),
  }))
}
