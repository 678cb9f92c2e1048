// Templates: a small subset of Jinja for SYSTEM.md, expanded in one pass into literal runs and placed sections.
// `{{ NAME }}`, `{% if NAME %}`, `{% for x in NAME %}`. Values are never expanded again.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { type Content, isSlot, linesBefore, type Part, slicePart, type TextPart } from "../model/content.ts"
import { guard } from "./markup.ts"
import { type Node, parseTemplate } from "./template-nodes.ts"

export interface TemplateNames {
  /** Maps a placeholder to the id of the section that goes there. */
  readonly sections: ReadonlyMap<string, string>
  /** Placeholders for text that changes with every turn: it goes into the tail, never the head. */
  readonly turn: ReadonlySet<string>
  /** Lists for `for`; the fields of an item are texts. */
  readonly lists: ReadonlyMap<string, readonly ReadonlyMap<string, TextPart>[]>
}

/** Nested loops multiply, so the expansion is limited. What exceeds the limit is left out, with a diagnostic. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const MAX_PARTS = 100_000
/** More diagnostics than this for one file are of no use. */
const MAX_DIAGNOSTICS = 100

export function expandTemplate(body: TextPart, names: TemplateNames): Content {
  if (!body.text.includes("{{") && !body.text.includes("{%")) return { parts: [body] }
  const { nodes, problems } = parseTemplate(body.text)
  const expansion: Expansion = { body, names, parts: [], diagnostics: [], reported: new Set(), characters: 0 }
  for (const { at, problem } of problems) {
    report(expansion, at, (where) => ({ code: "template-syntax", ...where, problem }))
  }
  expand(nodes, expansion, { when: [], variables: new Map() })
  endRun(expansion)
  return { parts: expansion.parts, diagnostics: expansion.diagnostics }
}

interface Expansion {
  readonly body: TextPart
  readonly names: TemplateNames
  readonly parts: Part[]
  readonly diagnostics: Diagnostic[]
  /** Offsets that already have a diagnostic. */
  readonly reported: Set<number>
  /** The total length of the parts. */
  characters: number
  /** Literal text, extended as long as literal text follows. */
  run?: { readonly start: number; end: number; readonly around: Surroundings } | undefined
}

interface Surroundings {
  readonly when: readonly string[]
  readonly variables: ReadonlyMap<string, ReadonlyMap<string, TextPart>>
}

function expand(nodes: readonly Node[], to: Expansion, around: Surroundings): void {
  for (const node of nodes) {
    if (isFull(to, node.start)) return
    if (node.kind === "text") literal(to, node, around)
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
    literal(to, { start, end }, around)
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

function isFull(to: Expansion, at: number): boolean {
  if (to.characters <= MAX_CHARACTERS && to.parts.length <= MAX_PARTS) return false
  const problem = `expands to more than ${MAX_CHARACTERS} characters or ${MAX_PARTS} parts; the rest was left out`
  if (!to.reported.has(-1)) report(to, at, (where) => ({ code: "template-syntax", ...where, problem }))
  to.reported.add(-1)
  return true
}

function literal(to: Expansion, { start, end }: { start: number; end: number }, around: Surroundings): void {
  to.characters += end - start
  if (to.run?.around === around && to.run.end === start) to.run.end = end
  else {
    endRun(to)
    to.run = { start, end, around }
  }
}

function endRun(to: Expansion): void {
  const { run } = to
  to.run = undefined
  if (run !== undefined) add(to, slicePart(to.body, run.start, run.end), run.around)
}

function push(to: Expansion, part: Part, around: Surroundings): void {
  endRun(to)
  to.characters += isSlot(part) ? 0 : part.text.length
  add(to, part, around)
}

function add(to: Expansion, part: Part, { when }: Surroundings): void {
  to.parts.push(when.length === 0 ? part : { ...part, when })
}

const MORE = `has more than ${MAX_DIAGNOSTICS} problems, and the next one is here; fix those first`

/** One diagnostic per place, however often a loop passes it. */
function report(
  to: Expansion,
  at: number,
  make: (where: { path: string; line: number }) => Diagnostic,
): void {
  if (to.reported.has(at) || to.diagnostics.length > MAX_DIAGNOSTICS) return
  to.reported.add(at)
  const from = to.body.from
  const first = from?.kind === "file" ? from.lines[0] : 1
  const path = from?.kind === "file" ? from.path : "the base text"
  const where = { path, line: first + linesBefore(to.body, at) }
  const isLast = to.diagnostics.length === MAX_DIAGNOSTICS
  const made: Diagnostic = isLast ? { code: "template-syntax", ...where, problem: MORE } : make(where)
  to.diagnostics.push(to.body.trust === undefined ? made : { ...made, needs: to.body.trust })
}
