// Trust: who may see a text. Levels have names and are compared only through these functions.

/** The levels of trust. From lowest to highest. */
export const TRUSTS = ["public", "familiar", "inner", "full"] as const
/** How far an audience is trusted, and how much trust a text needs. */
export type Trust = (typeof TRUSTS)[number]

/** Whether a value, such as a word from a configuration file, is a level of trust. */
export function isTrust(value: unknown): value is Trust {
  return TRUSTS.some((trust) => trust === value)
}

/** Whether trust `has` is enough for text that needs `needs`. An unknown level in `needs` is above all others. */
export function atLeast(has: Trust, needs: Trust): boolean {
  const level = TRUSTS.indexOf(needs)
  return level >= 0 && TRUSTS.indexOf(has) >= level
}

export function leastOf(a: Trust, b: Trust): Trust {
  return atLeast(a, b) ? b : a
}

/** The stricter of two requirements. An unknown level is above all others. */
export function mostOf(a: Trust, b: Trust): Trust {
  return !isTrust(a) || atLeast(a, b) ? a : b
}
