// The budget of a prompt: the configured values with the model's factor applied, over the profile's defaults.
import { type Budget, defaultBudget } from "../../core/fit/budget.ts"
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
