// Reads a template: literal runs, values, and branches with what they enclose. Each character is looked at a bounded
// number of times, and branches nest only so deep, so that no text can hold the program up or overflow the stack.

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

/** How deep branches may stand in each other. */
const MAX_TEMPLATE_DEPTH = 16

const VALUE = /^[A-Za-z_]\w*(?:\.\w+)*$/
const NAME = /^[A-Za-z_]\w*$/

/** What cannot be understood stays text, and is a problem; an unclosed branch ends with the text. */
export function parseTemplate(text: string): ParsedTemplate {
  const problems: { at: number; problem: string }[] = []
  const root: Node[] = []
  const open: Branch[] = []
  /** Kinds of the branches that stand too deep: their statements are text. */
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

/** A finding is one line on a screen. */
const LONGEST_SHOWN = 200

function notUnderstood(written: string): string {
  const shown = written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN)}...` : written
  return `cannot understand "${shown}"; it stays in the text as written`
}

function nestedTooDeep(kind: Branch["kind"]): string {
  return `"{% ${kind} %}" is nested more than ${MAX_TEMPLATE_DEPTH} levels deep; it stays in the text as written, with what it encloses`
}

interface Token {
  readonly start: number
  readonly end: number
  /** What stands between `{{` and `}}`, or between `{%` and `%}`. */
  readonly value?: string
  readonly statement?: string
}

/** Found by looking for the brackets alone: a pattern with what may stand between them can be made to take for ever. */
function* tokensOf(text: string): Generator<Token> {
  const nextValueEnd = finder(text, "}}")
  const nextStatementEnd = finder(text, "%}")
  const nextLine = finder(text, "\n")
  const nextBracket = finder(text, "{")
  for (let start = nextBracket(0); start < text.length; ) {
    const kind = text.charAt(start + 1)
    const close =
      kind === "{" ? nextValueEnd(start + 2) : kind === "%" ? nextStatementEnd(start + 2) : text.length
    // A bracket that is not closed on its line, or not before the next one opens, is text.
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

/** `nextBracket` has looked further ahead already, and looks only forward. */
function nextBracketAfter(text: string, start: number): number {
  const next = text.indexOf("{", start + 1)
  return next === -1 ? text.length : next
}

/** Where the mark stands next, from ever later places on; the length of the text if nowhere. */
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

/** A statement alone on its line takes the line with it, so that it leaves no blank rubble. */
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
