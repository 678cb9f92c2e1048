// Whose text each part of a request is: the plan says which section and which lines of which file a stretch of our own
// prompt came from. The rest is what was said, and what tools are and did.
import type { Pace } from "../../../base/pace.ts"
import { toolOwner } from "../../../capture/attribute/tool-owner.ts"
import type { Owner } from "../../../capture/owner.ts"
import type { CallPart } from "../../../capture/split/part.ts"
import type { Report, ReportOrigin, ReportSpan } from "../../../core/read/report.ts"
import { TAIL_ENVELOPE } from "../../../core/write/markup.ts"
import type { ShownSpan } from "../shown.ts"

export interface PlacedPart {
  readonly spans: readonly ShownSpan[]
  /** Null for what the plan did not write. */
  readonly pace: Pace | null
}

/** A stretch of a block, and where in the parts it was found. */
interface Placed {
  readonly part: number
  readonly start: number
  readonly end: number
  readonly pace: Pace
  readonly spans: readonly ShownSpan[]
}

/** What the prompt of a call was planned as. */
export interface Planned {
  readonly report: Report
  /** The plan with the turn's text: that of an earlier step, if this one had nothing to add. */
  readonly tail: Report
}

/** For each part. */
export function planSpans(parts: readonly CallPart[], planned: Planned | undefined): readonly PlacedPart[] {
  const placed =
    planned === undefined ? [] : [...headPlaces(planned.report, parts), ...tailPlaces(planned.tail, parts)]
  const byPart = Map.groupBy(placed, ({ part }) => part)
  return parts.map((part, at) => {
    const own = (byPart.get(at) ?? []).toSorted((one, other) => one.start - other.start)
    const spans = own.flatMap((one) => one.spans)
    // Tools stay as they are; text with several blocks changes as often as the last of them.
    const pace = part.kind === "tool" ? "stable" : (own.at(-1)?.pace ?? null)
    return { spans: filled(part, spans), pace }
  })
}

/** The head comes in the order of its blocks, whether each is a part or one part has all of them. */
function headPlaces(report: Report, parts: readonly CallPart[]): readonly Placed[] {
  const placed: Placed[] = []
  for (const [block, { placement, text, pace }] of report.blocks.entries()) {
    if (placement !== "head" || text === "") continue
    const last = placed.at(-1)
    for (const [part, one] of parts.entries()) {
      if (part < (last?.part ?? 0) || !isOurs(one)) continue
      const start = one.text.indexOf(text, part === last?.part ? last.end : 0)
      if (start === -1) continue
      const spans = spansIn(report, { block, from: 0, to: text.length, at: start })
      placed.push({ part, start, end: start + text.length, pace, spans })
      break
    }
  }
  return placed
}

/** The tail is where its text comes last. Its sections may be sent apart, some of them as a system message. */
function tailPlaces(report: Report, parts: readonly CallPart[]): readonly Placed[] {
  const block = report.blocks.findIndex(({ placement }) => placement === "tail")
  const { text = "", pace = "turn" } = report.blocks[block] ?? {}
  const placeOf = (from: number, to: number): Placed | undefined => {
    const sought = text.slice(from, to)
    const part = sought === "" ? -1 : parts.findLastIndex((one) => isOurs(one) && one.text.includes(sought))
    const start = parts[part]?.text.lastIndexOf(sought) ?? 0
    const spans = spansIn(report, { block, from, to, at: start })
    return part === -1 ? undefined : { part, start, end: start + sought.length, pace, spans }
  }
  const whole = placeOf(0, text.length)
  if (whole !== undefined) return [whole]
  return report.sections.flatMap(({ kind, spans }) => {
    const own = kind === "envelope" ? [] : spans.filter((span) => span.block === block)
    const [from, to] = [Math.min(...own.map(({ start }) => start)), Math.max(...own.map(({ end }) => end))]
    return own.length === 0 ? [] : (placeOf(from, to) ?? [])
  })
}

/** Whether it has text for its turn. */
export function hasTail({ blocks }: Report): boolean {
  return blocks.some(({ placement, text }) => placement === "tail" && text !== "")
}

function isOurs({ kind }: CallPart): boolean {
  return kind === "system" || kind === "text"
}

/** A stretch of a block, and where it begins in a part. */
interface Stretch {
  readonly block: number
  readonly from: number
  readonly to: number
  readonly at: number
}

function spansIn({ sections }: Report, { block, from, to, at }: Stretch): readonly ShownSpan[] {
  const isIn = (span: ReportSpan) =>
    span.block === block && span.start >= from && span.end <= to && span.end > span.start
  const found = sections.flatMap(({ id, spans }) =>
    spans.filter(isIn).map((span) => ({
      ...{ start: span.start - from + at, end: span.end - from + at },
      ...{ section: id, owner: span.from === undefined ? null : ownerOf(span.from) },
    })),
  )
  return found.toSorted((one, other) => one.start - other.start)
}

function ownerOf(from: ReportOrigin): Owner | null {
  if ("path" in from) return { kind: "file", path: from.path, lines: from.lines, match: "exact" }
  return "by" in from ? { kind: "hook", name: from.by, match: "exact" } : null
}

/** The gaps between what the plan wrote are whoever speaks there. */
function filled(part: CallPart, own: readonly ShownSpan[]): readonly ShownSpan[] {
  const spans: ShownSpan[] = []
  let end = 0
  for (const span of own) {
    spans.push(...spoken(part, end, span.start), span)
    end = span.end
  }
  return [...spans, ...spoken(part, end, part.text.length)]
}

/** Tails of earlier turns are in what was said; nobody else can write their tags. */
function spoken(part: CallPart, from: number, to: number): readonly ShownSpan[] {
  const owner = speaker(part)
  const spans: ShownSpan[] = []
  let end = from
  const add = (until: number, whose: Owner | null) => {
    if (until > end) spans.push({ start: end, end: until, section: null, owner: whose })
    end = Math.max(end, until)
  }
  const { open, close } = TAIL_ENVELOPE
  while (part.kind === "text" && part.role !== "assistant") {
    const start = part.text.indexOf(open, end)
    const last = start === -1 ? -1 : part.text.indexOf(close, start)
    if (last === -1 || last + close.length > to) break
    add(start, owner)
    add(last + close.length, null)
  }
  add(to, owner)
  return spans
}

function speaker({ kind, role = "user", tool = "", input }: CallPart): Owner | null {
  if (kind === "tool") return toolOwner(tool)
  if (kind === "system") return null
  if (kind === "tool-result") {
    const { kind: _tool, ...called } = toolOwner(tool)
    return { ...called, kind: "tool-result", ...(input !== undefined && { input }) }
  }
  const isSaid = kind === "text" || kind === "file"
  return { kind: "conversation", name: isSaid ? role : "assistant", match: "exact" }
}
