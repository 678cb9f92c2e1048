// Splits a JSON value into texts that are stored once each, by digest, and reassembles it exactly. Long strings and
// long parts become references. The items of a conversation are separate texts, so that a longer conversation adds only
// what is new. Independent of providers, and pure.
import { hash } from "node:crypto"
import type { JsonPath } from "../ask/rounded-numbers.ts"
import {
  DEEPEST,
  isList,
  isObject,
  type Json,
  type JsonObject,
  liftMarks,
  type Mark,
  putMarks,
} from "./request-marks.ts"

/** SHA-256 of a text in base64url. */
export type Ref = string

export interface RequestParts {
  /** The request without its conversation. */
  readonly frame: string
  readonly elements: readonly string[]
  readonly marks: string
}

export interface TakenRequest extends Omit<RequestParts, "elements"> {
  readonly elements: readonly StoredElement[]
}

/** An item of a conversation as stored. */
export interface StoredElement {
  readonly stored: string
  /** The texts that it names. */
  readonly texts: ReadonlyMap<Ref, string>
  /** Its cache marks, with paths relative to the item. */
  readonly marks: readonly Mark[]
}

/** The context for splitting a value. */
export interface Taking {
  /** What to store for a text: the text itself, unless it was redacted. */
  readonly shown: (text: string) => string
  /** Texts that are stored in pieces wherever they occur, in order of occurrence. */
  readonly blocks: readonly (readonly string[])[]
  /** Numbers that differ from what was sent. */
  readonly rounded?: readonly JsonPath[]
  /** Receives every text that a reference names. */
  readonly keep: (ref: Ref, text: string) => void
}

/** The context for reassembling a value. A missing or damaged text is `undefined`. */
export interface Giving {
  readonly text: (ref: Ref) => string | undefined
}

/** Why a value is not the original; found by identity. */
export type Flaw =
  | { readonly kind: "damaged"; readonly ref: Ref }
  | { readonly kind: "redacted"; readonly value: Json }

export interface Given {
  readonly value: Json
  readonly redacted: readonly string[]
  readonly damaged: readonly { readonly pointer: string; readonly ref: Ref }[]
}

/** Where a request has its conversation, for any provider. */
const CONVERSATIONS = ["messages", "input", "contents"]
/** From this length on, in UTF-16 units, a separate text takes less space than a second copy. */
const LONG_TEXT = 512
const LONG_PART = 512
const LONG_PIECE = 128

export function refOf(text: string): Ref {
  return hash("sha256", text, "base64url")
}

/** `known`: the items before those of the request, which are already split. */
export function takeApart(request: Json, taking: Taking, known: readonly StoredElement[] = []): TakenRequest {
  const { value, marks } = liftMarks(request)
  const name = conversationField(value)
  const items = name === undefined || !isObject(value) ? [] : value[name]
  const write = writer(taking)
  const frame =
    name === undefined || !isObject(value)
      ? write.inner(value)
      : Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, key === name ? { $nodes: 1 } : write.whole(item)]),
        )
  const rounded = (taking.rounded ?? []).map((path) => pointerOf(write.path(path)))
  const byItem = Map.groupBy(marks, (mark) => itemOf(mark, name))
  const added = (isList(items) ? items : []).map((item, at) =>
    storedElement(item, taking, (byItem.get(at) ?? []).map(write.mark)),
  )
  const elements = [...known, ...added]
  const outside = (byItem.get(undefined) ?? []).map(write.mark)
  return {
    frame: JSON.stringify(rounded.length === 0 ? frame : { $rounded: [rounded, frame] }),
    elements,
    marks: JSON.stringify([...outside, ...marksInside(elements, name)]),
  }
}

function storedElement(item: Json, taking: Taking, marks: readonly Mark[]): StoredElement {
  const texts = new Map<Ref, string>()
  const write = writer({ ...taking, keep: (ref, text) => texts.set(ref, text) })
  const own = marks.map(([[, , ...path], ...rest]): Mark => [path, ...rest])
  return { stored: JSON.stringify(write.inner(item)), texts, marks: own }
}

