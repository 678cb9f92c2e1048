// What became of each part from one side to the other.
import { type DiffPart, type DiffSide, STANDING } from "./diff-parts.ts"

/** In the words that are shown. `not compared`: it has a text on one side only, or stands in the conversation. */
export type ChangeKind = "added" | "removed" | "changed" | "unchanged" | "not compared"

export interface PartChange {
  readonly kind: ChangeKind
  readonly key: string
  readonly group: string
  readonly title: string
  readonly left: DiffPart | undefined
  readonly right: DiffPart | undefined
  /** Why it is not there on one side, or is cut. */
  readonly reason: string
}

/** In the order of the right side, with what only the left has at the end of its group. */
export function partChanges(left: DiffSide, right: DiffSide): readonly PartChange[] {
  const before = new Map(left.parts.map((part) => [part.key, part]))
  const after = new Set(right.parts.map(({ key }) => key))
  const groups = [...new Set([...right.parts, ...left.parts].map(({ group }) => group))]
  return groups.flatMap((group) => {
    const kept = right.parts
      .filter((part) => part.group === group)
      .map((part) => changeOf(before.get(part.key), part, { left, right }))
    const gone = left.parts
      .filter((part) => part.group === group && !after.has(part.key))
      .map((part) => changeOf(part, undefined, { left, right }))
    return [...kept, ...gone]
  })
}

/** The one to look at first: of the cached prefix before others, with a known text before others, then the largest. */
export function firstOf(changes: readonly PartChange[]): PartChange | undefined {
  return changes.filter(isChange).toSorted((one, other) => weightOf(other) - weightOf(one))[0]
}

export function isChange({ kind }: PartChange): boolean {
  return kind !== "unchanged" && kind !== "not compared"
}

function weightOf({ left, right }: PartChange): number {
  const { isPrefix = false, text = null } = right ?? left ?? {}
  const tokens = Math.abs((right?.tokens ?? 0) - (left?.tokens ?? 0))
  return tokens + (isPrefix ? 2e9 : 0) + (text === null ? 0 : 1e9)
}

function changeOf(
  left: DiffPart | undefined,
  right: DiffPart | undefined,
  sides: { readonly left: DiffSide; readonly right: DiffSide },
): PartChange {
  const { key = "", group = "", title = "" } = right ?? left ?? {}
  const whyNotLeft = left === undefined ? sides.left.reasons.get(key) : undefined
  const whyNotRight = right === undefined ? sides.right.reasons.get(key) : undefined
  const reasons = [
    // A reason beside text that is there needs its side; beside text that is gone, it can only be the other one.
    ...(whyNotLeft === undefined ? [] : [`before, ${whyNotLeft}`]),
    whyNotRight,
    ...(left?.outcome === right?.outcome ? [] : [right?.outcome]),
  ]
  const reason = reasons.filter((one) => one !== undefined && one !== "").join("; ")
  const kind = (whyNotLeft ?? whyNotRight) === STANDING ? "not compared" : kindOf(left, right)
  return { kind, key, group, title, left, right, reason }
}

function kindOf(left: DiffPart | undefined, right: DiffPart | undefined): ChangeKind {
  if (left === undefined) return "added"
  if (right === undefined) return "removed"
  // Providers count the same text a little differently from call to call.
  if (left.text !== null && right.text !== null) return left.text === right.text ? "unchanged" : "changed"
  // A recorded call and a build report also count the tokens in other ways.
  if (left.text !== null || right.text !== null) return "not compared"
  return Math.abs(left.tokens - right.tokens) <= Math.max(2, right.tokens * ROUNDED) ? "unchanged" : "changed"
}

/** Where only tokens are known, a smaller difference is that of counting. */
const ROUNDED = 0.1
