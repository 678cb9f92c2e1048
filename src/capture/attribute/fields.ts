// Descriptions of skills, agents and commands where a client lists them: found by their name and their text beside it,
// whatever the client has done to the white space and to `<` and `&`. Pure.
import { basename, dirname } from "node:path"
import { splitFrontMatter } from "../../sources/read/frontmatter.ts"
import type { Candidate } from "./candidates.ts"
import { type NameOptions, namedIn } from "./envelopes.ts"
import type { TextLines } from "./text-lines.ts"

export interface Field {
  readonly name: string
  /** With its white space folded. */
  readonly text: string
  readonly path: string
  /** Of the description in its file, from 1. */
  readonly lines: readonly [number, number]
}

/** Lines of a text that list a field; `to` is not included. */
export interface FieldMatch {
  readonly field: Field
  readonly from: number
  readonly to: number
}

export function fieldOf({ path, kind }: Candidate, text: string): Field | undefined {
  const { fields, body, firstLine } = splitFrontMatter(text.replaceAll("\r\n", "\n"), path)
  const own = kind === "skill" ? basename(dirname(path)) : basename(path).replace(/\.mdc?$/, "")
  const name = typeof fields.name === "string" && fields.name !== "" ? fields.name : own
  if (typeof fields.description === "string" && fields.description.trim() !== "")
    return { name, text: folded(fields.description), path, lines: descriptionLines(text) }
  // A command is described by its first line.
  const lines = body.split("\n")
  const at = lines.findIndex((line) => line.trim() !== "")
  const first = lines[at]?.replace(/^#+ /, "")
  if (kind !== "command" || first === undefined || first.length < LEAST_LINE) return undefined
  return { name, text: folded(first), path, lines: [firstLine + at, firstLine + at] }
}

/** A shorter line says no more than the name. */
const LEAST_LINE = 20

function folded(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}

/** From the key to the line before the next one. */
function descriptionLines(text: string): readonly [number, number] {
  const lines = text.split("\n")
  const first = lines.findIndex((line) => /^description\s*:/.test(line))
  if (first === -1) return [1, 1]
  let last = first
  while (last + 1 < lines.length && /^\s+\S/.test(lines[last + 1] ?? "")) last += 1
  return [first + 1, last + 1]
}

/** Enough of a description that was cut. */
const LEAST_PREFIX = 40
/** How many characters of a line a name is looked for in. */
const NAME_WITHIN = 200
/** A description may stand this many lines below its name, and its path this many below the description. */
const LINES_BELOW = 2

/** A client may add when to use it, or which tools it has. */
const MOST_BESIDE = 200

export type FieldTable = ReadonlyMap<string, readonly Field[]>

export function matchFields(
  text: TextLines,
  { from, to }: { readonly from: number; readonly to: number },
  fields: FieldTable,
  options: NameOptions,
): readonly FieldMatch[] {
  if (fields.size === 0) return []
  const found: FieldMatch[] = []
  for (let at = from; at < to; at++) {
    const match = matchAt(text, at, Math.min(to, text.keys.length), { fields, options })
    if (match === undefined) continue
    found.push(match)
    at = match.to - 1
  }
  return found
}

const NAME = /[\w][\w.:-]*[\w]|\w/g

function matchAt(
  text: TextLines,
  at: number,
  to: number,
  { fields, options }: { readonly fields: FieldTable; readonly options: NameOptions },
): FieldMatch | undefined {
  const names = (text.keys[at] ?? "").slice(0, NAME_WITHIN).match(NAME) ?? []
  const known = [...new Set(names)].flatMap((name) => fields.get(name) ?? [])
  const matches = known.flatMap((field) => {
    const described = describedUntil(text, at, to, field)
    if (described === undefined) return []
    const { end, shared } = described
    const below = text.keys.slice(at, Math.min(to, end + LINES_BELOW))
    const named = Math.max(0, ...below.map((line) => namedIn(line, field.path, options)))
    return [{ field, from: at, to: end, shared, named }]
  })
  const [match] = matches.toSorted(bestFirst)
  if (match === undefined) return undefined
  // The line with its path is its own too.
  const next = text.keys[match.to] ?? ""
  const isPath = match.to < to && namedIn(next, match.field.path, options) === 2
  return { field: match.field, from: at, to: isPath ? match.to + 1 : match.to }
}

interface Described {
  /** The line after the description. */
  readonly end: number
  /** How many characters of it are the field's. */
  readonly shared: number
}

interface Rival {
  readonly shared: number
  /** How well its path is named beside it. */
  readonly named: number
}

/** Of skills with one name: the one whose whole path is named, else the one that says more of this, as in its file. */
function bestFirst(one: Rival, other: Rival): number {
  const byPath = Number(other.named === 2) - Number(one.named === 2)
  return byPath || other.shared - one.shared || other.named - one.named
}

/** Where the description ends, if it stands beside the name. */
function describedUntil(
  text: TextLines,
  at: number,
  to: number,
  { name, text: wanted }: Field,
): Described | undefined {
  for (let line = at; line < Math.min(to, at + LINES_BELOW); line++) {
    const key = unescaped(text.keys[line] ?? "")
    const start = key.indexOf(wanted.slice(0, Math.min(wanted.length, FIRST)))
    if (start === -1 || (line === at ? !isBeside(key, name, start) : start > MOST_BEFORE)) continue
    let said = folded(key.slice(start))
    let end = line + 1
    // The rest of a description of several lines.
    while (end < to && said.length < wanted.length && wanted.startsWith(said)) {
      const more = folded(unescaped(text.keys[end] ?? ""))
      const joined = more === "" ? said : `${said} ${more}`
      if (!wanted.startsWith(joined.slice(0, wanted.length))) break
      said = joined
      end += 1
    }
    const shared = sharedLength(said, wanted)
    if (isDescription(said, wanted, shared)) return { end, shared }
  }
  return undefined
}

/** How much of a description is looked for before it is compared. */
const FIRST = 20
/** Between a name and its description, and before one on a line of its own. */
const MOST_BETWEEN = 8
const MOST_BEFORE = 40

function isBeside(line: string, name: string, start: number): boolean {
  return line.slice(Math.max(0, start - MOST_BETWEEN - name.length), start).includes(name)
}

/** All of it, with at most a note behind it, or as much as a client leaves of a long one. */
function isDescription(said: string, wanted: string, shared: number): boolean {
  const rest = said.slice(shared).trim()
  if (rest.length > MOST_BESIDE) return false
  return shared >= LEAST_PREFIX || (shared === wanted.length && /^(?:$|[(<[\-–—])/.test(rest))
}

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  "#39": "'",
}

function unescaped(text: string): string {
  return text.includes("&")
    ? text.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (_all, name) => ENTITIES[name] ?? "")
    : text
}
