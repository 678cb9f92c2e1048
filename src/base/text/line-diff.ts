// The difference between two texts, by lines. Anchored on lines that occur once in each text, as in a patience diff, so
// the cost grows with the sum of the two lengths, not with their product.

/** Replaces `removed` lines from line `at` of the old text with `added` lines from line `to` of the new one. From 0. */
export interface Hunk {
  readonly at: number
  readonly removed: number
  readonly to: number
  readonly added: number
}

export function diffLines(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  let [at, to] = [0, 0]
  for (const [nextAt, nextTo] of [...anchorsOf(old, now), [old.length, now.length] as const]) {
    hunks.push(...between(old, now, { at, to, nextAt, nextTo }))
    ;[at, to] = [nextAt + 1, nextTo + 1]
  }
  return joined(hunks)
}

interface Gap {
  readonly at: number
  readonly to: number
  readonly nextAt: number
  readonly nextTo: number
}

/** The difference between two anchors, without the lines that both sides begin or end with. */
function between(
  old: readonly string[],
  now: readonly string[],
  { at, to, nextAt, nextTo }: Gap,
): readonly Hunk[] {
  const most = Math.min(nextAt - at, nextTo - to)
  let start = 0
  while (start < most && old[at + start] === now[to + start]) start += 1
  let end = 0
  while (end < most - start && old[nextAt - 1 - end] === now[nextTo - 1 - end]) end += 1
  const removed = nextAt - at - start - end
  const added = nextTo - to - start - end
  return removed + added === 0 ? [] : [{ at: at + start, removed, to: to + start, added }]
}

/** The longest sequence of lines that occur once in each text and have the same order in both. */
function anchorsOf(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const places = onceIn(now)
  const pairs = [...onceIn(old)].flatMap(([line, at]) => {
    const to = places.get(line)
    return to === undefined ? [] : [[at, to] as const]
  })
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, [, to]] of pairs.entries()) {
    const length = firstNotBelow(ends, to, pairs)
    previous[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const run: (readonly [number, number])[] = []
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) run.push(pair)
  }
  return run.reverse()
}

function firstNotBelow(
  ends: readonly number[],
  to: number,
  pairs: readonly (readonly [number, number])[],
): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < to) low = middle + 1
    else high = middle
  }
  return low
}

/** The position of each line that occurs exactly once, in order. */
export function onceIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const twice = new Set<string>()
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) twice.add(line)
    else places.set(line, at)
  }
  for (const line of twice) places.delete(line)
  return places
}

/** Merges hunks that touch. */
function joined(hunks: readonly Hunk[]): readonly Hunk[] {
  const all: Hunk[] = []
  for (const hunk of hunks) {
    const last = all.at(-1)
    const touches =
      last !== undefined && last.at + last.removed === hunk.at && last.to + last.added === hunk.to
    if (touches)
      all[all.length - 1] = { ...last, removed: last.removed + hunk.removed, added: last.added + hunk.added }
    else all.push(hunk)
  }
  return all
}

/** A difference that can be stored: the position, the number of lines to remove, and the lines to insert. */
export type Patch = readonly (readonly [at: number, removed: number, added: readonly string[]])[]

export function patchOf(hunks: readonly Hunk[], now: readonly string[]): Patch {
  return hunks.map(({ at, removed, to, added }) => [at, removed, now.slice(to, to + added)])
}

export function patched(old: readonly string[], patch: Patch): readonly string[] {
  const lines: string[] = []
  let from = 0
  for (const [at, removed, added] of patch) {
    for (const line of old.slice(from, at)) lines.push(line)
    for (const line of added) lines.push(line)
    from = at + removed
  }
  for (const line of old.slice(from)) lines.push(line)
  return lines
}
