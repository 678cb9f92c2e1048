// How similar two short texts are, to suggest what was meant: by the pairs of characters they share.

/** Longer texts are compared by their beginnings. */
const MOST_CHARACTERS = 300
const LEAST = 0.5

/** Most similar first; only those that are similar at all, compared by the part that counts. */
export function mostAlike(
  wanted: string,
  among: readonly string[],
  partOf: (text: string) => string = (text) => text,
): readonly string[] {
  const pairs = pairsOf(partOf(wanted))
  return among
    .map((text) => ({ text, alike: likeness(pairs, pairsOf(partOf(text))) }))
    .filter(({ alike }) => alike >= LEAST)
    .sort((a, b) => b.alike - a.alike)
    .map(({ text }) => text)
}

type Pairs = ReadonlySet<string>

function pairsOf(text: string): Pairs {
  const points = [...` ${text.trim().toLowerCase().slice(0, MOST_CHARACTERS)} `]
  return new Set(points.slice(1).map((point, at) => `${points[at]}${point}`))
}

/** From 0 to 1. */
function likeness(a: Pairs, b: Pairs): number {
  const shared = [...a].filter((pair) => b.has(pair)).length
  return (2 * shared) / (a.size + b.size)
}
