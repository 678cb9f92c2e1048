// Where a change of a request is: its owner, the line in both versions, and the lines themselves. Pure.
import { changedLine } from "../../attribute/changed-line.ts"
import type { OwnedSpan } from "../../owner.ts"
import type { CallPart } from "../../split/part.ts"
import type { BillMiss } from "../bill.ts"
import { type OwnedCall, ownerOf } from "../owners/charge-call.ts"
import type { Difference } from "./first-difference.ts"

export type ChangedPlace = Pick<BillMiss, "owner" | "before" | "after">

/** The part in one of the two requests. */
interface Side {
  readonly part: CallPart
  readonly spans: readonly OwnedSpan[]
}

export function changedPlace(
  before: OwnedCall,
  after: OwnedCall,
  difference: Extract<Difference, { readonly kind: "part" }>,
): ChangedPlace {
  const was = sideOf(before, difference.before)
  const is = sideOf(after, difference.after)
  if (was !== undefined && is !== undefined && difference.how === "changed") return editedPlace(was, is)
  const side = is ?? was
  if (side === undefined) return {}
  const text = excerpt(side.part.text, 0)
  return {
    owner: placeIn(side, 0, "line"),
    ...(difference.how !== "came" && { before: text }),
    ...(difference.how !== "went" && { after: text }),
  }
}

function sideOf({ parts, owned }: OwnedCall, at: number | undefined): Side | undefined {
  const part = at === undefined ? undefined : parts[at]
  return part && { part, spans: owned[at ?? 0] ?? [] }
}

/** The first line that differs, as it is named in both versions. */
function editedPlace(was: Side, is: Side): ChangedPlace {
  const changed = changedLine(was, is)
  if (changed === undefined) return { owner: placeIn(is, 0, "line") }
  const { owner, line, lineBefore, before, after } = changed
  return {
    owner: {
      ...ownerOf(is.part, owner),
      ...(line !== undefined && { line }),
      ...(lineBefore !== undefined && { lineBefore }),
    },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

/** The owner of the text at an offset, and the line in its file. */
function placeIn({ part, spans }: Side, offset: number, name: "line" | "lineBefore"): BillMiss["owner"] {
  const span = spans.find(({ end }) => offset < end) ?? spans.at(-1)
  if (span === undefined) return undefined
  const owner = ownerOf(part, span.owner)
  if (owner.lines === undefined) return owner
  const above = part.text.slice(span.start, Math.max(span.start, offset)).split("\n").length - 1
  return { ...owner, [name]: Math.min(owner.lines[0] + above, owner.lines[1]) }
}

const LONGEST = 120

/** The line around an offset, from shortly before it; never splits a character. */
function excerpt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1
  const start = Math.max(lineStart, offset - LONGEST / 2)
  const lineEnd = text.indexOf("\n", Math.max(offset, start))
  return text.slice(start, Math.min(lineEnd === -1 ? text.length : lineEnd, start + LONGEST)).toWellFormed()
}
