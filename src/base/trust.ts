// Trust: who may see a text. Levels have names and are compared only through these functions.

/** From lowest to highest. */
export const TRUSTS = ["public", "familiar", "inner", "full"] as const
export type Trust = (typeof TRUSTS)[number]

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

export function mostOf(a: Trust, b: Trust): Trust {
  return atLeast(a, b) ? a : b
}
