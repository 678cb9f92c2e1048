// Pace: how often a text is expected to change. Slow text goes first, so that prefix caches hit.

/** From slowest to fastest. */
export const PACES = ["stable", "session", "turn"] as const
export type Pace = (typeof PACES)[number]

export function isFaster(pace: Pace, than: Pace): boolean {
  return PACES.indexOf(pace) > PACES.indexOf(than)
}

export function fasterOf(a: Pace, b: Pace): Pace {
  return isFaster(a, b) ? a : b
}
