// Parses a template into literal runs, values, and branches with their content. Looks at each character a bounded
// number of times and limits nesting, so no text can stall the program or overflow the stack.

export type Node =
  | { readonly kind: "text"; readonly start: number; readonly end: number }
  | { readonly kind: "value"; readonly name: string; readonly start: number; readonly end: number }
  | Branch

export type Branch = { readonly start: number; readonly body: Node[] } & (
  | { readonly kind: "if"; readonly name: string }
  | { readonly kind: "for"; readonly variable: string; readonly name: string }
)

export interface ParsedTemplate {
  readonly nodes: readonly Node[]
  readonly problems: readonly { readonly at: number; readonly problem: string }[]
}

/** How deeply branches may be nested. */
const MAX_TEMPLATE_DEPTH = 16

const VALUE = /^[A-Za-z_]\w*(?:\.\w+)*$/
const NAME = /^[A-Za-z_]\w*$/

/** What cannot be parsed stays text and is reported. An unclosed branch ends with the text. */
export function parseTemplate(text: string): ParsedTemplate {
  const problems: { at: number; problem: string }[] = []
  const root: Node[] = []
  const open: Branch[] = []
  /** The kinds of the branches nested too deeply: their statements are text. */
  const tooDeep: Branch["kind"][] = []
  let position = 0
  const into = () => open.at(-1)?.body ?? root
  const literal = (end: number) => {
    if (end > position) into().push({ kind: "text", start: position, end })
  }
  for (const { start, end, value, statement } of tokensOf(text)) {
    if (value !== undefined && VALUE.test(value)) {
      literal(start)
      into().push({ kind: "value", name: value, start, end })
      position = end
      continue
    }
    const tag =
      statement === undefined ? undefined : readStatement(statement, tooDeep.at(-1) ?? open.at(-1)?.kind)
    if (tag === undefined) {
      problems.push({ at: start, problem: notUnderstood(text.slice(start, end)) })
      continue
    }
    if (tag === "end" && tooDeep.length > 0) {
      tooDeep.pop()
      continue
    }
    if (tag !== "end" && open.length === MAX_TEMPLATE_DEPTH) {
      if (tooDeep.length === 0) problems.push({ at: start, problem: nestedTooDeep(tag.kind) })
      tooDeep.push(tag.kind)
      continue
    }
    const line = ownLine(text, start, end)
    literal(line.start)
    position = line.end
    if (tag === "end") open.pop()
    else {
      const node: Branch = { ...tag, start, body: [] }
      into().push(node)
      open.push(node)
    }
  }
  literal(text.length)
  for (const { kind, start } of open)
    problems.push({ at: start, problem: `"{% ${kind} %}" is never closed with "{% end${kind} %}"` })
  return { nodes: root, problems }
}

/** A diagnostic fits on one line of a screen. */
const LONGEST_SHOWN = 200

function notUnderstood(written: string): string {
  const shown = written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN)}...` : written
  return `cannot parse "${shown}"; it is sent as written`
}

function nestedTooDeep(kind: Branch["kind"]): string {
  return `"{% ${kind} %}" is nested more than ${MAX_TEMPLATE_DEPTH} levels deep; it is sent as written, with everything inside it`
}

interface Token {
  readonly start: number
  readonly end: number
  /** The text between `{{` and `}}`, or between `{%` and `%}`. */
  readonly value?: string
  readonly statement?: string
}

/** Searches for the brackets only: a regular expression for the text between them could be made to run forever. */
function* tokensOf(text: string): Generator<Token> {
  const nextValueEnd = finder(text, "}}")
  const nextStatementEnd = finder(text, "%}")
  const nextLine = finder(text, "\n")
  const nextBracket = finder(text, "{")
  for (let start = nextBracket(0); start < text.length; ) {
    const kind = text.charAt(start + 1)
    const close =
      kind === "{" ? nextValueEnd(start + 2) : kind === "%" ? nextStatementEnd(start + 2) : text.length
    // A bracket that isn't closed on its line, or before the next one opens, is text.
    const isClosed = close < text.length && nextLine(start) > close && nextBracket(start + 2) > close
    if (!isClosed) {
      start = nextBracketAfter(text, start)
      continue
    }
    const inner = text.slice(start + 2, close).trim()
    yield { start, end: close + 2, ...(kind === "{" ? { value: inner } : { statement: inner }) }
    start = nextBracket(close + 2)
  }
}

/** `nextBracket` only moves forward and has already looked further ahead. */
function nextBracketAfter(text: string, start: number): number {
  const next = text.indexOf("{", start + 1)
  return next === -1 ? text.length : next
}

/** Returns a search for the next mark, for ever larger offsets. It returns the text's length if there is none. */
function finder(text: string, mark: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = text.indexOf(mark, from)
    if (found === -1) found = text.length
    return found
  }
}

type Tag = "end" | { kind: "if"; name: string } | { kind: "for"; variable: string; name: string }

function readStatement(statement: string, inside: Branch["kind"] | undefined): Tag | undefined {
  const words = statement.split(/\s+/)
  const [first = "", second = "", third, fourth = ""] = words
  if (words.length === 1) return inside !== undefined && first === `end${inside}` ? "end" : undefined
  if (first === "if" && words.length === 2 && NAME.test(second)) return { kind: "if", name: second }
  const loop =
    first === "for" && third === "in" && words.length === 4 && NAME.test(second) && NAME.test(fourth)
  return loop ? { kind: "for", variable: second, name: fourth } : undefined
}

/** A statement alone on its line takes the line with it, so that it leaves no blank line. */
function ownLine(text: string, start: number, end: number): { start: number; end: number } {
  let lineStart = start
  while (lineStart > 0 && isBlank(text, lineStart - 1)) lineStart -= 1
  let lineEnd = end
  while (lineEnd < text.length && isBlank(text, lineEnd)) lineEnd += 1
  const isFirst = lineStart === 0 || text.charAt(lineStart - 1) === "\n"
  const isLast = lineEnd === text.length || text.charAt(lineEnd) === "\n"
  return isFirst && isLast ? { start: lineStart, end: Math.min(text.length, lineEnd + 1) } : { start, end }
}

/** White space within a line. */
function isBlank(text: string, at: number): boolean {
  const character = text.charAt(at)
  return character !== "\n" && character.trim() === ""
}
