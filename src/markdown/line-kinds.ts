// What a line of Markdown begins, looking no further than the line after it.

/** The indent, the marks, and what they say about the code. */
export const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/
export const FENCE_END = /^ {0,3}(`{3,}|~{3,})\s*$/
export const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/
export const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
export const QUOTE = /^ {0,3}>/
/** Below a text that it makes a heading. */
export const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
export const INDENTED = /^ {4}/
const MARKER = /^( {0,3})(?:([-*+])|(\d{1,9})([.)]))( +|\t|$)/
/** Not what underlines a heading, nor a list. */
const DELIMITERS = /^(?=.*\|)(?! {0,3}-\s) {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

/** A table with more columns is text: a browser takes minutes for hundreds of them. */
const MOST_COLUMNS = 100

/** What an item of a list begins with. */
export interface Marker {
  /** The items of one list have the same. */
  readonly kind: string
  /** Undefined for a bullet. */
  readonly number: number | undefined
  readonly indent: number
  /** Where the text of the item begins, in all of its lines. */
  readonly width: number
  readonly isEmpty: boolean
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ""
}

export function markerOf(line: string): Marker | undefined {
  const found = MARKER.exec(line)
  if (found === null || RULE.test(line)) return undefined
  const [whole, indent = "", bullet, number, dot = "", space = ""] = found
  const isEmpty = isBlank(line.slice(whole.length))
  return {
    kind: bullet ?? dot,
    number: number === undefined ? undefined : Number(number),
    indent: indent.length,
    // More spaces than four are those of code in the item.
    width: isEmpty || space.length > 4 ? whole.length - space.length + 1 : whole.length,
    isEmpty,
  }
}

export function isFenceEnd(line: string, marks: string): boolean {
  return FENCE_END.exec(line)?.[1]?.startsWith(marks) === true
}

export function isTableStart(lines: readonly string[], at: number): boolean {
  const [heads = "", delimiters = ""] = lines.slice(at, at + 2)
  if (!heads.includes("|") || !DELIMITERS.test(delimiters)) return false
  const columns = cellsOf(heads).length
  return columns === cellsOf(delimiters).length && columns <= MOST_COLUMNS
}

export function cellsOf(line: string): readonly string[] {
  const cells = line
    .trim()
    .replace(/^\|/, "")
    .split(/(?<!\\)\|/)
  if (cells.length > 1 && isBlank(cells.at(-1))) cells.pop()
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim())
}

/** A quote without its mark. */
export function unquoted(line: string): string {
  return line.replace(/^ {0,3}> ?/, "")
}

/** Whether a line goes on with the quote before it. */
export function isOfQuote(lines: readonly string[], at: number): boolean {
  return QUOTE.test(lines[at] ?? "") || !(isBlank(unquoted(lines[at - 1] ?? "")) || endsParagraph(lines, at))
}

/** Whether a line does not go on with the paragraph before it. */
export function endsParagraph(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ""
  if (isBlank(line) || [FENCE, HEADING, RULE, QUOTE].some((kind) => kind.test(line))) return true
  const marker = markerOf(line)
  // A year at the beginning of a line is not a list.
  if (marker !== undefined) return !marker.isEmpty && (marker.number ?? 1) === 1
  return isTableStart(lines, at)
}
