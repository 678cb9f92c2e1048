// Templates: a small subset of Jinja for SYSTEM.md, expanded in one pass into literal runs and placed sections.
// `{{ NAME }}`, `{% if NAME %}`, `{% for x in NAME %}`. Nothing inside a value is ever expanded again.
import { type Content, countNewlines, type Part, slicePart, type TextPart } from "./content.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { guard } from "./markup.ts"

export interface TemplateNames {
  /** Placeholder to the id of the section that goes there. */
  readonly sections: ReadonlyMap<string, string>
  /** Placeholders for what changes with every turn: the tail has it, never the head. */
  readonly turn: ReadonlySet<string>
  /** Lists that `for` can walk; the fields of an item are texts. */
  readonly lists: ReadonlyMap<string, readonly ReadonlyMap<string, TextPart>[]>
}

export function expandTemplate(body: TextPart, names: TemplateNames): Content {
  if (!body.text.includes("{{") && !body.text.includes("{%")) return { parts: [body] }
  const { nodes, problems } = parse(body.text)
  const expansion: Expansion = { body, names, parts: [], diagnostics: [], reported: new Set() }
  for (const { at, problem } of problems) {
    report(expansion, at, (where) => ({ code: "template-syntax", ...where, problem }))
  }
  expand(nodes, expansion, { when: [], variables: new Map() })
  return { parts: expansion.parts, diagnostics: expansion.diagnostics }
}

type Node =
  | { readonly kind: "text"; readonly start: number; readonly end: number }
  | { readonly kind: "value"; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: "if"; readonly name: string; readonly start: number; readonly body: Node[] }
  | {
      readonly kind: "for"
      readonly variable: string
      readonly name: string
      readonly start: number
      readonly body: Node[]
    }

type Branch = Extract<Node, { body: Node[] }>

interface Parsed {
  readonly nodes: readonly Node[]
  readonly problems: readonly { readonly at: number; readonly problem: string }[]
}

const VALUE = /^[A-Za-z_]\w*(?:\.\w+)*$/
const NAME = /^[A-Za-z_]\w*$/

