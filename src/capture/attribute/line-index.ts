// The lines of known files by what they say, and the runs of a text that are runs of one of them. Work grows with the
// length of the text: a line that stands in too many places leads nowhere, but a run passes over it. Pure.
import { type TextLines, textLines } from "./text-lines.ts"

/** How a file's text is known: as the client read it, as it is on disk now, or as it was once. */
export type FileVersion = "seen" | "current" | "earlier"

export interface SourceFile {
  readonly path: string
  readonly lines: TextLines
  readonly version: FileVersion
  /** In the order in which the client reads its files; undefined for a file that is not on its list. */
  readonly order?: number | undefined
}

export function sourceFile(file: Omit<SourceFile, "lines"> & { readonly text: string }): SourceFile {
  const { text, ...rest } = file
  return { ...rest, lines: textLines(text) }
}

/** Lines of a text that are lines of a file, in the same order. From 0. */
export interface Run {
  readonly file: SourceFile
  /** The first line in the text, and in the file. */
  readonly from: number
  readonly line: number
  readonly length: number
  /** Letters and digits. */
  readonly weight: number
}

export interface LineIndex {
  add(file: SourceFile): void
  /** All runs in some lines of a text; `to` is not included. */
  runs(text: TextLines, from: number, to: number): readonly Run[]
  /** The run of a whole file that begins at a line, however short it is. */
  wholeFile(path: string, text: TextLines, from: number, to: number): Run | undefined
}

/** Fewer letters and digits than this are no sign of a file. */
const ANCHOR = 8
/** A line that stands in more places is part of a run, but does not begin one. */
const MOST_PLACES = 64
/** More than any text has. */
const MOST_LINES = 2 ** 32

export function createLineIndex(): LineIndex {
  const files: SourceFile[] = []
  /** Pairs of a file's number and a line. */
  const places = new Map<string, number[]>()
  return {
    add(file) {
      const { keys, weights } = file.lines
      for (const [line, key] of keys.entries()) {
        if ((weights[line] ?? 0) < ANCHOR) continue
        const known = places.get(key)
        if (known === undefined) places.set(key, [files.length, line])
        else known.push(files.length, line)
      }
      files.push(file)
    },
    runs(text, from, to) {
      const found: Run[] = []
      /** By file and distance, the end of the last run. */
      const ends = new Map<number, number>()
      for (let at = from; at < to; at++) {
        const pairs = (text.weights[at] ?? 0) < ANCHOR ? undefined : places.get(text.keys[at] ?? "")
        if (pairs === undefined || pairs.length > MOST_PLACES * 2) continue
        for (let pair = 0; pair < pairs.length; pair += 2) {
          const [file, line] = [pairs[pair] ?? 0, pairs[pair + 1] ?? 0]
          const diagonal = file * MOST_LINES + at - line
          const source = files[file]
          if (source === undefined || (ends.get(diagonal) ?? -1) > at) continue
          const run = extended(text, source, { at, line, from, to })
          ends.set(diagonal, run.from + run.length)
          found.push(run)
        }
      }
      return found
    },
    wholeFile(path, text, from, to) {
      for (const file of files) {
        const line = file.path === path ? file.lines.keys.findIndex((key) => key !== "") : -1
        if (line === -1 || text.keys[from] !== file.lines.keys[line]) continue
        const run = extended(text, file, { at: from, line, from, to })
        if (isWholeFile(run)) return run
      }
      return undefined
    },
  }
}

interface Anchor {
  readonly at: number
  readonly line: number
  readonly from: number
  readonly to: number
}

function extended(text: TextLines, file: SourceFile, { at, line, from, to }: Anchor): Run {
  const { keys } = file.lines
  let start = 0
  while (at + start > from && line + start > 0 && text.keys[at + start - 1] === keys[line + start - 1])
    start -= 1
  let end = 1
  while (at + end < to && line + end < keys.length && text.keys[at + end] === keys[line + end]) end += 1
  return {
    file,
    from: at + start,
    line: line + start,
    length: end - start,
    weight: weightIn(text, at + start, at + end),
  }
}

export function weightIn({ weights }: TextLines, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += weights[at] ?? 0
  return sum
}

/** Whether a run has every line of its file that says something. */
export function isWholeFile({ file, line, length }: Run): boolean {
  const { keys } = file.lines
  return (
    keys.slice(0, line).every((key) => key === "") && keys.slice(line + length).every((key) => key === "")
  )
}
