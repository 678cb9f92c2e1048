// The last request of each session, so that the next one is read only where it differs: a conversation grows at its
// end, and what a step costs must not grow with it. Only texts that `JSON.stringify` could have written are compared.
import { type JsonPath, roundedNumbers } from "../ask/rounded-numbers.ts"
import { isList, isMarkItem, isObject, type Json } from "./request-marks.ts"
import { conversationField, type StoredElement } from "./request-parts.ts"

/** Where the items of a conversation stand in the text of a request. */
export interface Spans {
  readonly start: number
  /** The place after each item. */
  readonly ends: readonly number[]
}

export interface KnownRequest extends Spans {
  readonly text: string
  readonly elements: readonly StoredElement[]
  /** The receipt that has it, and the node of each element. While it is in the file, so are they. */
  readonly receipt: { readonly turn: string; readonly step: number }
  readonly nodes: readonly number[]
}

/** A request without the items that are known already. */
export interface ReadRequest extends Spans {
  /** Its conversation begins after what is known. */
  readonly value: Json
  /** As `JSON.stringify` writes all of it. */
  readonly text: string
  readonly rounded: readonly JsonPath[]
  /** How many items at the beginning are those of `known`. */
  readonly shared: number
  readonly known: KnownRequest | undefined
}

/** Nothing if the body is no JSON. */
export function readRequest(body: string, known?: KnownRequest): ReadRequest | undefined {
  if (known !== undefined) return readAfter(known, body) ?? readRequest(body)
  const value = parsed(body)
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  const rounded = text === body ? [] : roundedNumbers(body)
  return { value, text, rounded, shared: 0, known: undefined, ...spansOf(value) }
}

/** Nothing if they have no item in common, or the text is one that `JSON.stringify` does not write. */
function readAfter(known: KnownRequest, text: string): ReadRequest | undefined {
  const same = sharedLength(known.text, text)
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

/** How many characters at the beginning two texts share. */
function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at + CHUNK <= most && one.slice(at, at + CHUNK) === other.slice(at, at + CHUNK)) at += CHUNK
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
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
    // What was written as JSON is read as JSON.
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const MOST_SESSIONS = 32
/** Characters of all requests that are kept; each takes about three times its length in memory. */
const MOST_CHARACTERS = 16_000_000

export interface KnownRequests {
  of(session: string): KnownRequest | undefined
  keep(session: string, request: KnownRequest): void
}

/** The ones that were used last. */
export function createKnownRequests(): KnownRequests {
  const kept = new Map<string, KnownRequest>()
  let characters = 0
  const drop = (session: string) => {
    characters -= kept.get(session)?.text.length ?? 0
    kept.delete(session)
  }
  return {
    of: (session) => kept.get(session),
    keep(session, request) {
      drop(session)
      kept.set(session, request)
      characters += request.text.length
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_SESSIONS && characters <= MOST_CHARACTERS) break
        drop(oldest)
      }
    },
  }
}
