// Changes single values of a YAML text and leaves every other byte as it is: comments, quotes, indentation, alignment.
import { type Document, isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from "yaml"

export interface YamlEdit {
  readonly keys: readonly string[]
  /** Undefined removes it, and maps that this leaves empty. */
  readonly value: string | number | undefined
}

/** The text must be valid YAML with a map at the top, or nothing. */
export function editedYaml(text: string, edits: readonly YamlEdit[]): string {
  return edits.reduce(edited, text)
}

function edited(text: string, edit: YamlEdit): string {
  const document = parseDocument(text)
  const spliced = edit.value === undefined ? removed(text, edit.keys) : set(text, edit.keys, edit.value)
  change(document, edit)
  const whole = document.contents === null ? "" : document.toString({ lineWidth: 0 })
  // Where a splice would mean something else, as beside an anchor, the library writes the document anew.
  return isSame(parseDocument(spliced), parseDocument(whole)) ? spliced : whole
}

function isSame(a: Document, b: Document): boolean {
  return a.errors.length === 0 && JSON.stringify(a.toJS()) === JSON.stringify(b.toJS())
}

/** What the text is to mean afterwards. */
function change(document: Document, { keys, value }: YamlEdit): void {
  if (value !== undefined) {
    for (let depth = 0; depth < keys.length; depth += 1)
      if (!isMap(document.getIn(keys.slice(0, depth), true)))
        document.setIn(keys.slice(0, depth), document.createNode({}))
    document.setIn(keys, value)
    return
  }
  for (let depth = keys.length; depth > 0; depth -= 1) {
    document.deleteIn(keys.slice(0, depth))
    const parent = document.getIn(keys.slice(0, depth - 1), true)
    if (isMap(parent) && parent.items.length > 0) return
  }
}

function set(text: string, keys: readonly string[], value: string | number): string {
  const { map, pair, depth } = deepest(text, keys)
  const rest = keys.slice(depth)
  if (map === undefined) return withLine(text) + block(nested(rest, value), 0, 2)
  const step = stepIn(text)
  if (pair === undefined) return inserted(text, map, nested(rest, value))
  const [key = "", ...inner] = rest
  if (map.flow === true)
    return replaced(text, pair, flowText(inner.length > 0 ? nested(inner, value) : value))
  if (inner.length > 0) return replacedPair(text, pair, { [key]: nested(inner, value) }, step)
  const isShort = typeof value === "number" || !value.includes("\n")
  if (isShort && isScalar(pair.value)) return replaced(text, pair, scalarText(value))
  return replacedPair(text, pair, { [key]: value }, step)
}

interface Deepest {
  /** The innermost map on the way; undefined if there is none at the top. */
  readonly map: YAMLMap | undefined
  /** Its pair with the next key, if it has one. */
  readonly pair: Pair | undefined
  /** How many keys lead to the map. */
  readonly depth: number
}

function deepest(text: string, keys: readonly string[]): Deepest {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) return { map: undefined, pair: undefined, depth: 0 }
  let map: YAMLMap = contents
  for (let depth = 0; ; depth += 1) {
    const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === keys[depth])
    if (depth === keys.length - 1 || pair === undefined || !isMap(pair.value)) return { map, pair, depth }
    map = pair.value
  }
}

type Plain = { readonly [key: string]: Plain | string | number }

function nested(keys: readonly string[], value: string | number): Plain {
  const [key = "", ...rest] = keys
  return { [key]: rest.length === 0 ? value : nested(rest, value) }
}

/** After the last pair of a map. */
function inserted(text: string, map: YAMLMap, added: Plain): string {
  const last = map.items.at(-1)
  const end = last === undefined ? startOf(map) + 1 : endOf(last)
  if (map.flow === true) {
    const inside = flowText(added).slice(1, -1).trim()
    const before = text.slice(0, end)
    return last === undefined
      ? `${before} ${inside} ${text.slice(end)}`
      : `${before}, ${inside}${text.slice(end)}`
  }
  const at = lineAfter(text, end)
  const first = map.items[0]
  const column = first === undefined ? 0 : columnAt(text, keyStart(first))
  return withLine(text.slice(0, at)) + block(added, column, stepIn(text)) + text.slice(at)
}

function replaced(text: string, pair: Pair, value: string): string {
  const [start, end] = rangeOf(pair.value)
  return text.slice(0, start) + value + text.slice(end)
}

function replacedPair(text: string, pair: Pair, value: Plain, step: number): string {
  const start = keyStart(pair)
  const column = columnAt(text, start)
  const at = lineAfter(text, endOf(pair))
  return text.slice(0, start - column) + block(value, column, step) + text.slice(at)
}

function removed(text: string, keys: readonly string[]): string {
  const { map, pair, depth } = deepest(text, keys)
  if (map === undefined || pair === undefined || depth !== keys.length - 1) return text
  if (map.items.length === 1) return depth === 0 ? "" : removed(text, keys.slice(0, depth))
  if (map.flow !== true) {
    const start = keyStart(pair)
    return text.slice(0, start - columnAt(text, start)) + text.slice(lineAfter(text, endOf(pair)))
  }
  const at = map.items.indexOf(pair)
  const [before, after] = [map.items[at - 1], map.items[at + 1]]
  // With its comma: the one before it, or for the first pair the one after it.
  if (before !== undefined) return text.slice(0, endOf(before)) + text.slice(endOf(pair))
  return text.slice(0, keyStart(pair)) + text.slice(after === undefined ? endOf(pair) : keyStart(after))
}

function block(value: Plain, column: number, step: number): string {
  const lines = stringify(value, { indent: step, lineWidth: 0 }).replace(/\n$/, "").split("\n")
  return lines.map((line) => (line === "" ? "\n" : `${" ".repeat(column)}${line}\n`)).join("")
}

function scalarText(value: string | number): string {
  return stringify(value, { lineWidth: 0 }).trimEnd()
}

/** On one line, whatever is in it: JSON is YAML. */
function flowText(value: Plain | string | number): string {
  if (typeof value !== "object") return typeof value === "number" ? String(value) : flowScalar(value)
  const pairs = Object.entries(value).map(([key, one]) => `${scalarText(key)}: ${flowText(one)}`)
  return `{ ${pairs.join(", ")} }`
}

function flowScalar(value: string): string {
  return /^[\w./-]+$/.test(value) ? scalarText(value) : JSON.stringify(value)
}

/** By how many columns this text indents. */
function stepIn(text: string): number {
  const { contents } = parseDocument(text)
  const inner = isMap(contents)
    ? contents.items.map(({ value }) => value).find((value) => isMap(value) && value.flow !== true)
    : undefined
  const [first] = isMap(inner) ? inner.items : []
  return (first && columnAt(text, keyStart(first))) || 2
}

function keyStart({ key }: Pair): number {
  return rangeOf(key)[0]
}

function startOf(node: unknown): number {
  return rangeOf(node)[0]
}

/** Where the pair's own text ends, without what follows on its line. */
function endOf({ key, value }: Pair): number {
  return value === null ? rangeOf(key)[1] : rangeOf(value)[1]
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined
  if (!Array.isArray(range)) throw new Error("a parsed node has a range")
  // The library's type: where its value begins and ends, and where it ends with comments.
  const [start, end] = range as [number, number, number]
  return [start, end]
}

function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1)
}

/** Where the line after this place begins. A text in several lines ends with its last line end. */
function lineAfter(text: string, offset: number): number {
  if (text[offset - 1] === "\n") return offset
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end + 1
}

function withLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`
}
