// Keeps the last request of each session, so that only the differences of the next one are parsed: a conversation grows
// at its end, and the cost of a step must not grow with it. Compares only texts that `JSON.stringify` could have
// written.
import { Buffer } from "node:buffer"
import type { NodeName } from "../../database/contract/record/receipts.ts"
import { createRecentlyUsed } from "../../database/recently-used.ts"
import { type JsonPath, roundedNumbers } from "../ask/rounded-numbers.ts"
import { isList, isMarkItem, isObject, type Json } from "./request-marks.ts"
import { conversationField, type StoredElement } from "./request-parts.ts"

/** Where the items of a conversation are in the text of a request. */
export interface Spans {
  readonly start: number
  /** The offset after each item. */
  readonly ends: readonly number[]
}

export interface KnownRequest extends Spans {
  /** What comes before the conversation: the same text for all sessions that share it. */
  readonly before: string
  /** The items of the conversation; what comes after them is not compared. */
  readonly items: string
  readonly elements: readonly StoredElement[]
  /** The receipt that contains it, and the node of each element. They are stored as long as it is. */
  readonly receipt: { readonly turn: string; readonly step: number }
  readonly nodes: readonly NodeName[]
}

/** A request without the items that are already known. */
export interface ReadRequest extends Spans {
  /** Its conversation starts after the known items. */
  readonly value: Json
  /** All of it, as `JSON.stringify` writes it. */
  readonly text: string
  readonly rounded: readonly JsonPath[]
  /** How many items at the beginning are shared with `known`. */
  readonly shared: number
  readonly known: KnownRequest | undefined
}

/** Returns undefined if the body is not JSON. */
export function readRequest(body: string, known?: KnownRequest): ReadRequest | undefined {
  if (known !== undefined) return readAfter(known, body) ?? readRequest(body)
  const value = parsed(body)
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  const rounded = text === body ? [] : roundedNumbers(body)
  return { value, text, rounded, shared: 0, known: undefined, ...spansOf(value) }
}

/** Returns undefined if they share no item, or `JSON.stringify` would not write this text. */
function readAfter(known: KnownRequest, text: string): ReadRequest | undefined {
  if (!text.startsWith(known.before)) return undefined
  const same = known.start + sharedLength(known.items, text, known.start)
  const next = known.ends.findIndex((end) => end > same)
  const shared = next === -1 ? known.ends.length : next
  const end = known.ends[shared - 1]
  if (end === undefined || text.charAt(end - 1) !== "}") return undefined
  const rest = text.slice(0, known.start) + text.slice(text.charAt(end) === "," ? end + 1 : end)
  const value = parsed(rest)
  if (value === undefined || JSON.stringify(value) !== rest) return undefined
  const { start, ends } = spansOf(value)
  if (start !== known.start || itemsOf(value).some(isMarkItem)) return undefined
  const moved = ends.map((place) => place + text.length - rest.length)
  return { value, text, rounded: [], shared, known, start, ends: [...known.ends.slice(0, shared), ...moved] }
}

const CHUNK = 4096

/** How many characters of `one` are in `other` from `from` on. */
function sharedLength(one: string, other: string, from: number): number {
  const most = Math.min(one.length, other.length - from)
  let at = 0
  while (at + CHUNK <= most && one.slice(at, at + CHUNK) === other.slice(from + at, from + at + CHUNK))
    at += CHUNK
  while (at < most && one.charCodeAt(at) === other.charCodeAt(from + at)) at += 1
  return at
}

/** In the text that `JSON.stringify` makes of it. */
function spansOf(request: Json): Spans {
  const name = conversationField(request)
  if (name === undefined || !isObject(request)) return { start: 0, ends: [] }
  const entries = Object.entries(request)
  const before = Object.fromEntries(entries.slice(0, Object.keys(request).indexOf(name)))
  const start = JSON.stringify({ ...before, [name]: [] }).length - "]}".length
  const ends: number[] = []
  let next = start
  for (const item of itemsOf(request)) {
    ends.push(next + JSON.stringify(item).length)
    next = (ends.at(-1) ?? 0) + 1
  }
  return { start, ends }
}

function itemsOf(request: Json): readonly Json[] {
  const name = conversationField(request)
  const items = name === undefined || !isObject(request) ? undefined : request[name]
  return isList(items) ? items : []
}

function parsed(text: string): Json | undefined {
  try {
    // Written as JSON, so it parses as JSON.
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Characters of all conversations kept; each takes about three times its length in memory. */
const MOST_CHARACTERS = 16_000_000
/** Of the texts before them, which many sessions share. */
const MOST_BEFORE = 4_000_000

/** As it was read: its text is kept in parts. */
export type NewKnown = Omit<KnownRequest, "before" | "items"> & Pick<ReadRequest, "text">

export interface KnownRequests {
  of(session: string): KnownRequest | undefined
  keep(session: string, request: NewKnown): void
}

/** Keeps the most recently used ones. */
export function createKnownRequests(): KnownRequests {
  const kept = createRecentlyUsed<string, KnownRequest>(MOST_CHARACTERS)
  const befores = createRecentlyUsed<string, string>(MOST_BEFORE)
  const beforeOf = (session: string, text: string): string => {
    const last = kept.get(session)?.before
    if (last === text) return last
    const known = befores.get(text)
    if (known !== undefined) return known
    const copy = copyOf(text)
    befores.set(copy, copy, copy.length)
    return copy
  }
  return {
    of: (session) => kept.get(session),
    keep(session, { text, ...request }) {
      const before = beforeOf(session, text.slice(0, request.start))
      const items = copyOf(text.slice(request.start, request.ends.at(-1) ?? request.start))
      kept.set(session, { ...request, before, items }, items.length)
    },
  }
}

/** A part of a text keeps all of it in memory. JSON that was written has no lone surrogates, so UTF-8 changes nothing. */
function copyOf(part: string): string {
  return Buffer.from(part).toString()
}
