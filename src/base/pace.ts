// Pace: how often a text is expected to change. Slow text goes first, so that prefix caches hit.

/** How often a text is expected to change, and so where it goes in the prompt. From slowest to fastest. */
export const PACES = ["stable", "session", "turn"] as const
/** How often a section's text is expected to change. */
export type Pace = (typeof PACES)[number]

export function isFaster(pace: Pace, than: Pace): boolean {
  return PACES.indexOf(pace) > PACES.indexOf(than)
}

export function fasterOf(a: Pace, b: Pace): Pace {
  return isFaster(a, b) ? a : b
}
