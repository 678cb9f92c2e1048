// Splits a JSON value into texts that are stored once each, by digest; put-together.ts reassembles it exactly. Long
// strings and long parts become references. The items of a conversation are separate texts, so that a longer
// conversation adds only what is new. Independent of providers, and pure.
import { oncePerObject } from "../../base/memo/once.ts"
import { type Ref, refOf } from "../../database/text-ref.ts"
import type { JsonPath } from "../ask/rounded-numbers.ts"
import {
  DEEPEST,
  isList,
  isObject,
  type Json,
  type JsonObject,
  liftMarks,
  type Mark,
} from "./request-marks.ts"

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
  /** Values that were split before and are stored the same way here. */
  readonly ready?: ReadonlyMap<Json, StoredPart>
}

/** A value with its long parts as references. */
export interface StoredPart {
  readonly json: Json
  /** The texts that it names. */
  readonly texts: ReadonlyMap<Ref, string>
}

/** Where a request has its conversation, for any provider. */
const CONVERSATIONS = ["messages", "input", "contents"]
/** From this length on, in UTF-16 units, a separate text takes less space than a second copy. */
const LONG_TEXT = 512
const LONG_PART = 512
const LONG_PIECE = 128

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

/** Any other value, such as a plan, as one text. */
export function takeValue(value: Json, taking: Taking): string {
  return JSON.stringify(writer(taking).inner(value))
}

/** The same for a part of one, if nothing in it is redacted and no block occurs in it. */
export function takeWhole(value: Json): StoredPart {
  const texts = new Map<Ref, string>()
  const keep = (ref: Ref, text: string) => void texts.set(ref, text)
  return { json: writer({ shown: (text) => text, blocks: [], keep }).whole(value), texts }
}

/** A string or key in a JSON text. Values too deep to walk are handled as text, in the same pieces. */
const LITERAL = /"[^"\\]*(?:\\.[^"\\]*)*"/g

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

interface Writer {
  /** The value, as a reference if it is long. */
  readonly whole: (value: Json) => Json
  /** The value itself, with long parts as references. */
  readonly inner: (value: Json) => Json
  readonly path: (path: JsonPath) => JsonPath
  readonly mark: (mark: Mark) => Mark
}

function writer({ shown, blocks, keep, ready }: Taking): Writer {
  const texts = joined(blocks)
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
  const known = (value: Json): Json | undefined => {
    const found = ready?.get(value)
    for (const [ref, text] of found?.texts ?? []) keep(ref, text)
    return found?.json
  }
  const inner = (value: Json, depth = 0): Json => {
    if (typeof value === "string") return writeString(value)
    if (typeof value !== "object" || value === null) return value
    if (depth > DEEPEST) return writeDeep(JSON.stringify(value))
    const deeper = (item: Json) =>
      isLeaf(item) ? inner(item, depth) : (known(item) ?? part(inner(item, depth + 1)))
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
    whole: (value) => (isLeaf(value) ? inner(value) : (known(value) ?? part(inner(value)))),
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

const joined = oncePerObject((blocks: Taking["blocks"]) => blocks.map((pieces) => pieces.join("")))

/** Whether `split` would find a block in one of the texts. */
export function containsBlock(texts: ReadonlySet<string>, blocks: Taking["blocks"]): boolean {
  const long = joined(blocks).filter((block) => block.length >= LONG_PIECE)
  for (const text of texts)
    if (text.length >= LONG_PIECE && long.some((block) => text.includes(block))) return true
  return false
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

function pointerOf(path: JsonPath): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join("")
}

export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1")
}
