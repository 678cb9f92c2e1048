// A gathered file: its text without frontmatter, who may see it, and where it comes from.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Content, Provenance, TextPart } from "./content.ts"
import { lineCount } from "./content.ts"
import type { Mode } from "./mode.ts"
import type { OnChange } from "./on-change.ts"
import type { Priority } from "./priority.ts"

/** A file that was read, as sections use it: its text, where it is from, and the trust it needs. */
export interface SourceFile {
  /** The file's purpose: "soul", "identity", "base", and so on. Profiles look files up by role. */
  readonly role: string
  /** The path as a person would write it. */
  readonly path: string
  /** The same for one file, whichever path leads to it. */
  readonly identity: string
  readonly trust: Trust
  /** The body: no frontmatter, LF line ends, no byte order mark. */
  readonly text: string
  /** The line of the file on which the body starts. */
  readonly firstLine: number
  /** Digest of the whole file. */
  readonly digest: Digest
  /** The parsed frontmatter. For a JSON file, its whole content. */
  readonly fields: Readonly<Record<string, unknown>>
  /** For a JSON file: on which lines its values are. */
  readonly lines?: ValueLines
  /** Only in these situations; everywhere if absent. */
  readonly situations?: readonly string[]
  /** Only in these modes; in every mode if absent. */
  readonly modes?: readonly Mode[]
  /** What the file itself asks for; overrides its section's values. */
  readonly priority?: Priority
  readonly onChange?: OnChange
  /** An upper limit on its size in the prompt. */
  readonly maxTokens?: number
  /** Why the file exists but cannot be read now. The text is then the last known one, or empty. */
  readonly unavailable?: string
}

/** The line of a value, and of the values in it by key or index. */
export interface ValueLines {
  readonly line: number
  readonly below?: ReadonlyMap<string, ValueLines>
}

/** The line of a value by its keys from the top; of the deepest value that exists. */
export function lineOf({ line, below }: ValueLines, [key, ...rest]: readonly PropertyKey[]): number {
  const inner = key === undefined ? undefined : below?.get(String(key))
  return inner === undefined ? line : lineOf(inner, rest)
}

/** A file that was looked for and is not read. Only for the reasons in a plan: no section sees it. */
export interface AbsentFile {
  readonly role: string
  /** As a person would write it. May be a pattern, such as `rules/*.md`. */
  readonly path: string
  /** A file beside it that may have been meant. */
  readonly nearest?: string
  /** It was looked for in this folder and all above it. */
  readonly upFrom?: string
  /** It exists, but needs more trust. */
  readonly needs?: Trust
  /** It is in the prompt already, under this role. */
  readonly usedAs?: string
}

/** The first file with a role, or undefined. */
export function firstOf(files: readonly SourceFile[], role: string): SourceFile | undefined {
  return files.find((file) => file.role === role)
}

/** All files with a role, in their order. */
export function allOf(files: readonly SourceFile[], role: string): readonly SourceFile[] {
  return files.filter((file) => file.role === role)
}

/** The body as a part, with its line range. */
export function bodyOf(file: SourceFile): TextPart {
  const last = file.firstLine + lineCount(file.text) - 1
  return { text: file.text, from: provenance(file, [file.firstLine, last]), trust: file.trust }
}

/** A sentence made from the frontmatter, with the frontmatter's line range. */
export function fromFields(file: SourceFile, text: string): TextPart {
  return { text, from: provenance(file, [1, Math.max(1, file.firstLine - 1)]), trust: file.trust }
}

/** Text from one value of a JSON file. The value is on one line, whatever line breaks the text has. */
export function fromValue(file: SourceFile, keys: readonly PropertyKey[], text: string): TextPart {
  const line = file.lines === undefined ? file.firstLine : lineOf(file.lines, keys)
  return { text, from: provenance(file, [line, line]), trust: file.trust }
}

/** The body of a file as a section's content, with its path and lines as the source. */
export function bodyContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined || file.text.trim() === "") return undefined
  const { priority, onChange, maxTokens } = file
  const wish = {
    ...(priority && { priority }),
    ...(onChange && { onChange }),
    ...(maxTokens && { maxTokens }),
  }
  return { parts: [bodyOf(file)], wish }
}

function provenance(file: SourceFile, lines: readonly [number, number]): Provenance {
  return { kind: "file", path: file.path, identity: file.identity, lines, digest: file.digest }
}
