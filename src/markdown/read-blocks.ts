// Reads Markdown into blocks: CommonMark with the tables and tasks of GitHub, as models write it. Tags stay text, and so do
// references such as `[1]: https://…`. The work grows with the length of the text, whatever is in it.
import type { Block, ReadBlock } from "./block.ts"
import {
  endsParagraph,
  FENCE,
  HEADING,
  INDENTED,
  isBlank,
  isFenceEnd,
  isOfQuote,
  isTableStart,
  markerOf,
  QUOTE,
  RULE,
  UNDERLINE,
  unquoted,
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

function readFence(lines: readonly string[], at: number, fence: RegExpExecArray): ReadBlock {
  const [line, indent = "", marks = ""] = fence
  let to = at + 1
  while (to < lines.length && !isFenceEnd(lines[to] ?? "", marks)) to += 1
  const shift = new RegExp(`^ {0,${indent.length}}`)
  const inside = lines.slice(at + 1, to).map((one) => one.replace(shift, ""))
  return { block: codeOf(inside, line.trim()), from: at, to: to + 1 }
}

function readIndented(lines: readonly string[], at: number): ReadBlock {
  let to = at + 1
  for (let next = to; next < lines.length; next += 1) {
    if (INDENTED.test(lines[next] ?? "")) to = next + 1
    else if (!isBlank(lines[next])) break
  }
  return { block: codeOf(lines.slice(at, to).map((line) => line.slice(4))), from: at, to }
}

function codeOf(lines: readonly string[], fence?: string): Block {
  return { kind: "code", text: lines.map((line) => `${line}\n`).join(""), fence }
}

function headingOf(line: string): Block {
  const [start = "", marks = ""] = HEADING.exec(line) ?? []
  const words = line.slice(start.length).trim()
  // Marks at its end belong to the heading if they stand apart.
  const text = /(?:^|[ \t])#+$/.test(words) ? words.replace(/#+$/, "").trim() : words
  return { kind: "heading", level: marks.length, text }
}

function readQuote(lines: readonly string[], at: number, depth: number): ReadBlock {
  let to = at + 1
  while (to < lines.length && isOfQuote(lines, to)) to += 1
  const blocks = readBlocks(lines.slice(at, to).map(unquoted), depth + 1)
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
