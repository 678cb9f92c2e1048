// Reassembles what request-parts.ts has split, and says what of it is not the original. Pure.
import type { Ref } from "../../database/text-ref.ts"
import { isList, isObject, type Json, type JsonObject, type Mark, putMarks } from "./request-marks.ts"
import { escapePointer, type RequestParts } from "./request-parts.ts"

/** The context for reassembling a value. A missing or damaged text is `undefined`. */
export interface Giving {
  readonly text: (ref: Ref) => string | undefined
  /** Parts without a flaw that were put together before, and may be part of several values. */
  readonly values?: Map<Ref, Json>
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

export function putValue(text: string, giving: Giving): Given {
  const flaws = new Map<Json, Flaw>()
  return settle(reader(giving, flaws).inner(parse(text)), flaws)
}

/** Converts a mark's item number from counting from the end to counting from the beginning. */
function placed(mark: Mark, name: string | undefined, length: number): Mark {
  const [path, ...rest] = mark
  const [list, item, ...inner] = path
  if (name === undefined || list !== name || typeof item !== "number" || item >= 0) return mark
  return [[list, item + length, ...inner], ...rest]
}

function reader({ text: textOf, values }: Giving, flaws: Map<Json, Flaw>) {
  const flawed = (flaw: Flaw): Json => {
    const mark = {}
    flaws.set(mark, flaw)
    return mark
  }
  const read: Readonly<Record<string, (value: Json) => Json>> = {
    $text: (ref) => textOf(String(ref)) ?? flawed({ kind: "damaged", ref: String(ref) }),
    $json: (given) => {
      const ref = String(given)
      const known = values?.get(ref)
      if (known !== undefined) return known
      const text = textOf(ref)
      if (text === undefined) return flawed({ kind: "damaged", ref })
      const before = flaws.size
      const value = inner(parse(text))
      if (flaws.size === before) values?.set(ref, value)
      return value
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

function isNodes(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && value.$nodes === 1
}

function parse(text: string): Json {
  // JSON has no other values.
  return JSON.parse(text) as Json
}
