// Puts requests together again from the rows that Claude Code writes for each: what it shares with others (its shape),
// its messages by their digests, most of them as a change to an earlier request, and its cache marks. The client also
// writes a digest of the whole, as it would send it; only a request with that digest is called exact.
import { createHash } from "node:crypto"
import { canonicalJson } from "../../../base/digest.ts"
import { oncePerObject } from "../../../base/memo/once.ts"
import { byCodePoint } from "../../../base/order.ts"
import { isList, isObject, type Json, type JsonObject } from "../../../record/write/request-marks.ts"
import type { Coverage } from "../../call.ts"
import { listAt, objectAt, textAt } from "../row-fields.ts"
import type { KnownMessage, KnownMessages } from "./claude-code-messages.ts"

export interface RebuiltRequest {
  readonly request: JsonObject
  readonly coverage: Exclude<Coverage, "none">
}

export interface RebuiltRequests {
  /** Whether it is a row that requests are made of. */
  add(row: JsonObject): boolean
  get(id: string): RebuiltRequest | undefined
  /** Whether the file has any. */
  readonly isEmpty: boolean
}

/** An answer follows its request soon, and a request builds on one of the last ones. */
const MOST_REQUESTS = 64
/** Tools and system text: a conversation has few. */
const MOST_SHAPES = 32

export function createRebuiltRequests(messages: KnownMessages): RebuiltRequests {
  const shapes = new Map<string, JsonObject>()
  const digests = new Map<string, readonly string[]>()
  const requests = new Map<string, RebuiltRequest>()
  const rebuild = (row: JsonObject) => {
    const list = digestsOf(row, digests)
    keep(digests, textAt(row, "id"), list, MOST_REQUESTS)
    const found = list.flatMap((digest) => messages.get(digest) ?? [])
    const shape = shapes.get(textAt(row, "shapeHash") ?? "")
    keep(requests, textAt(row, "id"), rebuilt(row, shape, found), MOST_REQUESTS)
  }
  return {
    add: (row) => {
      if (row.type === "api-request") rebuild(row)
      else if (row.type === "api-request-blob") messages.addSent(objectAt(row, "message"))
      else if (row.type === "api-request-shape")
        keep(shapes, textAt(row, "shapeHash"), objectAt(row, "shape"), MOST_SHAPES)
      else return false
      return true
    },
    get: (id) => requests.get(id),
    get isEmpty() {
      return requests.size === 0
    },
  }
}

/** Forgets the oldest. */
function keep<V>(map: Map<string, V>, key: string | undefined, value: V, most: number): void {
  if (key === undefined) return
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}

/** Those of the request that it builds on, as far as it keeps them, and its own. */
function digestsOf(row: JsonObject, earlier: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const tail = listAt(row, "tail").filter((digest) => typeof digest === "string")
  const base = earlier.get(textAt(row, "base") ?? "") ?? []
  return [...base.slice(0, typeof row.keep === "number" && row.keep > 0 ? row.keep : 0), ...tail]
}

function rebuilt(
  row: JsonObject,
  shape: JsonObject | undefined,
  found: readonly KnownMessage[],
): RebuiltRequest {
  const bare: JsonObject = {
    ...objectAt(row, "params"),
    ...shape,
    messages: found.map(({ message }) => message),
  }
  const marked = listAt(row, "cacheControl").reduce<Json | undefined>(withMark, bare)
  // Betas are sent as a header.
  const { betas: _, ...request } = isObject(marked) ? marked : bare
  const isExact = isObject(marked) && requestDigest(marked, found) === row.requestDigest
  return { request, coverage: isExact ? "exact" : "partial" }
}

/** In a copy that shares everything but the way to the mark. Returns undefined if there is no such place. */
function withMark(request: Json | undefined, mark: Json): Json | undefined {
  if (request === undefined || !isObject(mark)) return undefined
  return markedAt(request, listAt(mark, "path"), mark.value ?? null)
}

function markedAt(value: Json, [key, ...rest]: readonly Json[], mark: Json): Json | undefined {
  if (key === undefined) return isObject(value) ? { ...value, cache_control: mark } : undefined
  const item = isList(value) && typeof key === "number" ? value[key] : undefined
  const field = isObject(value) && typeof key === "string" && Object.hasOwn(value, key) ? value[key] : item
  const marked = field === undefined ? undefined : markedAt(field, rest, mark)
  if (marked === undefined) return undefined
  if (isList(value)) return value.with(Number(key), marked)
  return isObject(value) ? { ...value, [String(key)]: marked } : undefined
}

/** The canonical JSON of the request, with marks. A part that other requests have too is written once. */
function requestDigest(request: JsonObject, found: readonly KnownMessage[]): string {
  const digest = createHash("sha256").update("{")
  for (const [at, key] of Object.keys(request).sort(byCodePoint).entries()) {
    digest.update(`${at === 0 ? "" : ","}${JSON.stringify(key)}:`)
    if (key === "messages") updateMessages(listAt(request, key), found, (text) => digest.update(text))
    else digest.update(canonicalOf(request[key] ?? null))
  }
  return digest.update("}").digest("hex")
}

function updateMessages(
  messages: readonly Json[],
  found: readonly KnownMessage[],
  update: (text: string) => void,
): void {
  update("[")
  for (const [at, message] of messages.entries()) {
    const known = found[at]
    const isUnmarked = known !== undefined && known.message === message
    update(`${at === 0 ? "" : ","}${isUnmarked ? known.canonical : canonicalJson(message)}`)
  }
  update("]")
}

function canonicalOf(value: Json): string {
  return typeof value === "object" && value !== null ? canonicalOnce(value) : canonicalJson(value)
}

const canonicalOnce = oncePerObject((value: object) => canonicalJson(value))
