// Renders one piece of Markdown as lines of limited width. Each piece is parsed alone: definitions elsewhere in the
// text do not count, since they may come later.
import { lexer, type Token, type Tokens } from "marked"
import type { Page } from "../../views/page.ts"
import { cells } from "../../views/widths.ts"
import { chopSpans, type Line, type Span, span, wrapSpans } from "../screen/styled.ts"
import { visible } from "../screen/visible.ts"
import { inlineSpans } from "./inline.ts"
import type { Piece } from "./pieces.ts"
import { tableLines } from "./table.ts"

export function pieceLines(piece: Piece, page: Page): readonly Line[] {
  if (piece.kind === "code") return codeLines(piece.text, page)
  const gap: readonly Line[] = piece.gap ? [[]] : []
  if (piece.kind === "fence") return [...gap, ...chopSpans([span(visible(piece.text), "dim")], page.columns)]
  const lines = piece.text.split("\n").map(visible)
  const tokens = isTooMuch(lines) ? undefined : parsed(lines.join("\n"))
  if (tokens === undefined) return [...gap, ...lines.flatMap((line) => wrapSpans([span(line)], page.columns))]
  const number = piece.kind === "item" ? piece.number : undefined
  return [...gap, ...blockLines(tokens, page, number)]
}

/** Undefined for text on which the parser itself fails, such as "- a\n  > 1.\na ": it is shown as it was written. */
function parsed(text: string): readonly Token[] | undefined {
  try {
    return lexer(text)
  } catch {
    return undefined
  }
}

/**
 * Longer or deeper text was not written by a person, and parsing it as Markdown takes too long or recurses too deep.
 */
const MAX_CHARACTERS = 8_000
const MAX_TABLE_CHARACTERS = 100_000
const MAX_MARKS = 100

function isTooMuch(lines: readonly string[]): boolean {
  const size = lines.reduce((sum, line) => sum + line.length, 0)
  const isTable = /^[\s|:-]+$/.test(lines[1] ?? "")
  const isDeep = lines.some((line) => (/^[\s>*+\-\d.)]*/.exec(line)?.[0].length ?? 0) > MAX_MARKS)
  return isDeep || size > (isTable ? MAX_TABLE_CHARACTERS : MAX_CHARACTERS)
}

function codeLines(text: string, { columns }: Page): readonly Line[] {
  return chopSpans([span(visible(text), "cyan")], columns)
}

/** `number`: the number of a list's first item. */
function blockLines(tokens: readonly Token[], page: Page, number?: number): readonly Line[] {
  const lines: Line[] = []
  let isApart = false
  for (const token of tokens) {
    if (token.type === "space") {
      isApart = lines.length > 0
      continue
    }
    const own = tokenLines(token, page, number)
    if (isApart && own.length > 0) lines.push([])
    lines.push(...own)
    isApart = false
  }
  return lines
}

function tokenLines(token: Token, page: Page, number: number | undefined): readonly Line[] {
  // `type` identifies the lexer's token, but `Token` allows for extensions and does not narrow.
  if (token.type === "heading") return headingLines(token as Tokens.Heading, page)
  if (token.type === "code") return fencedLines(token as Tokens.Code, page)
  if (token.type === "blockquote") return quoteLines(token as Tokens.Blockquote, page)
  if (token.type === "list") return listLines(token as Tokens.List, page, number)
  if (token.type === "table") return tableLines(token as Tokens.Table, page)
  if (token.type === "hr") return [[span("─".repeat(Math.min(page.columns, 40)), "dim")]]
  if ("tokens" in token && token.tokens !== undefined) return textLines(inlineSpans(token.tokens, page), page)
  return textLines([span(token.raw.trimEnd())], page)
}

function headingLines({ depth, tokens }: Tokens.Heading, page: Page): readonly Line[] {
  if (!page.colour) return textLines([span(`${"#".repeat(depth)} `), ...inlineSpans(tokens, page)], page)
  return textLines(inlineSpans(tokens, page, depth === 1 ? ["bold", "underline"] : ["bold"]), page)
}

function textLines(spans: readonly Span[], { columns }: Page): readonly Line[] {
  return brokenLines(spans).flatMap((line) => wrapSpans(line, columns))
}

/** Keeps explicit line ends. */
function brokenLines(spans: readonly Span[]): readonly Line[] {
  const lines: Span[][] = [[]]
  for (const one of spans)
    for (const [at, text] of one.text.split("\n").entries()) {
      if (at > 0) lines.push([])
      if (text !== "") lines.at(-1)?.push({ ...one, text })
    }
  return lines
}

function fencedLines({ text, lang, codeBlockStyle }: Tokens.Code, page: Page): readonly Line[] {
  const lines = text.split("\n").flatMap((line) => codeLines(line, page))
  if (codeBlockStyle === "indented") return lines
  const fence = (after: string): readonly Line[] => chopSpans([span(`\`\`\`${after}`, "dim")], page.columns)
  return [...fence(lang ?? ""), ...lines, ...fence("")]
}

/** With less room than this, text is not indented any further. */
const MIN_COLUMNS = 16

function quoteLines({ tokens }: Tokens.Blockquote, page: Page): readonly Line[] {
  const mark = span(page.colour ? "│ " : "> ", "dim")
  return indented(page, [mark], [mark], (inner) => blockLines(tokens, inner))
}

function listLines({ items, ordered, start }: Tokens.List, page: Page, number = start): readonly Line[] {
  return items.flatMap((item, at) => {
    const marker = ordered ? `${Number(number) + at}. ` : "- "
    const box = item.task ? `[${item.checked ? "x" : " "}] ` : ""
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox")
    const first = [span(marker, "dim"), span(box)]
    const lines = indented(page, first, [span(" ".repeat(marker.length))], (inner) =>
      blockLines(tokens, { ...inner, columns: Math.max(1, inner.columns - (box === "" ? 0 : 4)) }),
    )
    return item.loose && at > 0 ? [[], ...lines] : lines
  })
}

function indented(
  page: Page,
  first: Line,
  rest: Line,
  inside: (page: Page) => readonly Line[],
): readonly Line[] {
  const size = rest.reduce((sum, { text }) => sum + cells(text), 0)
  if (page.columns - size < MIN_COLUMNS) return inside(page)
  const lines = inside({ ...page, columns: page.columns - size })
  if (lines.length === 0) return [first]
  return lines.map((line, at) => {
    if (at === 0) return [...first, ...line]
    return line.length === 0 && rest.every(({ text }) => text.trim() === "") ? [] : [...rest, ...line]
  })
}
