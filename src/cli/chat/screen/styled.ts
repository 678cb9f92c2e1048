// Text with styles, wrapped to a width in cells and painted last. The text in a span must be safe to show.
import type { Paint, Style } from "../../views/colour.ts"
import { cells, graphemes } from "../../views/widths.ts"

export interface Span {
  readonly text: string
  readonly styles: readonly Style[]
}

export type Line = readonly Span[]

export function span(text: string, ...styles: readonly Style[]): Span {
  return { text, styles }
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join("")
}

export function paintLine(line: Line, paint: Paint): string {
  return line.map(({ text, styles }) => styles.reduce((shown, style) => paint(style, shown), text)).join("")
}

interface Glyph {
  readonly text: string
  readonly size: number
  readonly styles: readonly Style[]
}

/** Lines of at most `width` cells, broken at blanks, between wide characters, and within words that are too long. */
export function wrapSpans(line: Line, width: number): readonly Line[] {
  const glyphs = line.flatMap(({ text, styles }) =>
    Array.from(graphemes(text), (one): Glyph => ({ text: one, size: cells(one), styles })),
  )
  const lines: Line[] = []
  let from = 0
  while (from < glyphs.length || lines.length === 0) {
    const { end, next } = breakAt(glyphs, from, width)
    lines.push(joinGlyphs(glyphs.slice(from, end)))
    from = next
  }
  return lines
}

/** Lines with the exact text, broken at the width: for code. */
export function chopSpans(line: Line, width: number): readonly Line[] {
  const lines: Glyph[][] = [[]]
  let used = 0
  for (const { text, styles } of line)
    for (const one of graphemes(text)) {
      const size = cells(one)
      if (used + size > width && used > 0) {
        lines.push([])
        used = 0
      }
      lines.at(-1)?.push({ text: one, size, styles })
      used += size
    }
  return lines.map(joinGlyphs)
}

/** Where a line that begins at `from` ends, and where the next one begins. */
function breakAt(glyphs: readonly Glyph[], from: number, width: number): { end: number; next: number } {
  let used = 0
  let best: { readonly end: number; readonly next: number } | undefined
  for (let at = from; at < glyphs.length; at += 1) {
    const glyph = glyphs[at]
    if (glyph === undefined) break
    if (glyph.text === " ") {
      const isFirst = glyphs[at - 1]?.text !== " " && at > from
      if (isFirst || (best === undefined && used >= width)) best = { end: at, next: at + 1 }
      else if (best !== undefined && best.next === at) best = { end: best.end, next: at + 1 }
    } else if (at > from && (glyph.size === 2 || glyphs[at - 1]?.size === 2) && used <= width)
      best = { end: at, next: at }
    if (used + glyph.size > width && glyph.text !== " ") {
      // A glyph wider than the line gets its own line.
      return best ?? { end: Math.max(at, from + 1), next: Math.max(at, from + 1) }
    }
    used += glyph.size
  }
  if (used <= width) return { end: glyphs.length, next: glyphs.length }
  // Only blanks exceed the width.
  return { end: best?.end ?? from, next: glyphs.length }
}

/** Merges neighbours of one style into one span. */
function joinGlyphs(glyphs: readonly Glyph[]): Line {
  const spans: Span[] = []
  for (const { text, styles } of glyphs) {
    const last = spans.at(-1)
    if (last !== undefined && last.styles === styles)
      spans[spans.length - 1] = { text: last.text + text, styles }
    else spans.push({ text, styles })
  }
  return spans
}
