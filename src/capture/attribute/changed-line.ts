// Names the line that makes a part differ from what it was: its file, its number in both versions, and what it says. A
// line that was inserted or removed is named itself, not the one that took its place. Pure.

import { diffLines } from "../../base/text/line-diff.ts"
import type { OwnedSpan, Owner } from "../owner.ts"
import type { CallPart } from "../split/part.ts"
import { quotedChange } from "./quoted-change.ts"

/** A part and whose it is. */
export interface OwnedPart {
  readonly part: Pick<CallPart, "text">
  readonly spans: readonly OwnedSpan[]
}

export interface ChangedLine {
  readonly owner: Owner
  /** In the file, from 1: as it is now, and as it was before. */
  readonly line?: number | undefined
  readonly lineBefore?: number | undefined
  /** What the line said and says, shortened. Undefined for a line that was not there. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** The first line that differs. Undefined if none does. */
export function changedLine(
  before: OwnedPart | undefined,
  after: OwnedPart | undefined,
): ChangedLine | undefined {
  const old = linesOf(before)
  const now = linesOf(after)
  const [hunk] = diffLines(old, now)
  if (hunk === undefined) return undefined
  const was = before && firstPlace(before, old, hunk.at, hunk.removed)
  const is = after && firstPlace(after, now, hunk.to, hunk.added)
  const owner = ownerFor(was, is)
  if (owner === undefined) return undefined
  const isIn = (place: Place | undefined) => (place?.owner.path === owner.path ? place?.line : undefined)
  return {
    owner,
    line: isIn(is),
    lineBefore: isIn(was),
    ...quotedChange(was && (old[was.at] ?? ""), is && (now[is.at] ?? "")),
  }
}

function linesOf(owned: OwnedPart | undefined): readonly string[] {
  return owned === undefined ? [] : owned.part.text.split("\n")
}

interface Place {
  readonly owner: Owner
  /** In the text, from 0. */
  readonly at: number
  /** In the file, from 1. */
  readonly line: number | undefined
}

/** A file says more than the client's own text, and what is there now more than what was. */
function ownerFor(was: Place | undefined, is: Place | undefined): Owner | undefined {
  return [is, was].find((place) => place?.owner.path !== undefined)?.owner ?? (is ?? was)?.owner
}

/** How many lines of a change are looked at. */
const MOST_LINES = 20

/**
 * Of lines that were added or removed together, the first that says something; if it is the client's own, the first that
 * is somebody's, since the client wraps it.
 */
function firstPlace(
  owned: OwnedPart,
  lines: readonly string[],
  at: number,
  count: number,
): Place | undefined {
  if (count === 0) return undefined
  let first: Place | undefined
  for (let line = at; line < at + Math.min(count, MOST_LINES); line++) {
    if (lines[line]?.trim() === "") continue
    const place = placeOf(owned, lines, line)
    first ??= place
    if (first?.owner.kind !== "client") return first
    if (place?.owner.kind === "file" || place?.owner.kind === "field") return place
  }
  return first ?? placeOf(owned, lines, at)
}

function placeOf({ spans }: OwnedPart, lines: readonly string[], at: number): Place | undefined {
  let offset = 0
  for (let line = 0; line < at; line++) offset += (lines[line]?.length ?? 0) + 1
  const span = spans.find(({ end }) => offset < end) ?? spans.at(-1)
  if (span === undefined) return undefined
  const { owner } = span
  // A field may be written over fewer or more lines than it has in its file.
  if (owner.lines === undefined || owner.kind === "field") return { owner, at, line: owner.lines?.[0] }
  return { owner, at, line: owner.lines[0] + linesBetween(lines, span.start, at) }
}

/** How many lines come after the one at an offset, up to a line. */
function linesBetween(lines: readonly string[], start: number, at: number): number {
  let [offset, line] = [0, 0]
  while (offset < start && line < at) {
    offset += (lines[line]?.length ?? 0) + 1
    line += 1
  }
  return at - line
}
