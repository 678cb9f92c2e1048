// A text file as tools change it: LF line ends and no byte order mark in memory, both restored on disk.
import { isUtf8 } from "node:buffer"

/** A larger file is not changed as text. */
export const MOST_TEXT_BYTES = 10 * 1024 * 1024

export interface TextForm {
  readonly hasMark: boolean
  /** The line end of most of its lines. */
  readonly lineEnd: "\n" | "\r\n"
}

const NEW_FILE: TextForm = { hasMark: false, lineEnd: "\n" }
const MARK = "\uFEFF"

/** Returns undefined if the bytes are not text: what cannot be decoded exactly cannot be written back. */
export function textIn(bytes: Buffer): string | undefined {
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined
  const text = bytes.toString("utf8")
  return text.startsWith(MARK) ? text.slice(1) : text
}

export function formOf(bytes: Buffer | undefined): TextForm {
  if (bytes === undefined) return NEW_FILE
  const text = bytes.toString("utf8")
  const pairs = text.split("\r\n").length - 1
  const isWindows = pairs > text.split("\n").length - 1 - pairs
  return { hasMark: text.startsWith(MARK), lineEnd: isWindows ? "\r\n" : "\n" }
}

export function plainLines(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

/** The text as bytes in this form. */
export function inForm(text: string, { hasMark, lineEnd }: TextForm): Buffer {
  const plain = plainLines(text.startsWith(MARK) ? text.slice(1) : text)
  const ended = lineEnd === "\n" ? plain : plain.replaceAll("\n", lineEnd)
  return Buffer.from(`${hasMark ? MARK : ""}${ended}`)
}

/** `1 line`, `12 lines`; a trailing line end does not start another line. */
export function lineCount(text: string): string {
  const count = text === "" ? 0 : plainLines(text).replace(/\n$/, "").split("\n").length
  return `${count} ${count === 1 ? "line" : "lines"}`
}
