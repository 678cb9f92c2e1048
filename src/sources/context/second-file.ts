// Decides what a second instruction file in a folder adds to the one that is read: a CLAUDE.md may build on AGENTS.md,
// only point to it, repeat it, or be a different text, which is then left out. Compares text only; opens no file.
import type { SourceFile } from "../../core/model/source.ts"

/** `adds`: read it, too. `nothing`: leaving it out loses nothing. `other`: a different text that is not read. */
export type SecondFile = "adds" | "nothing" | "other"

export interface SecondFileOptions {
  /** The file that is read, and its name. */
  readonly read: SourceFile
  readonly name: string
  /** Whether the second file imports the first. */
  readonly imports: boolean
}

/** A text this short that names the other file is only a pointer. */
const MAX_POINTER_WORDS = 60

export function judgeSecondFile(
  { text }: SourceFile,
  { read, name, imports }: SecondFileOptions,
): SecondFile {
  const said = new Set(linesOf(read.text))
  const own = linesOf(text).filter((line) => !said.has(line))
  if (own.length === 0) return "nothing"
  if (imports) return own.every((line) => isImportOf(name, line)) ? "nothing" : "adds"
  const isShort = own.join(" ").split(/\s+/).length <= MAX_POINTER_WORDS
  return isShort && own.join(" ").toLowerCase().includes(name.toLowerCase()) ? "nothing" : "other"
}

function isImportOf(name: string, line: string): boolean {
  return /^@?\S+$/.test(line) && line.replace(/^@/, "").split("/").at(-1) === name
}

/** Lines with content: no headings and no comments. */
function linesOf(text: string): readonly string[] {
  return text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^#{1,6}\s/.test(line))
}
