// Where a change of a request is: its owner, the line in both versions, and the lines themselves. Pure.
import { changedLine, type OwnedPart } from "../../attribute/changed-line.ts"
import type { BillMiss } from "../bill.ts"
import type { OwnedCall } from "../owners/charge-call.ts"
import type { Difference } from "./first-difference.ts"

export type ChangedPlace = Pick<BillMiss, "owner" | "how" | "before" | "after">

export function changedPlace(
  before: OwnedCall,
  after: OwnedCall,
  difference: Extract<Difference, { readonly kind: "part" }>,
): ChangedPlace {
  const { how } = difference
  const was = sideOf(before, difference.before)
  const is = sideOf(after, difference.after)
  // What moved is the same at both places.
  const changed = how === "moved" ? changedLine(undefined, is) : changedLine(was, is)
  const side = is ?? was
  // They differ in what is not text, such as an id.
  if (changed === undefined) return { how, owner: side?.spans[0]?.owner }
  const { owner, line, lineBefore, before: old, after: now } = changed
  return {
    owner: { ...owner, line, lineBefore },
    // Of the line, where a part was edited.
    how: how === "changed" ? (old === undefined ? "came" : now === undefined ? "went" : how) : how,
    before: old,
    after: now,
  }
}

function sideOf({ parts, owned }: OwnedCall, at: number | undefined) {
  const part = at === undefined ? undefined : parts[at]
  if (part === undefined) return undefined
  return { part, spans: owned[at ?? 0] ?? [] } satisfies OwnedPart
}
