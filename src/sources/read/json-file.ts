// Reads a JSON file of a workspace as a source: its raw text, so that diagnostics have line numbers, and its values as
// fields. Anything that cannot be understood is a diagnostic with its line; the rest of the file is used.
import type { z } from "zod"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { oncePerText } from "../../base/memo/once.ts"
import type { AbsentFile } from "../../core/model/source.ts"
import { lineOf, type SourceFile } from "../../core/model/source.ts"
import { type Convention, fileReader } from "../file-reader.ts"
import type { Workspace } from "../workspace.ts"
import { cleanValue } from "./clean-value.ts"
import { readJson } from "./json-text.ts"
import { schemaProblem } from "./schema-problem.ts"

/** The schema for a value, which may depend on the kind of value. */
export type Shape = (value: unknown) => z.ZodType

export type JsonReader = ((path: string, convention: Convention, shape: Shape) => SourceFile | undefined) & {
  readonly diagnostics: Diagnostic[]
  readonly absent: readonly AbsentFile[]
}

/** A file that is a list has its items under `list`. */
export function jsonReader(workspace: Workspace): JsonReader {
  const readText = fileReader(workspace)
  const { diagnostics, absent } = readText
  const read = (path: string, convention: Convention, shape: Shape): SourceFile | undefined => {
    const file = readText(path, convention)
    // Unavailable now and never read before: there is nothing to parse, and the plan gives the reason.
    if (file === undefined || (file.unavailable !== undefined && file.text === "")) return file
    const parsed = parse(file, shape)
    diagnostics.push(...parsed.diagnostics)
    return { ...file, ...parsed.content }
  }
  return Object.assign(read, { diagnostics, absent })
}

/** Finding the lines of a long file takes far longer than reading it, and files rarely change between turns. */
const readOnce = oncePerText(16, readJson)

interface Parsed {
  readonly content: Pick<SourceFile, "fields" | "lines">
  readonly diagnostics: readonly Diagnostic[]
}

function parse(file: SourceFile, shape: Shape): Parsed {
  const bad = (line: number, problem: string): Diagnostic => {
    return { code: "bad-json", path: file.path, line, problem, needs: file.trust }
  }
  const read = readOnce(file.text)
  if (read.kind === "problem") return { content: { fields: {} }, diagnostics: [bad(read.line, read.problem)] }
  let isCleaned = false
  const value: unknown = JSON.parse(file.text, (_key, item) => {
    if (typeof item !== "string") return item
    const cleaned = clean(item)
    // Line ends and lone surrogates are repaired without a diagnostic.
    isCleaned ||= cleaned !== item.replaceAll("\r\n", "\n").toWellFormed()
    return cleaned
  })
  const issues = shape(value).safeParse(value, { error: schemaProblem }).error?.issues ?? []
  const problems = issues.map(({ path: keys, message }) =>
    bad(lineOf(read.lines, keys), `${keys.join(".") || "the file"}: ${message}`),
  )
  const escaped: Diagnostic = { code: "escaped-characters", path: file.path, line: 1, needs: file.trust }
  return {
    content: { fields: fieldsOf(value), lines: read.lines },
    diagnostics: isCleaned ? [escaped, ...problems] : problems,
  }
}

/** Removes what an escape can bring back after the file's text was cleaned. */
function clean(text: string): string {
  return cleanValue(text.replaceAll("\r\n", "\n")).toWellFormed()
}

function fieldsOf(value: unknown): SourceFile["fields"] {
  if (Array.isArray(value)) return { list: value }
  return typeof value === "object" && value !== null ? { ...value } : {}
}
