// A text in Markdown as blocks that are drawn one by one, also while it is still being written.
import type { Block } from "./block.ts"
import { readBlocks } from "./read-blocks.ts"
import { withSpaces } from "./with-spaces.ts"

/** A part of a text that is drawn by itself, such as a paragraph or a list: while a text grows, only its last changes. */
export interface MarkdownBlock {
  /** Where it begins in the text. */
  readonly start: number
  readonly source: string
  /** Undefined for what is shown as it is. */
  readonly block: Block | undefined
}

/** A longer text is shown as it is. */
const MOST_CHARACTERS = 100_000
/** What is read again for each word that comes, while a text grows. */
const MOST_GROWING = 20_000

/** The blocks of a text. `isOpen`: more of it is coming, so its end is completed as far as it can be told. */
export function markdownBlocks(given: string, isOpen = false): readonly MarkdownBlock[] {
  const text = withPlainBreaks(given)
  if (text.length > MOST_CHARACTERS) return [asItIs(text, 0)]
  return blocksFrom(isOpen ? completed(text) : text, 0)
}

/** The same for a text that has grown since: blocks that cannot change any more are not read again. */
export function grownBlocks(before: readonly MarkdownBlock[], given: string): readonly MarkdownBlock[] {
  const text = withPlainBreaks(given)
  const settled = before.slice(0, -2)
  const last = settled.at(-1)
  const start = last === undefined ? 0 : last.start + last.source.length
  const isSame = settled.every((one) => text.startsWith(one.source, one.start))
  if (text.length > MOST_CHARACTERS || !isSame) return markdownBlocks(text, true)
  const rest = text.slice(start)
  if (rest.length > MOST_GROWING) return [...settled, asItIs(rest, start)]
  return [...settled, ...blocksFrom(completed(rest), start)]
}

function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n")
}

function asItIs(source: string, start: number): MarkdownBlock {
  return { start, source, block: undefined }
}

function blocksFrom(text: string, before: number): readonly MarkdownBlock[] {
  const given = text.split("\n")
  const starts = [0]
  for (const line of given) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  return readBlocks(withSpaces(given)).map(({ block, from, to }) => {
    const start = starts[from] ?? 0
    return { start: before + start, source: text.slice(start, starts[to]), block }
  })
}

/**
 * What is written so far, without what would look like something else until the next words come: the beginning of a
 * list is not an underlined heading, and a half link is its text.
 */
function completed(text: string): string {
  if (isInFence(text)) return text
  const lineStart = text.lastIndexOf("\n") + 1
  if (/^\s*(?:[-=*+_#>|~`]{1,3}|\d{1,3}[.)]?)\s*$/.test(text.slice(lineStart)))
    return text.slice(0, lineStart)
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1)
  const half = /!?\[([^[\]\n]{0,500})(?:\](?:\([^)\s]{0,2000})?)?$/.exec(paragraph.slice(-MOST_HALF))
  const whole = half === null ? text : text.slice(0, text.length - half[0].length) + (half[1] ?? "")
  return whole + missingEnd(paragraph)
}

/** The longest beginning of a link that is looked for. */
const MOST_HALF = 2_510

function isInFence(text: string): boolean {
  return (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
}

/** What closes emphasis and code that is still open at the end. */
function missingEnd(paragraph: string): string {
  if ((paragraph.match(/`/g)?.length ?? 0) % 2 === 1) return paragraph.endsWith("`") ? "" : "`"
  const isStrong = (paragraph.match(/\*\*/g)?.length ?? 0) % 2 === 1
  return isStrong && /\*\*\S[^*]*\S$/.test(paragraph) ? "**" : ""
}
