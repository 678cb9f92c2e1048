// The owner of each line of a part, while it is being found, and the spans that they become. Lines of one file that
// follow each other are one span; the tokens of the spans add up to those of the part. Pure.
import type { Counter } from "../../core/model/counter.ts"
import type { Match, OwnedSpan, Owner } from "../owner.ts"
import type { CallPart } from "../split/part.ts"
import type { TextLines } from "./text-lines.ts"

/** A line of a file; from 0. */
export interface FileLine {
  readonly path: string
  readonly line: number
  readonly match: Match
}

export type LineOwner =
  | { readonly kind: "file"; readonly file: FileLine }
  | { readonly kind: "owner"; readonly owner: Owner }

/** By line of the text; undefined for what is nobody's so far. */
export type LineOwners = (LineOwner | undefined)[]

export interface SpanOptions {
  readonly part: CallPart
  readonly lines: TextLines
  readonly owners: LineOwners
  /** Of a line that is nobody's. */
  readonly base: (line: number) => Owner
  readonly counter: Counter
}

export function spansOf({ part, lines, owners, base, counter }: SpanOptions): readonly OwnedSpan[] {
  const stretches: { start: number; end: number; owner: Owner }[] = []
  for (let at = 0; at < lines.keys.length; at++) {
    const [start = 0, end = 0] = [lines.starts[at], lines.starts[at + 1]]
    const owner = ownerOf(owners[at], base(at))
    const last = stretches.at(-1)
    const joined = last && joinedOwner(last.owner, owner)
    if (last !== undefined && joined !== undefined) {
      last.end = end
      last.owner = joined
    } else stretches.push({ start, end, owner })
  }
  return counted(stretches, part, counter)
}

/** A file that a tool has read stays that tool's result. */
function ownerOf(found: LineOwner | undefined, base: Owner): Owner {
  if (found === undefined) return base
  if (found.kind === "owner") return found.owner
  const { path, line, match } = found.file
  const place = { path, lines: [line + 1, line + 1], match } as const
  return base.kind === "tool-result" ? { ...base, ...place } : { kind: "file", ...place }
}

/** The owner of two stretches that belong together. */
function joinedOwner(one: Owner, other: Owner): Owner | undefined {
  if (one === other) return one
  if (one.path === undefined || one.lines === undefined || other.lines === undefined) return undefined
  const isSame = one.kind === other.kind && one.path === other.path && one.match === other.match
  const follows = isSame && one.name === other.name && one.lines[1] + 1 === other.lines[0]
  return follows ? { ...one, lines: [one.lines[0], other.lines[1]] } : undefined
}

function counted(
  stretches: readonly { readonly start: number; readonly end: number; readonly owner: Owner }[],
  { text, tokens }: CallPart,
  counter: Counter,
): readonly OwnedSpan[] {
  if (stretches.length === 1) return stretches.map((stretch) => ({ ...stretch, tokens }))
  const own = stretches.map(({ start, end }) => counter.count(text.slice(start, end)))
  const all = own.reduce((sum, one) => sum + one, 0)
  // The parts of a text may count more tokens than the whole, and images count more than their text.
  let [before, given] = [0, 0]
  return stretches.map((stretch, at) => {
    before += own[at] ?? 0
    const until = all === 0 ? tokens : Math.round((tokens * before) / all)
    const share = until - given
    given = until
    return { ...stretch, tokens: share }
  })
}
