// How alike two short texts are, for saying what somebody may have meant: by the pairs of characters that they share.

/** Longer ones are compared by their beginnings. */
const MOST_CHARACTERS = 300
const LEAST = 0.5

/** The most alike first; only those that are alike at all, by the part of them that counts. */
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