/** The item of the conversation that contains the mark, if any. */
function itemOf([[field, item]]: Mark, name: string | undefined): number | undefined {
  return name !== undefined && field === name && typeof item === "number" ? item : undefined
}

/**
 * All items but the first are counted from the end, where most marks are: these positions stay the same while the
 * conversation grows.
 */
function marksInside(elements: readonly StoredElement[], name: string | undefined): readonly Mark[] {
  if (name === undefined) return []
  return elements.flatMap(({ marks }, at) => {
    const place = at === 0 ? 0 : at - elements.length
    return marks.map(([path, ...rest]): Mark => [[name, place, ...path], ...rest])
  })
}

export interface GivenRequest extends Given {
  /** JSON pointers to numbers that differ from what was sent. */
  readonly rounded: readonly string[]
}

export function putTogether(parts: RequestParts, giving: Giving): GivenRequest {
  const { frame, elements } = parts
  const flaws = new Map<Json, Flaw>()
  const read = reader(giving, flaws)
  const items = elements.map((element) => read.inner(parse(element)))
  const { shell, rounded } = unframed(parse(frame))
  const name = isObject(shell) ? Object.keys(shell).find((key) => isNodes(shell[key])) : undefined
  const value =
    name === undefined || !isObject(shell)
      ? read.inner(shell)
      : Object.fromEntries(
          Object.entries(shell).map(([key, item]) => [key, key === name ? items : read.inner(item)]),
        )
  // Only `takeApart` writes marks.
  const stored = JSON.parse(parts.marks) as readonly Mark[]
  const marks = stored.map((mark) => placed(read.mark(mark), name, items.length))
  const marked = putMarks({ value, marks }, (item) => flaws.has(item))
  return { ...settle(marked, flaws), rounded }
}

/** Foreign data never has that key alone: `escaped` adds another sign in front. */
function unframed(frame: Json): { readonly shell: Json; readonly rounded: readonly string[] } {
  const isAlone = isObject(frame) && Object.keys(frame).length === 1
  const [rounded, shell] = isAlone && isList(frame.$rounded) ? frame.$rounded : []
  if (!isList(rounded) || shell === undefined) return { shell: frame, rounded: [] }
  return { shell, rounded: rounded.map(String) }
}

/** Any other value, such as a plan, as one text. */
export function takeValue(value: Json, taking: Taking): string {
  return JSON.stringify(writer(taking).inner(value))
}

export function putValue(text: string, giving: Giving): Given {
  const flaws = new Map<Json, Flaw>()
  return settle(reader(giving, flaws).inner(parse(text)), flaws)
}

/** The texts that a stored text names: `texts` are plain, `parts` may name others. */
export function refsIn(stored: string): { readonly texts: readonly Ref[]; readonly parts: readonly Ref[] } {
  const texts: Ref[] = []
  const parts: Ref[] = []
  JSON.parse(stored, (key, value: unknown) => {
    if (key === "$text" && typeof value === "string") texts.push(value)
    if (key === "$json" && typeof value === "string") parts.push(value)
    return value
  })
  return { texts, parts }
}

/** A string or key in a JSON text. Values too deep to walk are handled as text, in the same pieces. */
const LITERAL = /"(?:[^"\\]+|\\.)*"/g

function stringOf(literal: string): string {
  return String(JSON.parse(literal))
}

/** Every string and key of a value, each once: what the redactor has to see. */
export function stringsOf(value: Json, found: Set<string> = new Set(), depth = 0): Set<string> {
  if (typeof value === "string") return found.add(value)
  if (typeof value !== "object" || value === null) return found
  if (depth > DEEPEST) {
    for (const [literal] of JSON.stringify(value).matchAll(LITERAL)) found.add(stringOf(literal))
    return found
  }
  if (isList(value)) for (const item of value) stringsOf(item, found, depth + 1)
  else
    for (const [key, item] of Object.entries(value)) {
      found.add(key)
      stringsOf(item, found, depth + 1)
    }
  return found
}

