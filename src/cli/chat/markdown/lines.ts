// One piece of Markdown as lines of limited width.
import type { Block, List, ReadBlock } from "../../../markdown/block.ts"
import { readBlocks } from "../../../markdown/read-blocks.ts"
import { withSpaces } from "../../../markdown/with-spaces.ts"
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
  if (piece.kind === "fence") return [...gap, ...fenceLines(piece.text, page)]
  return [...gap, ...blockLines(readBlocks(withSpaces(piece.text.split("\n"))), page, piece.number)]
}

function fenceLines(text: string, { columns }: Page): readonly Line[] {
  return chopSpans([span(visible(text), "dim")], columns)
}

function codeLines(text: string, { columns }: Page): readonly Line[] {
  return chopSpans([span(visible(text), "cyan")], columns)
}

/** `number`: the number of a list's first item. */
function blockLines(blocks: readonly ReadBlock[], page: Page, number?: number): readonly Line[] {
  return blocks.flatMap(({ block, from }, at) => {
    const before = blocks[at - 1]
    const lines = linesOf(block, page, number)
    return before !== undefined && from > before.to ? [[], ...lines] : lines
  })
}

function linesOf(block: Block, page: Page, number: number | undefined): readonly Line[] {
  switch (block.kind) {
    case "paragraph":
      return textLines(inlineSpans(block.text, page), page)
    case "heading":
      return headingLines(block, page)
    case "code":
      return blockOfCode(block, page)
    case "quote": {
      const mark = span(page.colour ? "│ " : "> ", "dim")
      return indented(page, { first: [mark], rest: [mark] }, (inner) => blockLines(block.blocks, inner))
    }
    case "list":
      return listLines(block, page, number)
    case "table":
      return tableLines(block, page)
    case "rule":
      return [[span("─".repeat(Math.min(page.columns, 40)), "dim")]]
  }
}

function headingLines({ level, text }: Extract<Block, { kind: "heading" }>, page: Page): readonly Line[] {
  if (!page.colour) return textLines([span(`${"#".repeat(level)} `), ...inlineSpans(text, page)], page)
  return textLines(inlineSpans(text, page, level === 1 ? ["bold", "underline"] : ["bold"]), page)
}

/** Keeps line ends: people who write to a chat mean them. */
function textLines(spans: readonly Span[], { columns }: Page): readonly Line[] {
  const lines: Span[][] = [[]]
  for (const one of spans)
    if (one.text === "\n") lines.push([])
    else lines.at(-1)?.push(one)
  return lines.flatMap((line) => wrapSpans(line, columns))
}

function blockOfCode({ text, fence }: Extract<Block, { kind: "code" }>, page: Page): readonly Line[] {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => codeLines(line, page))
  if (fence === undefined) return lines
  const marks = /^(?:`+|~+)/.exec(fence)?.[0] ?? ""
  return [...fenceLines(fence, page), ...lines, ...fenceLines(marks, page)]
}

function listLines({ items, start, isLoose }: List, page: Page, number = start): readonly Line[] {
  return items.flatMap((blocks, at) => {
    const marker = number === undefined ? "- " : `${number + at}. `
    const marks = { first: [span(marker, "dim")], rest: [span(" ".repeat(marker.length))] }
    const lines = indented(page, marks, (inner) => blockLines(blocks, inner))
    return isLoose && at > 0 ? [[], ...lines] : lines
  })
}

/** With less room than this, text is not indented any further. */
const MIN_COLUMNS = 16

function indented(
  page: Page,
  { first, rest }: { readonly first: Line; readonly rest: Line },
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
