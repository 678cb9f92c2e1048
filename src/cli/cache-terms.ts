// The terms of a model: its cache rule and its price, with what the configuration says before what is bundled.
import { IncipitError } from "../core/error.ts"
import type { CacheRule } from "../render/cache-rule.ts"
import { CACHE_RULES, ruleFor } from "../render/cache-rules.ts"
import { type Price, pricedRule } from "../render/price.ts"
import type { Config } from "../sources/config-schema.ts"

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
  const { priceFor } = await import("../record/prices.ts")
  const price = priceFor(model, { at: now, overrides: (config.prices ?? []).map(overrideOf) })
  return { model, rule: pricedRule(ruleFor(model, rulesOf(config)), price), price }
}

export function rulesOf({ cache }: Config): readonly CacheRule[] {
  const own = (cache?.rules ?? []).map((row, at): CacheRule => {
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
  return [...own, ...CACHE_RULES]
}

function overrideOf({ aliases, read, write, ...row }: NonNullable<Config["prices"]>[number]) {
  return {
    ...row,
    ...(aliases && { aliases }),
    ...(read !== undefined && { read }),
    ...(write && { write }),
  }
}