/** The field of a request that has its conversation. */
export function conversationField(value: Json): string | undefined {
  if (!isObject(value)) return undefined
  return CONVERSATIONS.find((name) => Object.hasOwn(value, name) && isList(value[name]))
}

/** Converts a mark's item number from counting from the end to counting from the beginning. */
function placed(mark: Mark, name: string | undefined, length: number): Mark {
  const [path, ...rest] = mark
  const [list, item, ...inner] = path
  if (name === undefined || list !== name || typeof item !== "number" || item >= 0) return mark
  return [[list, item + length, ...inner], ...rest]
}

interface Writer {
  /** The value, as a reference if it is long. */
  readonly whole: (value: Json) => Json
  /** The value itself, with long parts as references. */
  readonly inner: (value: Json) => Json
  readonly path: (path: JsonPath) => JsonPath
  readonly mark: (mark: Mark) => Mark
}

function writer({ shown, blocks, keep }: Taking): Writer {
  const texts = blocks.map((pieces) => pieces.join(""))
  const named = (kind: "$text" | "$json", text: string): Json => {
    const ref = refOf(text)
    keep(ref, text)
    return { [kind]: ref }
  }
  // UTF-8 cannot hold a lone surrogate: such a text stays in JSON, which can escape it.
  const leaf = (text: string, long: number): Json =>
    text.length >= long && text.isWellFormed() ? named("$text", text) : text
  const part = (value: Json): Json => {
    const text = JSON.stringify(value)
    return text.length >= LONG_PART ? named("$json", text) : value
  }
  const block = (at: number): Json => {
    const pieces = (blocks[at] ?? []).map((piece) => leaf(piece, LONG_PIECE))
    return pieces.length === 1 ? (pieces[0] ?? "") : part({ $join: pieces })
  }
  const writeString = (text: string): Json => {
    const seen = shown(text)
    if (seen !== text) return { $redacted: leaf(seen, LONG_TEXT) }
    const pieces = split(text, texts)
    if (pieces.length === 1 && typeof pieces[0] === "number") return block(pieces[0])
    if (pieces.length === 1) return leaf(text, LONG_TEXT)
    return part({
      $join: pieces.map((piece) => (typeof piece === "number" ? block(piece) : leaf(piece, LONG_TEXT))),
    })
  }
  const writeDeep = (text: string): Json => {
    const seen = withShown(text, shown)
    return seen === text ? { $raw: writeString(text) } : { $redacted: { $raw: leaf(seen, LONG_TEXT) } }
  }
  const inner = (value: Json, depth = 0): Json => {
    if (typeof value === "string") return writeString(value)
    if (typeof value !== "object" || value === null) return value
    if (depth > DEEPEST) return writeDeep(JSON.stringify(value))
    const deeper = (item: Json) => (isLeaf(item) ? inner(item, depth) : part(inner(item, depth + 1)))
    if (isList(value)) return value.map(deeper)
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [shown(key), deeper(item)])
    const isRenamed = Object.keys(value).some((key) => shown(key) !== key)
    const plain = escaped(Object.fromEntries(entries))
    return isRenamed ? { $redacted: plain } : plain
  }
  const seenPath = (path: JsonPath) => path.map((step) => (typeof step === "string" ? shown(step) : step))
  return {
    inner,
    path: seenPath,
    whole: (value) => (isLeaf(value) ? inner(value) : part(inner(value))),
    mark: ([path, at, value, key]) => {
      const seen = seenPath(path)
      return key === undefined ? [seen, at, inner(value)] : [seen, at, inner(value), key]
    },
  }
}

/** A JSON text with the stored form of its strings and keys. */
function withShown(text: string, shown: Taking["shown"]): string {
  return text.replaceAll(LITERAL, (literal) => {
    const string = stringOf(literal)
    return shown(string) === string ? literal : JSON.stringify(shown(string))
  })
}

