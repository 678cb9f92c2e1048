// Reads Markdown into blocks: CommonMark with the tables and tasks of GitHub, as models write it. Tags stay text, and so do
// references such as `[1]: https://…`. The work grows with the length of the text, whatever is in it.
import type { Block, ReadBlock } from "./block.ts"
import {
  endsParagraph,
  FENCE,
  HEADING,
  INDENTED,
  isBlank,
  isTableStart,
  markerOf,
  QUOTE,
  RULE,
  UNDERLINE,
} from "./line-kinds.ts"
import { readList } from "./read-list.ts"
import { readTable } from "./read-table.ts"

/** What is nested deeper is text. */
const MOST_DEPTH = 12

export function readBlocks(lines: readonly string[], depth = 0): readonly ReadBlock[] {
  const blocks: ReadBlock[] = []
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const read = readBlock(lines, at, depth)
    blocks.push(read)
    at = read.to
  }
  return blocks
}

function readBlock(lines: readonly string[], at: number, depth: number): ReadBlock {
  const line = lines[at] ?? ""
  const fence = FENCE.exec(line)
  if (fence !== null) return readFence(lines, at, fence)
  if (HEADING.test(line)) return { block: headingOf(line), from: at, to: at + 1 }
  if (RULE.test(line)) return { block: { kind: "rule" }, from: at, to: at + 1 }
  if (INDENTED.test(line)) return readIndented(lines, at)
  if (depth < MOST_DEPTH && QUOTE.test(line)) return readQuote(lines, at, depth)
  const marker = depth < MOST_DEPTH ? markerOf(line) : undefined
  if (marker !== undefined)
    return readList(lines, at, { marker, read: (inside) => readBlocks(inside, depth + 1) })
  return isTableStart(lines, at) ? readTable(lines, at) : readParagraph(lines, at)
}

function readFence(
  lines: readonly string[],
  at: number,
  [, indent = "", marks = ""]: RegExpExecArray,
): ReadBlock {
  const isEnd = (line = "") => {
    const text = line.trim()
    return (
      !INDENTED.test(line) && text.length >= marks.length && /^(?:`+|~+)$/.test(text) && text[0] === marks[0]
    )
  }
  let to = at + 1
  while (to < lines.length && !isEnd(lines[to])) to += 1
  const shift = new RegExp(`^ {0,${indent.length}}`)
  const inside = lines.slice(at + 1, to).map((line) => line.replace(shift, ""))
  return { block: codeOf(inside), from: at, to: Math.min(to + 1, lines.length) }
}

function readIndented(lines: readonly string[], at: number): ReadBlock {
  let to = at + 1
  for (let next = to; next < lines.length; next += 1) {
    if (INDENTED.test(lines[next] ?? "")) to = next + 1
    else if (!isBlank(lines[next])) break
  }
  return { block: codeOf(lines.slice(at, to).map((line) => line.slice(4))), from: at, to }
}

function codeOf(lines: readonly string[]): Block {
  return { kind: "code", text: lines.map((line) => `${line}\n`).join("") }
}

function headingOf(line: string): Block {
  const [start = "", marks = ""] = HEADING.exec(line) ?? []
  const words = line.slice(start.length).trim()
  // Marks at its end belong to the heading if they stand apart.
  const text = /(?:^|[ \t])#+$/.test(words) ? words.replace(/#+$/, "").trim() : words
  return { kind: "heading", level: marks.length, text }
}

function readQuote(lines: readonly string[], at: number, depth: number): ReadBlock {
  const inside: string[] = []
  let to = at
  for (; to < lines.length; to += 1) {
    const line = lines[to] ?? ""
    const isMarked = QUOTE.test(line)
    if (!isMarked && (isBlank(inside.at(-1)) || endsParagraph(lines, to))) break
    inside.push(isMarked ? line.replace(/^ {0,3}> ?/, "") : line)
  }
  const blocks = readBlocks(inside, depth + 1).map(({ block }) => block)
  return { block: { kind: "quote", blocks }, from: at, to }
}

function readParagraph(lines: readonly string[], at: number): ReadBlock {
  let to = at + 1
  while (to < lines.length && !UNDERLINE.test(lines[to] ?? "") && !endsParagraph(lines, to)) to += 1
  const words = lines.slice(at, to).map((line) => line.trim())
  const text = words.join("\n")
  const underline = lines[to] ?? ""
  if (!UNDERLINE.test(underline)) return { block: { kind: "paragraph", text }, from: at, to }
  return { block: { kind: "heading", level: underline.includes("=") ? 1 : 2, text }, from: at, to: to + 1 }
}
