// What the cache marks of a request mean: the lifetime of each, and how many blocks are between two of them.
import { isList, isObject, type Json, liftMarks, type Mark } from "./request-marks.ts"
import { conversationField } from "./request-parts.ts"

/** The lifetime of each mark; `undefined` for the provider's default. */
export function lifetimesOf(request: Json): readonly (string | undefined)[] {
  return liftMarks(request).marks.map(([, , value]) => lifetimeOf(value))
}

/** The lifetime that a mark asks for. */
export function lifetimeOf(value: Json): string | undefined {
  if (!isObject(value)) return undefined
  if (typeof value.ttl === "string") return value.ttl
  for (const item of Object.values(value)) {
    const found = lifetimeOf(item)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * How far the nearest mark of a call is from the last one of the previous call. Returns undefined if either has none.
 */
export function blocksBack(before: Json, after: Json): number | undefined {
  const written = Math.max(...placesOf(before))
  const next = Math.min(...placesOf(after).filter((place) => place >= written))
  return Number.isFinite(written) && Number.isFinite(next) ? next - written : undefined
}

/** The marks in the conversation, as block numbers. */
function placesOf(request: Json): readonly number[] {
  const { value, marks } = liftMarks(request)
  const name = isObject(value) ? conversationField(value) : undefined
  const list = name !== undefined && isObject(value) ? value[name] : undefined
  if (!isList(list)) return []
  const starts: number[] = []
  let blocks = 0
  for (const item of list) {
    starts.push(blocks)
    blocks += partsOf(item)
  }
  return marks.flatMap((mark) => placeOf(mark, name, starts, list))
}

function placeOf(
  [path, at, , key]: Mark,
  name: string | undefined,
  starts: readonly number[],
  list: readonly Json[],
): readonly number[] {
  const [field, item, , part] = path
  if (field !== name || typeof item !== "number") return []
  const start = starts[item] ?? 0
  // A mark that is a separate item comes after a part; others are inside it, or in the message.
  const last = Math.max(0, partsOf(list[item]) - 1)
  const within =
    key === undefined ? Math.min(last, Math.max(0, at - 1)) : typeof part === "number" ? part : last
  return [start + within]
}

function partsOf(item: Json | undefined): number {
  if (!isObject(item)) return 1
  const parts = item.content ?? item.parts ?? item.output
  return isList(parts) ? Math.max(1, parts.length) : 1
}
