// Whose text each part of a request is: the plan says which section and which lines of which file a stretch of our own
// prompt came from. The rest is what was said, and what tools are and did.
import type { Pace } from "../../../base/pace.ts"
import { toolOwner } from "../../../capture/attribute/tool-owner.ts"
import type { Owner } from "../../../capture/owner.ts"
import type { CallPart } from "../../../capture/split/part.ts"
import type { Report, ReportBlock, ReportOrigin } from "../../../core/read/report.ts"
import type { ShownSpan } from "../shown.ts"

export interface PlacedPart {
  readonly spans: readonly ShownSpan[]
  /** Null for what the plan did not write. */
  readonly pace: Pace | null
}

/** A block of the plan, found in a part. */
interface Placed {
  readonly block: number
  readonly pace: Pace
  readonly start: number
  readonly spans: readonly ShownSpan[]
}

/** For each part. */
export function createPlanSpans(
  parts: readonly CallPart[],
  report: Report | undefined,
): readonly PlacedPart[] {
  const placed = parts.map((): Placed[] => [])
  for (const [block, { placement, text, pace }] of (report?.blocks ?? []).entries()) {
    const found = text === "" ? undefined : placeOf(text, placement, parts, placed)
    if (found === undefined || report === undefined) continue
    const { start } = found
    placed[found.part]?.push({ block, pace, start, spans: spansOf(report, block, start) })
  }
  return parts.map((part, at) => {
    const own = (placed[at] ?? []).toSorted((one, other) => one.start - other.start)
    return {
      spans: filled(
        part,
        own.flatMap(({ spans }) => spans),
      ),
      pace: paceOf(part, own),
    }
  })
}

/** The head comes in the order of its blocks; the tail is where its text comes last. */
function placeOf(
  text: string,
  placement: ReportBlock["placement"],
  parts: readonly CallPart[],
  placed: readonly (readonly Placed[])[],
): { readonly part: number; readonly start: number } | undefined {
  const isOurs = ({ kind }: CallPart) => kind === "system" || kind === "text"
  if (placement === "tail") {
    const part = parts.findLastIndex((one) => isOurs(one) && one.text.includes(text))
    return part === -1 ? undefined : { part, start: parts[part]?.text.lastIndexOf(text) ?? 0 }
  }
  for (const [part, one] of parts.entries()) {
    const last = placed[part]?.at(-1)
    const from = last === undefined ? 0 : Math.max(last.start + 1, last.spans.at(-1)?.end ?? 0)
    const start = isOurs(one) ? one.text.indexOf(text, from) : -1
    if (start !== -1) return { part, start }
  }
  return undefined
}

function spansOf({ sections }: Report, block: number, offset: number): readonly ShownSpan[] {
  return sections
    .flatMap(({ id, spans }) =>
      spans
        .filter((span) => span.block === block && span.end > span.start)
        .map(({ start, end, from }) => ({
          start: start + offset,
          end: end + offset,
          section: id,
          owner: from === undefined ? null : ownerOf(from),
        })),
    )
    .toSorted((one, other) => one.start - other.start)
}

function ownerOf(from: ReportOrigin): Owner | null {
  if ("path" in from) return { kind: "file", path: from.path, lines: from.lines, match: "exact" }
  return "by" in from ? { kind: "hook", name: from.by, match: "exact" } : null
}

/** The gaps between what the plan wrote are whoever speaks there. */
function filled(part: CallPart, own: readonly ShownSpan[]): readonly ShownSpan[] {
  const owner = speaker(part)
  const spans: ShownSpan[] = []
  let end = 0
  const gap = (to: number) => {
    if (to > end) spans.push({ start: end, end: to, section: null, owner })
  }
  for (const span of own) {
    gap(span.start)
    spans.push(span)
    end = span.end
  }
  gap(part.text.length)
  return spans
}

function speaker({ kind, role = "user", tool = "", input }: CallPart): Owner | null {
  if (kind === "tool") return toolOwner(tool)
  if (kind === "system") return null
  if (kind === "tool-result") {
    const { kind: _tool, ...called } = toolOwner(tool)
    return { ...called, kind: "tool-result", input }
  }
  return {
    kind: "conversation",
    name: kind === "text" || kind === "file" ? role : "assistant",
    match: "exact",
  }
}

/** Tools stay as they are; a part with several blocks changes as often as the one that changes most. */
function paceOf({ kind }: CallPart, placed: readonly Placed[]): Pace | null {
  if (kind === "tool") return "stable"
  return placed.at(-1)?.pace ?? null
}
