// A file that was gathered: its text without frontmatter, what may be done with it, and where it stands.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Content, Provenance, TextPart } from "./content.ts"
import { lineCount } from "./content.ts"
import type { Freshness } from "./freshness.ts"
import type { Mode } from "./mode.ts"
import type { Need } from "./priority.ts"

export interface SourceFile {
  /** What the file is for: "soul", "identity", "base", and so on. Profiles look files up by role. */
  readonly role: string
  /** The path as a person would write it. */
  readonly path: string
  /** The same for one file by whatever path it was reached. */
  readonly identity: string
  readonly trust: Trust
  /** The body: no frontmatter, LF line ends, no byte order mark. */
  readonly text: string
  /** The line of the file on which the body starts. */
  readonly firstLine: number
  /** Of the whole file. */
  readonly digest: Digest
  /** The frontmatter, as parsed; of a JSON file, all that it says. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Only in these situations; everywhere if absent. */
  readonly situations?: readonly string[]
  /** Only in these modes; in every mode if absent. */
  readonly modes?: readonly Mode[]
  /** What the file itself asks for, in place of what its section says. */
  readonly need?: Need
  readonly freshness?: Freshness
  /** It never takes more than this. */
  readonly maxTokens?: number
  /** Why it cannot be read now, though it is there; the text is the last that was known, or empty. */
  readonly unavailable?: string
}

export function firstOf(files: readonly SourceFile[], role: string): SourceFile | undefined {
  return files.find((file) => file.role === role)
}

export function allOf(files: readonly SourceFile[], role: string): readonly SourceFile[] {
  return files.filter((file) => file.role === role)
}

/** The body as a part, with the lines that it stands on. */
export function bodyOf(file: SourceFile): TextPart {
  const last = file.firstLine + lineCount(file.text) - 1
  return { text: file.text, from: provenance(file, [file.firstLine, last]), trust: file.trust }
}

/** A sentence made from the frontmatter, which stands above the body. */
export function fromFields(file: SourceFile, text: string): TextPart {
  return { text, from: provenance(file, [1, Math.max(1, file.firstLine - 1)]), trust: file.trust }
}

/** A text that one value of a JSON file says. A value stands on one line, whatever line ends its text has. */
export function fromLine(file: SourceFile, line: number, text: string): TextPart {
  return { text, from: provenance(file, [line, line]), trust: file.trust }
}

export function bodyContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined || file.text.trim() === "") return undefined
  const { need, freshness, maxTokens } = file
  const wish = { ...(need && { need }), ...(freshness && { freshness }), ...(maxTokens && { maxTokens }) }
  return { parts: [bodyOf(file)], wish }
}

function provenance(file: SourceFile, lines: readonly [number, number]): Provenance {
  return { kind: "file", path: file.path, identity: file.identity, lines, digest: file.digest }
}