/** What can not be understood stays text, and is a problem; an unclosed branch ends with the text. */
function parse(text: string): Parsed {
  const problems: { at: number; problem: string }[] = []
  const root: Node[] = []
  const open: Branch[] = []
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
    const tag = statement === undefined ? undefined : readStatement(statement, open.at(-1))
    if (tag === undefined) {
      problems.push({
        at: start,
        problem: `can not understand "${text.slice(start, end)}"; it stays in the text as written`,
      })
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

interface Token {
  readonly start: number
  readonly end: number
  /** What stands between `{{` and `}}`, or between `{%` and `%}`. */
  readonly value?: string
  readonly statement?: string
}

/** Found by looking for the brackets alone: a pattern with what may stand between them can be made to take for ever. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start)) {
    const kind = text.charAt(start + 1)
    const close =
      kind === "{" ? text.indexOf("}}", start + 2) : kind === "%" ? text.indexOf("%}", start + 2) : -1
    const line = text.indexOf("\n", start)
    // A bracket that is not closed on its line is text.
    if (close === -1 || (line !== -1 && line < close)) {
      start += 1
      continue
    }
    const inner = text.slice(start + 2, close)
    if (inner.includes("{")) {
      start += 1
      continue
    }
    tokens.push(
      kind === "{"
        ? { start, end: close + 2, value: inner.trim() }
        : { start, end: close + 2, statement: inner.trim() },
    )
    start = close + 2
  }
  return tokens
}

type Tag = "end" | { kind: "if"; name: string } | { kind: "for"; variable: string; name: string }

function readStatement(statement: string, inside: Branch | undefined): Tag | undefined {
  const words = statement.split(/\s+/)
  const [first = "", second = "", third, fourth = ""] = words
  if (words.length === 1) return inside !== undefined && first === `end${inside.kind}` ? "end" : undefined
  if (first === "if" && words.length === 2 && NAME.test(second)) return { kind: "if", name: second }
  const loop =
    first === "for" && third === "in" && words.length === 4 && NAME.test(second) && NAME.test(fourth)
  return loop ? { kind: "for", variable: second, name: fourth } : undefined
}

/** A statement alone on its line takes the line with it, so that it leaves no blank rubble. */
function ownLine(text: string, start: number, end: number): { start: number; end: number } {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1
  const newline = text.indexOf("\n", end)
  const lineEnd = newline === -1 ? text.length : newline + 1
  const alone = text.slice(lineStart, start).trim() === "" && text.slice(end, lineEnd).trim() === ""
  return alone ? { start: lineStart, end: lineEnd } : { start, end }
}

interface Expansion {
  readonly body: TextPart
  readonly names: TemplateNames
  readonly parts: Part[]
  readonly diagnostics: Diagnostic[]
  /** Offsets that have a finding. */
  readonly reported: Set<number>
}

interface Surroundings {
  readonly when: readonly string[]
  readonly variables: ReadonlyMap<string, ReadonlyMap<string, TextPart>>
}

function expand(nodes: readonly Node[], to: Expansion, around: Surroundings): void {
  for (const node of nodes) {
    if (node.kind === "text") push(to, slicePart(to.body, node.start, node.end), around)
    else if (node.kind === "value") expandValue(node, to, around)
    else if (node.kind === "if") expandIf(node, to, around)
    else expandFor(node, to, around)
  }
}

function expandValue(node: Extract<Node, { kind: "value" }>, to: Expansion, around: Surroundings): void {
  const { name, start, end } = node
  const [first = "", field = "", ...deeper] = name.split(".")
  const slot = to.names.sections.get(name)
  const value = deeper.length > 0 ? undefined : around.variables.get(first)?.get(field)
  if (slot !== undefined) push(to, { slot }, around)
  else if (value !== undefined)
    push(to, { ...value, text: guard(value.text, [...to.names.sections.values()]) }, around)
  else if (to.names.turn.has(name))
    report(to, start, (where) => ({ code: "turn-placeholder", ...where, name }))
  else {
    push(to, slicePart(to.body, start, end), around)
    report(to, start, (where) => ({ code: "unknown-placeholder", ...where, name }))
  }
}

function expandIf(node: Extract<Node, { kind: "if" }>, to: Expansion, around: Surroundings): void {
  const { name, start, body } = node
  const section = to.names.sections.get(name)
  const list = to.names.lists.get(name)
  if (section !== undefined) expand(body, to, { ...around, when: [...around.when, section] })
  else if (list !== undefined) {
    if (list.length > 0) expand(body, to, around)
  } else {
    const code = to.names.turn.has(name) ? "turn-placeholder" : "unknown-name"
    report(to, start, (where) => ({ code, ...where, name }))
  }
}

function expandFor(node: Extract<Node, { kind: "for" }>, to: Expansion, around: Surroundings): void {
  const { name, variable, start, body } = node
  const list = to.names.lists.get(name)
  if (list === undefined) report(to, start, (where) => ({ code: "unknown-name", ...where, name }))
  for (const item of list ?? []) {
    expand(body, to, { ...around, variables: new Map([...around.variables, [variable, item]]) })
  }
}

function push(to: Expansion, part: Part, { when }: Surroundings): void {
  to.parts.push(when.length === 0 ? part : { ...part, when })
}

/** One finding for one place, however often a loop passes it. */
function report(
  to: Expansion,
  at: number,
  make: (where: { path: string; line: number }) => Diagnostic,
): void {
  if (to.reported.has(at)) return
  to.reported.add(at)
  const from = to.body.from
  const first = from?.kind === "file" ? from.lines[0] : 1
  const path = from?.kind === "file" ? from.path : "the base text"
  const line = first + countNewlines(to.body.text, 0, at)
  const made = make({ path, line })
  to.diagnostics.push(to.body.trust === undefined ? made : { ...made, needs: to.body.trust })
}
