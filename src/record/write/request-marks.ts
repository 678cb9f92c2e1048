// Cache marks of a request, for any provider. Lifts them out, so that a breakpoint that moves does not make its text a
// new one, and puts them back exactly where they were. Pure.

/** What `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** A lifted mark: the path of its container, its position there, and its key unless the container is a list. */
export type Mark = readonly [path: readonly (string | number)[], at: number, value: Json, key?: string]

export interface Unmarked {
  readonly value: Json
  readonly marks: readonly Mark[]
}

const MARK_KEYS: ReadonlySet<string> = new Set(["cache_control", "prompt_cache_breakpoint"])
/** Options of the AI SDK that contain only a mark. */
const OPTION_KEYS: ReadonlySet<string> = new Set(["cacheControl", "cachePoint", "promptCacheBreakpoint"])

/** Deeper values are not searched: no provider marks so deep, and the stack is limited. */
export const DEEPEST = 100

/** The marks' paths refer to the value without marks. */
export function liftMarks(value: Json): Unmarked {
  const marks: Mark[] = []
  return { value: strip(value, [], marks), marks }
}

/**
 * A value without marks is returned as it is. `path` is one list that grows and shrinks: requests are long, and marks
 * are few.
 */
function strip(value: Json, path: (string | number)[], marks: Mark[]): Json {
  if (path.length > DEEPEST || typeof value !== "object" || value === null) return value
  return isList(value) ? stripList(value, path, marks) : stripObject(value, path, marks)
}

function stripList(value: readonly Json[], path: (string | number)[], marks: Mark[]): Json {
  const before = marks.length
  const left: Json[] = []
  for (const [at, item] of value.entries()) {
    if (isMarkItem(item)) marks.push([[...path], at, item])
    else left.push(stripped(item, left.length, path, marks))
  }
  return marks.length === before ? value : left
}

function stripped(item: Json, key: string | number, path: (string | number)[], marks: Mark[]): Json {
  if (typeof item !== "object" || item === null) return item
  path.push(key)
  const left = strip(item, path, marks)
  path.pop()
  return left
}

function stripObject(value: JsonObject, path: (string | number)[], marks: Mark[]): Json {
  const before = marks.length
  const left: [string, Json][] = []
  for (const [at, [key, item]] of Object.entries(value).entries()) {
    if (isMark(key, item)) marks.push([[...path], at, item, key])
    else left.push([key, stripped(item, key, path, marks)])
  }
  return marks.length === before ? value : Object.fromEntries(left)
}

/** A mark that is a separate item of a list. */
export function isMarkItem(item: Json): boolean {
  return isObject(item) && Object.keys(item).length === 1 && Object.hasOwn(item, "cachePoint")
}

function isMark(key: string, value: Json): boolean {
  if (MARK_KEYS.has(key)) return true
  if (key !== "providerOptions" || !isObject(value)) return false
  const providers = Object.values(value)
  return (
    providers.length > 0 &&
    providers.every((options) => {
      const names = isObject(options) ? Object.keys(options) : []
      return names.length > 0 && names.every((name) => OPTION_KEYS.has(name))
    })
  )
}

/**
 * The inverse, in a copy; values that `isAtom` matches are not copied. Omits a mark whose container is missing because
 * its text is damaged.
 */
export function putMarks({ value, marks }: Unmarked, isAtom: (value: Json) => boolean = () => false): Json {
  if (marks.length === 0) return value
  const byPath = new Map<string, Mark[]>()
  for (const mark of marks) {
    const name = JSON.stringify(mark[0])
    const known = byPath.get(name)
    if (known === undefined) byPath.set(name, [mark])
    else known.push(mark)
  }
  const restore = (item: Json, path: readonly (string | number)[]): Json => {
    if (path.length > DEEPEST || typeof item !== "object" || item === null || isAtom(item)) return item
    const own = byPath.get(JSON.stringify(path)) ?? []
    if (isList(item)) {
      const items = item.map((one, at) => restore(one, [...path, at]))
      // In ascending order, so that each position takes earlier marks into account.
      for (const [, at, mark] of own) items.splice(at, 0, mark)
      return items
    }
    const entries = Object.entries(item).map(([key, one]): [string, Json] => [
      key,
      restore(one, [...path, key]),
    ])
    for (const [, at, mark, key = ""] of own) entries.splice(at, 0, [key, mark])
    return Object.fromEntries(entries)
  }
  return restore(value, [])
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value)
}
