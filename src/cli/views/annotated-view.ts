// The prompt's text, each line with its section and the source line in its file.

import { thousands } from "../../base/text/figures.ts"
import { countNewlines, lineCount } from "../../core/model/content.ts"
import type { Block, Entry, Plan, Span } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { type Paint, painter } from "./colour.ts"
import type { Page } from "./page.ts"
import { fitCell, wrap } from "./widths.ts"

interface GutterLayout {
  readonly gutter: number
  /** Cells for the text itself. */
  readonly width: number
  readonly paint: Paint
}

export function annotatedView({ plan }: Prompt, page: Page): string {
  const paint = painter(page)
  const names = plan.entries.filter(({ spans }) => spans.length > 0).map(({ id }) => id.length)
  const gutter = Math.min(16, Math.max(6, ...names))
  const look = { gutter, paint, width: Math.max(20, page.columns - gutter - 8) }
  const blocks = plan.blocks.flatMap((block, at) => [
    rule(block, page.columns, paint),
    ...annotate(block, spansOf(plan, at), look),
  ])
  return `${blocks.join("\n")}\n`
}

interface OwnedSpan extends Span {
  readonly id: string
}

function spansOf({ entries }: Plan, block: number): readonly OwnedSpan[] {
  const owned = ({ id, spans }: Entry) =>
    spans.filter((span) => span.block === block).map((span) => ({ ...span, id }))
  return entries.flatMap(owned).sort((a, b) => a.start - b.start)
}

function rule({ placement, pace, tokens, breakpoint }: Block, columns: number, paint: Paint): string {
  const cache = breakpoint === undefined ? "" : `, breakpoint at its end (${breakpoint.ttl})`
  const title = `── ${placement}, ${pace}, ${thousands(tokens)} tokens${cache} `
  return paint("dim", title + "─".repeat(Math.max(0, columns - title.length)))
}

function annotate({ text }: Block, spans: readonly OwnedSpan[], look: GutterLayout): string[] {
  const lines: string[] = []
  let offset = 0
  let before = ""
  let at = 0
  const numberOf = numbering(text)
  for (const [row, line] of text.replace(/\n$/, "").split("\n").entries()) {
    while (at < spans.length - 1 && (spans[at]?.end ?? 0) <= offset) at += 1
    const span = lastWithText(spans, at, offset, offset + line.length)
    const label = span === undefined || span.id === before ? "" : span.id
    before = span?.id ?? before
    const [first = "", ...rest] = wrap(printable(line), look.width)
    lines.push(
      gutterLine(label, numberOf(span, row, offset), first, look),
      ...rest.map((more) => gutterLine("", "", more, look)),
    )
    offset += line.length + 1
  }
  return lines
}

/** Escape sequences in a file must not reach the terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, "\ufffd")
}

function gutterLine(label: string, number: string, text: string, { gutter, paint }: GutterLayout): string {
  return `${paint("cyan", fitCell(label, gutter))} ${paint("dim", `${fitCell(number, 4, "right")} │`)} ${text}`.trimEnd()
}

/** A line may contain the end of one span and the start of the next; it belongs to the last one with any text. */
function lastWithText(
  spans: readonly OwnedSpan[],
  from: number,
  start: number,
  end: number,
): OwnedSpan | undefined {
  const here = spans
    .slice(from, from + 4)
    .filter((span) => span.start <= Math.max(start, end - 1) && span.end > start)
  return here.at(-1) ?? spans[from]
}

/**
 * Line numbers of files, row by row. Newlines are counted once per run of rows of one span: counting from the span's
 * start for each row would be quadratic.
 */
function numbering(text: string): (span: OwnedSpan | undefined, row: number, offset: number) => string {
  let last: OwnedSpan | undefined
  let shift: number | undefined
  return (span, row, offset) => {
    if (span !== last) shift = span === undefined ? undefined : shiftOf(text, span, row, offset)
    last = span
    return shift === undefined ? "" : String(row + shift)
  }
}

/** Returns undefined unless the span has as many lines as its range, so that each line has a number. */
function shiftOf(text: string, span: OwnedSpan, row: number, offset: number): number | undefined {
  if (span.from?.kind !== "file") return undefined
  const [first, last] = span.from.lines
  if (lineCount(text.slice(span.start, span.end)) !== last - first + 1) return undefined
  return first + countNewlines(text, span.start, offset) - row
}
