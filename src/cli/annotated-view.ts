// The text itself, each line with the section that owns it and the line of the file it comes from.
import { countNewlines, lineCount } from "../core/content.ts"
import type { Block, Entry, Plan, Span } from "../core/plan.ts"
import type { Prompt } from "../core/prompt.ts"
import { fitCell, type Paint, painter, type Terminal, thousands, wrap } from "./terminal.ts"

interface Look {
  readonly gutter: number
  /** Cells for the text itself. */
  readonly width: number
  readonly paint: Paint
}

export function annotatedView({ plan }: Prompt, terminal: Terminal): string {
  const paint = painter(terminal)
  const names = plan.entries.filter(({ spans }) => spans.length > 0).map(({ id }) => id.length)
  const gutter = Math.min(16, Math.max(6, ...names))
  const look = { gutter, paint, width: Math.max(20, terminal.columns - gutter - 8) }
  const blocks = plan.blocks.flatMap((block, at) => [
    rule(block, terminal.columns, paint),
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

function annotate({ text }: Block, spans: readonly OwnedSpan[], look: Look): string[] {
  const lines: string[] = []
  let offset = 0
  let before = ""
  let at = 0
  for (const line of text.replace(/\n$/, "").split("\n")) {
    while (at < spans.length - 1 && (spans[at]?.end ?? 0) <= offset) at += 1
    const span = lastWithText(spans, at, offset, offset + line.length)
    const label = span === undefined || span.id === before ? "" : span.id
    before = span?.id ?? before
    const [first = "", ...rest] = wrap(printable(line), look.width)
    lines.push(
      gutterLine(label, lineOf(text, span, offset), first, look),
      ...rest.map((more) => gutterLine("", "", more, look)),
    )
    offset += line.length + 1
  }
  return lines
}

/** Escape sequences of a file must not reach the terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, "\ufffd")
}

function gutterLine(label: string, number: string, text: string, { gutter, paint }: Look): string {
  return `${paint("cyan", fitCell(label, gutter))} ${paint("dim", `${fitCell(number, 4, "right")} │`)} ${text}`.trimEnd()
}

/** A line may hold the end of one span and the beginning of the next; its text belongs to the last that has any. */
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

function lineOf(text: string, span: OwnedSpan | undefined, offset: number): string {
  const from = span?.from
  if (span === undefined || from?.kind !== "file" || !isVerbatim(text, span)) return ""
  return String(from.lines[0] + countNewlines(text, span.start, offset))
}

const VERBATIM = new WeakMap<OwnedSpan, boolean>()

/** Whether the span has as many lines as its range, so that each has its own number; asked once for a span. */
function isVerbatim(text: string, span: OwnedSpan): boolean {
  const known = VERBATIM.get(span)
  if (known !== undefined) return known
  const lines = span.from?.kind === "file" ? span.from.lines : ([0, 0] as const)
  const made = lineCount(text.slice(span.start, span.end)) === lines[1] - lines[0] + 1
  VERBATIM.set(span, made)
  return made
}
