// Markdown within a line: emphasis, code, links. Without colours the marks stay, so that nothing is lost.
import { type Inline, readInline } from "../../../markdown/read-inline.ts"
import type { Style } from "../../views/colour.ts"
import type { Page } from "../../views/page.ts"
import { type Span, span } from "../screen/styled.ts"
import { visible } from "../screen/visible.ts"

type Colouring = Pick<Page, "colour">

export function inlineSpans(text: string, look: Colouring, styles: readonly Style[] = []): readonly Span[] {
  return readInline(text).flatMap((part) => partSpans(part, look, styles))
}

const MARKS = {
  strong: { style: "bold", mark: "**" },
  em: { style: "italic", mark: "*" },
  del: { style: "strike", mark: "~~" },
} as const

function partSpans(part: Inline, look: Colouring, styles: readonly Style[]): readonly Span[] {
  if (typeof part === "string") return [span(visible(part), ...styles)]
  if (part.kind === "break") return [span("\n", ...styles)]
  if (part.kind === "link") return linkSpans(part, look, styles)
  if (part.kind === "code")
    return look.colour
      ? [span(visible(part.text), ...styles, "cyan")]
      : [span(inBackticks(visible(part.text)), ...styles)]
  const { style, mark } = MARKS[part.kind]
  const inside = (own: readonly Style[]) => part.inside.flatMap((one) => partSpans(one, look, own))
  if (look.colour) return inside([...styles, style])
  return [span(mark, ...styles), ...inside(styles), span(mark, ...styles)]
}

/** As many as there are nowhere in it. */
function inBackticks(code: string): string {
  const runs = new Set(code.match(/`+/g))
  let marks = "`"
  while (runs.has(marks)) marks += "`"
  const gap = /^`|`$/.test(code) ? " " : ""
  return `${marks}${gap}${code}${gap}${marks}`
}

/** Always shows the address: a terminal offers no preview of a link. */
function linkSpans(
  { href, inside }: Extract<Inline, { kind: "link" }>,
  look: Colouring,
  styles: readonly Style[],
): readonly Span[] {
  const address = visible(href)
  const shown = inside.flatMap((part) => partSpans(part, look, styles))
  const isSame = shown.map(({ text }) => text).join("") === address.replace(/^mailto:/, "")
  const underlined = shown.map((one) => span(one.text, ...one.styles, "underline"))
  return isSame ? underlined : [...underlined, span(` (${address})`, ...styles, "dim")]
}
