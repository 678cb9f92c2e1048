// Splits a Markdown file into its YAML frontmatter and its body. Frontmatter that is not quite YAML is read line by
// line, as other clients do. If that fails, too, there is a diagnostic and the body is kept.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { quotedValues } from "./loose-yaml.ts"
import { readYaml, yamlDiagnostics } from "./yaml-text.ts"

export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
  /** The line on which the body starts. */
  readonly firstLine: number
  /** The frontmatter is not valid YAML. What it restricts is uncertain, even where its fields could be guessed. */
  readonly isBroken: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Anything longer is a document of its own, not frontmatter. */
const MAX_LENGTH = 16_384

export function splitFrontMatter(text: string, path: string): FrontMatter {
  const match = /^---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(0, MAX_LENGTH))
  if (match === null) {
    const diagnostics = LOOKS_LIKE_ONE.test(text)
      ? bad(path, 1, "it is not closed with ---, or is too long").diagnostics
      : []
    return { fields: {}, body: text, firstLine: 1, isBroken: diagnostics.length > 0, diagnostics }
  }
  const [whole, source = ""] = match
  const body = text.slice(whole.length)
  const firstLine = whole.split("\n").length - (whole.endsWith("\n") ? 0 : 1)
  return { ...parseFields(source, path), body, firstLine }
}

type Fields = Pick<FrontMatter, "fields" | "isBroken" | "diagnostics">

/** Three dashes with a key below; dashes alone are a horizontal rule. */
const LOOKS_LIKE_ONE = /^---[ \t]*\n\s*[A-Za-z_-]+[ \t]*:/

function parseFields(source: string, path: string): Fields {
  const read = readYaml(source)
  // The opening dashes are on line 1 of the file, above the parsed text.
  if (read.kind === "problem") {
    const found = { line: read.line + 1, problem: read.problem }
    return read.isSyntax === true ? looseFields(source, path, found) : bad(path, found.line, found.problem)
  }
  const { value } = read
  const diagnostics = yamlDiagnostics(read, path).map((diagnostic) => ({
    ...diagnostic,
    line: diagnostic.line + 1,
  }))
  if (value === null || value === undefined) return { fields: {}, isBroken: false, diagnostics }
  if (typeof value !== "object" || Array.isArray(value))
    return bad(path, 2, "it is not a list of keys and values")
  return { fields: { ...value }, isBroken: false, diagnostics }
}

/** Most of what people write becomes valid YAML once the values are quoted. */
function looseFields(
  source: string,
  path: string,
  { line, problem }: { readonly line: number; readonly problem: string },
): Fields {
  const read = readYaml(quotedValues(source))
  if (read.kind === "problem") return bad(path, line, problem)
  const { value } = read
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad(path, line, problem)
  const diagnostics: readonly Diagnostic[] = [{ code: "loose-frontmatter", path, line, problem }]
  return { fields: { ...value }, isBroken: true, diagnostics }
}

function bad(path: string, line: number, problem: string): Fields {
  const diagnostics: readonly Diagnostic[] = [{ code: "bad-frontmatter", path, line, problem }]
  return { fields: {}, isBroken: true, diagnostics }
}
