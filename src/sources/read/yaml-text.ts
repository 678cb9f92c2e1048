// Reads untrusted YAML within limits: checks size, depth, aliases and keys before building any value, and gives every
// problem its line.
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  type Pair,
  parseDocument,
  visit,
} from "yaml"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { cleanValue, cleanValues } from "./clean-value.ts"
import { lineCounterOf } from "./yaml-lines.ts"

export type YamlRead =
  | {
      readonly kind: "problem"
      readonly line: number
      readonly column: number
      readonly problem: string
      /** The text is not valid YAML, as opposed to exceeding a limit. */
      readonly isSyntax?: true
    }
  | {
      readonly kind: "read"
      readonly document: Document
      /** The parsed value, without prototypes, dates and other values that JSON does not have. */
      readonly value: unknown
      /** Unknown tags. Their values are read as if untagged; nothing is ever executed. */
      readonly tags: readonly UnknownTag[]
      /** The line of the first value from which control characters or hidden text were removed. */
      readonly escaped: number | undefined
      readonly lineAt: (offset: number) => number
    }

interface UnknownTag {
  readonly line: number
  readonly tag: string
}

type YamlDiagnostic = Extract<Diagnostic, { code: "unknown-yaml-tag" | "escaped-characters" }>

/** Diagnostics about a text that could be read. */
export function yamlDiagnostics(
  { tags, escaped }: Pick<Extract<YamlRead, { kind: "read" }>, "tags" | "escaped">,
  path: string,
): readonly YamlDiagnostic[] {
  const odd = tags.map((tag): YamlDiagnostic => ({ code: "unknown-yaml-tag", path, ...tag }))
  return escaped === undefined ? odd : [...odd, { code: "escaped-characters", path, line: escaped }]
}

/** A longer configuration is a mistake. */
const MAX_YAML_CHARACTERS = 256 * 1024
/** How deep lists and maps may be nested. */
const MAX_YAML_DEPTH = 32
const MAX_ALIASES = 20
const MAX_TAGS = 20

export function readYaml(text: string): YamlRead {
  const lines = lineCounterOf(text)
  const problem = (offset: number, what: string): Extract<YamlRead, { kind: "problem" }> => {
    const { line, col } = lines.linePos(offset)
    return { kind: "problem", line: Math.max(1, line), column: Math.max(1, col), problem: what }
  }
  if (text.length > MAX_YAML_CHARACTERS)
    return problem(0, `it has ${text.length} characters; the limit is ${MAX_YAML_CHARACTERS}`)
  const deep = tooDeepAt(text, MAX_YAML_DEPTH)
  if (deep !== undefined) return problem(deep, `it is nested more than ${MAX_YAML_DEPTH} levels deep`)
  // Unique keys are checked below, because the library compares every pair.
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false })
  const [error] = document.errors
  if (error !== undefined)
    return { ...problem(error.pos[0], error.message.split("\n", 1)[0] ?? error.code), isSyntax: true }
  const { yaml } = document.directives ?? {}
  if (yaml?.explicit && yaml.version !== "1.2") return problem(0, "only YAML 1.2 is supported")
  const odd = oddNode(document)
  if (odd !== undefined) return problem(odd.at, odd.problem)
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const tags = document.warnings
    .filter(({ code }) => code === "TAG_RESOLVE_FAILED")
    .slice(0, MAX_TAGS)
    .map(({ pos }) => ({ line: lineAt(pos[0]), tag: tagAt(text, pos[0]) }))
  try {
    const value = cleanValues(document.toJS({ maxAliasCount: MAX_ALIASES }))
    return { kind: "read", document, value, tags, escaped: escapedAt(document, lineAt), lineAt }
  } catch (error) {
    // The library rejects aliases that multiply and aliases without an anchor; any other error is a bug of ours.
    if (!(error instanceof ReferenceError)) throw error
    return { ...problem(firstAlias(document), error.message.slice(0, LONGEST_PROBLEM)), isSyntax: true }
  }
}

const LONGEST_PROBLEM = 200

function firstAlias(document: Document): number {
  let found = 0
  visit(document, {
    Alias(_key, node) {
      found = startOf(node)
      return visit.BREAK
    },
  })
  return found
}

/** The line of the first value in which an escape produced a character that is removed. */
function escapedAt(document: Document, lineAt: (offset: number) => number): number | undefined {
  let found: number | undefined
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== "string" || cleanValue(node.value) === node.value) return undefined
      found = lineAt(startOf(node))
      return visit.BREAK
    },
  })
  return found
}

function tagAt(text: string, at: number): string {
  return /^\S{0,60}/.exec(text.slice(at, at + 60))?.[0] ?? ""
}

/** Where nesting gets too deep, judged by tokens alone: the parser itself would be slow or overflow the stack. */
export function tooDeepAt(text: string, limit: number): number | undefined {
  let offset = 0
  let flow = 0
  /** Markers of block lists and keys on one line: each is a level. */
  let onLine = 0
  const indents: number[] = []
  let [isStart, isScalarNext] = [true, false]
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR) {
      isScalarNext = true
      continue
    }
    if (token === DOCUMENT || token === FLOW_ERROR) continue
    if (isStart && flow === 0 && token !== "\n") onLine = 0
    if (isStart && flow === 0 && token.trim() !== "") enterIndent(indents, indentOf(text, offset))
    if (!isScalarNext) {
      if (token === "[" || token === "{") flow += 1
      else if (token === "]" || token === "}") flow = Math.max(0, flow - 1)
      else if (token === "-" || token === "?") onLine += 1
    }
    if (flow > limit || onLine > limit || indents.length > limit) return offset
    isStart = token.endsWith("\n") || (isStart && token.trim() === "")
    isScalarNext = false
    offset += token.length
  }
  return undefined
}

/** Control tokens that the lexer emits; they represent no text. */
const DOCUMENT = "\u0002"
const FLOW_ERROR = "\u0018"
const SCALAR = "\u001f"

function indentOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1)
}

/** The indents open around a line, innermost last. */
function enterIndent(indents: number[], indent: number): void {
  while ((indents.at(-1) ?? -1) >= indent) indents.pop()
  indents.push(indent)
}

/**
 * Valid for the parser, but not accepted here: duplicate keys, a list or map as a key, aliases that multiply or are
 * circular.
 */
function oddNode(document: Document): { readonly at: number; readonly problem: string } | undefined {
  let found: { readonly at: number; readonly problem: string } | undefined
  let aliases = 0
  visit(document, (_key, node, path) => {
    if (isAlias(node)) {
      aliases += 1
      if (aliases > MAX_ALIASES)
        found = { at: startOf(node), problem: `it has more than ${MAX_ALIASES} aliases` }
      // The value would be infinite.
      else if (path.some((outer) => isNode(outer) && outer === node.resolve(document)))
        found = { at: startOf(node), problem: `the alias *${node.source} is inside the value that it names` }
    } else if (isMap(node)) found = oddKey(node.items)
    return found === undefined ? undefined : visit.BREAK
  })
  return found
}

function oddKey(items: readonly Pair[]): { readonly at: number; readonly problem: string } | undefined {
  const seen = new Set<string>()
  for (const { key } of items) {
    if (isCollection(key) || isAlias(key))
      return { at: startOf(key), problem: "a list, a map or an alias cannot be a key" }
    const name = String(isScalar(key) ? key.value : key)
    if (seen.has(name)) return { at: startOf(key), problem: "Map keys must be unique" }
    seen.add(name)
  }
  return undefined
}

function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0
}
