// The budget of a prompt: the configured values with the model's factor applied, over the profile's defaults.
import { type Budget, defaultBudget, fullBudget, type GivenBudget } from "../../core/fit/budget.ts"
import { layoutOf } from "../../core/layout/layouts.ts"
import type { Profile } from "../../core/model/profile.ts"
import { factorFor } from "../../tokens/factor.ts"
import type { Config } from "./config-schema.ts"

/** The configured budget; the flag overrides the head's limit. */
export function budgetOf(
  config: Config,
  profile: Profile,
  { head: flag, model }: { readonly head?: number | undefined; readonly model: string | undefined },
): Budget {
  const { factor, exact } = factorFor(model)
  const { shares, ...limits } = config.budget ?? {}
  const known = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  const head = flag === undefined ? {} : { head: flag }
  return { ...defaultBudget(profile), ...known, ...head, ...(shares && { shares }), ratio: { factor, exact } }
}

/** The budget of a prompt that brings its own, as a chat with it has. */
export function ownBudget(given: GivenBudget, profile: Profile, model: string | undefined): Budget {
  const { headShare } = layoutOf(profile)
  return { ratio: factorFor(model), ...fullBudget(given, { window: profile.window, headShare }) }
}