function isLeaf(value: Json): boolean {
  return typeof value !== "object" || value === null
}

/** The text as gaps, with the numbers of the blocks between them. */
function split(text: string, blocks: readonly string[]): readonly (string | number)[] {
  const found: (string | number)[] = []
  let from = 0
  for (const [at, block] of blocks.entries()) {
    if (block.length < LONG_PIECE || text.length - from < block.length) continue
    const start = text.indexOf(block, from)
    if (start === -1) continue
    if (start > from) found.push(text.slice(from, start))
    found.push(at)
    from = start + block.length
  }
  if (from < text.length || found.length === 0) found.push(text.slice(from))
  return found
}

/** An object with one key that begins like one of ours gets another sign in front. */
function escaped(value: JsonObject): JsonObject {
  const [key, ...more] = Object.keys(value)
  if (key === undefined || more.length > 0 || !key.startsWith("$")) return value
  return { [`$${key}`]: value[key] ?? null }
}

function reader({ text: textOf }: Giving, flaws: Map<Json, Flaw>) {
  const flawed = (flaw: Flaw): Json => {
    const mark = {}
    flaws.set(mark, flaw)
    return mark
  }
  const read: Readonly<Record<string, (value: Json) => Json>> = {
    $text: (ref) => textOf(String(ref)) ?? flawed({ kind: "damaged", ref: String(ref) }),
    $json: (ref) => {
      const text = textOf(String(ref))
      return text === undefined ? flawed({ kind: "damaged", ref: String(ref) }) : inner(parse(text))
    },
    $join: (pieces) => {
      const items = isList(pieces) ? pieces.map(inner) : []
      const lost = items.find((item) => typeof item !== "string")
      return lost === undefined ? items.join("") : lost
    },
    $redacted: (value) => flawed({ kind: "redacted", value: isObject(value) ? inner(value) : value }),
    $raw: (value) => {
      const text = inner(value)
      return typeof text === "string" ? parse(text) : text
    },
  }
  const inner = (value: Json): Json => {
    if (typeof value !== "object" || value === null) return value
    if (isList(value)) return value.map(inner)
    const [key, ...more] = Object.keys(value)
    if (key === undefined || more.length > 0 || !key.startsWith("$")) return plain(value)
    if (key.startsWith("$$")) return { [key.slice(1)]: inner(value[key] ?? null) }
    return read[key]?.(value[key] ?? null) ?? null
  }
  const plain = (value: JsonObject) =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]))
  const mark = ([path, at, value, key]: Mark): Mark =>
    key === undefined ? [path, at, inner(value)] : [path, at, inner(value), key]
  return { inner, mark }
}

/** Removes the flaws and reports the place of each. Damaged values become `null`, without a substitute. */
function settle(value: Json, flaws: ReadonlyMap<Json, Flaw>): Given {
  const redacted: string[] = []
  const damaged: { pointer: string; ref: Ref }[] = []
  const clear = (item: Json, pointer: string): Json => {
    const flaw = flaws.get(item)
    if (flaw?.kind === "damaged") damaged.push({ pointer, ref: flaw.ref })
    if (flaw?.kind === "damaged") return null
    if (flaw?.kind === "redacted") redacted.push(pointer)
    if (flaw?.kind === "redacted") return clear(flaw.value, pointer)
    if (typeof item !== "object" || item === null) return item
    if (isList(item)) return item.map((one, at) => clear(one, `${pointer}/${at}`))
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [key, clear(one, `${pointer}/${escapePointer(key)}`)]),
    )
  }
  return flaws.size === 0 ? { value, redacted, damaged } : { value: clear(value, ""), redacted, damaged }
}

function pointerOf(path: JsonPath): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join("")
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1")
}

function isNodes(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && value.$nodes === 1
}

function parse(text: string): Json {
  // JSON has no other values.
  return JSON.parse(text) as Json
}
