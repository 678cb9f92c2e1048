// Globs as people write them: `*`, `?`, `[a-z]`, `**` for any number of folders, and `{a,b}`. Matching takes at most
// the length of the pattern times that of the path, for any pattern, because it doesn't use a regular expression.
const MOST_CHARACTERS = 500
const MOST_ALTERNATIVES = 64

type Any = "any number"
type Point = (point: string) => boolean
type Segment = Any | readonly (Point | Any)[]

/** Returns undefined if the pattern is too complicated. Paths are relative, with forward slashes. */
export function globOf(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > MOST_CHARACTERS) return undefined
  const globs = alternatives(pattern)?.map((glob) => glob.split("/").map(segmentOf))
  if (globs === undefined) return undefined
  return (path) => {
    const names = path.split("/")
    return globs.some((glob) => matches(glob, names, (segment, name) => isName(segment, name)))
  }
}

function isName(segment: Segment, name: string): boolean {
  return (
    segment !== "any number" &&
    matches(segment, [...name], (accepts, point) => accepts !== "any number" && accepts(point))
  )
}

/** Backtracks only to the last `any number`: it can match whatever an earlier one could. */
function matches<P, V>(
  pattern: readonly (P | Any)[],
  values: readonly V[],
  accepts: (item: P | Any, value: V) => boolean,
): boolean {
  let [at, value] = [0, 0]
  let back: { readonly at: number; value: number } | undefined
  while (value < values.length) {
    const item = pattern[at]
    if (item === "any number") {
      back = { at, value }
      at += 1
    } else if (item !== undefined && accepts(item, values[value] as V)) {
      // `values[value]` exists: the loop condition checks it.
      at += 1
      value += 1
    } else if (back !== undefined) {
      back.value += 1
      ;[at, value] = [back.at + 1, back.value]
    } else return false
  }
  return pattern.slice(at).every((item) => item === "any number")
}

function segmentOf(text: string): Segment {
  if (text === "**") return "any number"
  const tokens = text.matchAll(/\\(.)|\[([!^]?)(\]?[^\]]*)\]|([\s\S])/gu)
  return [...tokens].map(([whole, escaped, not, set]): Point | Any => {
    if (whole === "*") return "any number"
    if (whole === "?") return () => true
    if (set !== undefined) return pointIn(set, not !== "")
    const point = escaped ?? whole
    return (other) => other === point
  })
}

function pointIn(set: string, isNegative: boolean): Point {
  const ranges = [...set.matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)].map(
    ([, from, to, single = ""]) => [from ?? single, to ?? single] as const,
  )
  const codeOf = (point: string) => point.codePointAt(0) ?? 0
  return (point) =>
    ranges.some(([from, to]) => codeOf(from) <= codeOf(point) && codeOf(point) <= codeOf(to)) !== isNegative
}

/** `a{b,c}d` becomes `abd` and `acd`; braces without a comma are literal. Returns undefined if there are too many. */
function alternatives(pattern: string): readonly string[] | undefined {
  let done = [""]
  for (let at = 0; at < pattern.length; ) {
    const group = pattern.charAt(at) === "{" ? groupAt(pattern, at) : undefined
    const ends = group === undefined ? [pattern.charAt(at)] : endsOf(group.parts)
    if (ends === undefined || done.length * ends.length > MOST_ALTERNATIVES) return undefined
    done = done.flatMap((begin) => ends.map((end) => begin + end))
    at = group?.end ?? at + 1
  }
  return done
}

function endsOf(parts: readonly string[]): readonly string[] | undefined {
  const all = parts.map(alternatives)
  return all.includes(undefined) ? undefined : all.flatMap((ends) => ends ?? [])
}

function groupAt(
  pattern: string,
  start: number,
): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at += 1) {
    const char = pattern.charAt(at)
    if (char === "{") depth += 1
    if (char === "}") depth -= 1
    if ((char === "," && depth === 1) || depth === 0) {
      parts.push(pattern.slice(from, at))
      from = at + 1
    }
    if (depth === 0) return parts.length < 2 ? undefined : { parts, end: at + 1 }
  }
  return undefined
}
