// The lines of a zone that are lines of known files: those that are the same, a last line that was cut, and those that
// must be the file as it was then, because they stand between its lines or fill the rest of its envelope. Pure.
import { type Claim, claimRuns } from "./claim-runs.ts"
import { type NameOptions, namedAbove, type Quoted, quotedFiles } from "./envelopes.ts"
import type { LineIndex, SourceFile } from "./line-index.ts"
import type { LineOwners } from "./line-owners.ts"
import type { TextLines } from "./text-lines.ts"
import type { Zone } from "./zones.ts"

export interface QuotedOptions extends NameOptions {
  readonly index: LineIndex
  readonly text: TextLines
  readonly zone: Zone
  /** What is found is written here; what is there stays. */
  readonly owners: LineOwners
}

/** Says which files have lines in the zone. */
export function quoteLines(options: QuotedOptions): readonly Claim[] {
  const { index, text, zone, owners } = options
  const quoted = zone.kind === "client" ? quotedFiles(text, zone) : []
  const claims = claimRuns({
    index,
    text,
    ...{ from: zone.from, to: zone.to },
    named: (file, line) => {
      const inside = quoted.find(({ from, to }) => from <= line && line < to)
      if (inside !== undefined) return inside.path === file.path ? 3 : 0
      return namedAbove(text, line, file.path, options)
    },
  })
  for (const claim of claims) {
    own(claim, owners)
    growOverBlanks(claim, 1, options)
    growOverBlanks(claim, -1, options)
    cutLine(claim, options)
  }
  for (const { path, from, to } of quoted) {
    const run = owners[from] === undefined ? index.wholeFile(path, text, from, to) : undefined
    if (run !== undefined) own({ run, others: [] }, owners)
  }
  for (const one of quoted) inferQuoted(one, text, owners)
  inferBetween(claims, text, owners)
  for (const { path, heading, from } of quoted)
    if (hasLines(owners, from, path)) nameEnvelope(path, { heading, from }, owners)
  return claims
}

/** Shorter stretches are not looked for in all files. */
const LEAST_LEFT = 5

/** The stretches of a zone that are nobody's so far, if they are long enough to be a file's. */
export function leftovers({ from, to }: Zone, owners: LineOwners): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  let start = from
  for (let at = from; at <= to; at++) {
    if (at < to && owners[at] === undefined) continue
    if (at - start >= LEAST_LEFT) found.push([start, at])
    start = at + 1
  }
  return found
}

/** Looks for what is left in files that the client was not known to read. */
export function quoteLeftovers(options: QuotedOptions): void {
  const { index, text, zone, owners } = options
  for (const [from, to] of leftovers(zone, owners)) {
    const named = (file: SourceFile, line: number) => namedAbove(text, line, file.path, options)
    for (const claim of claimRuns({ index, text, from, to, named }))
      if (claim.run.length >= LEAST_LEFT) own(claim, owners)
  }
}

function own({ run, others }: Claim, owners: LineOwners): void {
  const match = others.length > 0 ? "one-of" : "exact"
  for (let at = 0; at < run.length; at++)
    owners[run.from + at] ??= { kind: "file", file: { path: run.file.path, line: run.line + at, match } }
}

/** Some clients add or remove empty lines: what follows them is the file's if it is the same. */
function growOverBlanks({ run }: Claim, step: 1 | -1, { text, zone, owners }: QuotedOptions): void {
  const { path, lines } = run.file
  const isFree = (at: number) => at >= zone.from && at < zone.to && owners[at] === undefined
  let at = step === 1 ? run.from + run.length : run.from - 1
  let line = step === 1 ? run.line + run.length : run.line - 1
  for (;;) {
    const start = at
    while (isFree(at) && text.keys[at] === "") at += step
    while (lines.keys[line] === "") line += step
    if (!isFree(at) || text.keys[at] !== lines.keys[line]) return
    for (let blank = start; blank !== at + step; blank += step)
      owners[blank] = { kind: "file", file: { path, line, match: "exact" } }
    at += step
    line += step
  }
}

/** Enough of a line that was cut to know it. */
const LEAST_CUT = 20

/** A client may cut a file in the middle of a line. */
function cutLine({ run }: Claim, { text, zone, owners }: QuotedOptions): void {
  const next = run.from + run.length
  const line = run.line + run.length
  const [said, whole] = [text.keys[next] ?? "", run.file.lines.keys[line] ?? ""]
  if (next >= zone.to || owners[next] !== undefined) return
  if (said.length < LEAST_CUT || !whole.startsWith(said)) return
  owners[next] = { kind: "file", file: { path: run.file.path, line, match: "exact" } }
}

/**
 * In the envelope of a file, what is not the same is the file as it was then. Where it ends must be known. Its lines are
 * then counted in the envelope, because the file as it is now may have more or fewer.
 */
function inferQuoted({ path, from, to, isClosed }: Quoted, text: TextLines, owners: LineOwners): void {
  const own = ownLines(owners, from, to, path)
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return
  const start = isClosed ? from : first
  let end = isClosed ? to : last + 1
  // Empty lines before the end are the client's.
  while (end > last + 1 && text.keys[end - 1] === "") end -= 1
  if (own.length === end - start) return
  const line = first === start ? (fileLine(owners, first) ?? 0) : 0
  for (let at = start; at < end; at++) {
    const owner = owners[at]
    const isOwn = owner?.kind === "file" && owner.file.path === path
    if (owner !== undefined && !isOwn) continue
    const match = isOwn ? owner.file.match : "inferred"
    owners[at] = { kind: "file", file: { path, line: line + at - start, match } }
  }
}

function ownLines(owners: LineOwners, from: number, to: number, path: string): readonly number[] {
  const found: number[] = []
  for (let at = from; at < to; at++) {
    const owner = owners[at]
    if (owner?.kind === "file" && owner.file.path === path) found.push(at)
  }
  return found
}

function fileLine(owners: LineOwners, at: number): number | undefined {
  const owner = owners[at]
  return owner?.kind === "file" ? owner.file.line : undefined
}

/** Without an envelope, only a few lines between two stretches of one file, in its order, are certain. */
const MOST_BETWEEN = 20

function inferBetween(claims: readonly Claim[], text: TextLines, owners: LineOwners): void {
  for (const [at, { run }] of claims.entries()) {
    const next = claims[at + 1]?.run
    if (next === undefined || next.file.path !== run.file.path || next.line < run.line + run.length) continue
    const [from, to] = [run.from + run.length, next.from]
    if (to - from > MOST_BETWEEN) continue
    for (let line = from; line < to; line++) {
      // A heading of the client may stand between two quotes of one file.
      if (text.keys[line] === undefined || owners[line] !== undefined) continue
      const file = { path: run.file.path, line: run.line + line - run.from, match: "inferred" } as const
      owners[line] = { kind: "file", file }
    }
  }
}

function hasLines(owners: LineOwners, from: number, path: string): boolean {
  const owner = owners[from] ?? owners[from + 1]
  return owner?.kind === "file" && owner.file.path === path
}

/** The line that names a file whose text follows, and what stands between them. */
function nameEnvelope(
  path: string,
  { heading, from }: Pick<Quoted, "heading" | "from">,
  owners: LineOwners,
): void {
  const owner = { kind: "envelope", path, match: "exact" } as const
  for (let at = heading; at < from; at++) owners[at] ??= { kind: "owner", owner }
}
