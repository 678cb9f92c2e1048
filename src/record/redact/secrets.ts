// The process's own secrets by value: a key that was sent out and comes back in an answer, an error or a file is
// replaced before it is stored or shown. Values are known from when they are learned until the process ends.
import { encodingsOf } from "./encodings.ts"
import { markOf } from "./mark.ts"
import { createSecretStream, type SecretStream } from "./stream.ts"

export interface Secrets {
  /** Replaces each value, plain or encoded, by a mark. */
  redact(text: string): string
  /** The same for all strings in plain data. Data without secrets is returned unchanged. */
  within<T>(data: T): T
  /** For streamed text. */
  stream(): SecretStream
  /** For a text that was cut off: also removes the beginning of a value at its end. */
  redactCut(text: string): string
  learn(values: readonly string[]): void
}

const MARK = markOf("key")
/** Shorter values would blank ordinary text. */
const LEAST = 8
/** Letters alone may be a word: `password`, `changeme`, `production`. */
const LEAST_LETTERS = 20
/** The minimum length at which one line of a multi-line value counts on its own. */
const LEAST_LINE = 24
/** Values that are wrapped over lines are long. */
const LEAST_WRAPPED = 16

export function createSecrets(values: readonly string[] = []): Secrets {
  const known = new Set<string>()
  let needles: readonly string[] = []
  let pattern: RegExp | undefined
  const learn = (given: readonly string[]) => {
    const fresh = given.flatMap(partsOf).filter((value) => !known.has(value))
    if (fresh.length === 0) return
    for (const value of fresh) known.add(value)
    const all = new Set([...known].flatMap(encodingsOf))
    // Longest first, so that no part of a value remains because a shorter one was found in it.
    needles = [...all].toSorted((a, b) => b.length - a.length)
    pattern = new RegExp(needles.map(escaped).join("|"), "g")
  }
  const redact = (text: string) => {
    if (pattern === undefined) return text
    const shown = needles.some((needle) => text.includes(needle)) ? text.replaceAll(pattern, MARK) : text
    return withoutWrapped(shown, needles)
  }
  learn(values)
  return {
    redact,
    within: (data) => (pattern === undefined ? data : mapped(data, redact)),
    stream: () => createSecretStream(() => ({ needles, pattern }), MARK),
    redactCut(text) {
      const stream = createSecretStream(() => ({ needles, pattern }), MARK, LEAST)
      return redact(stream.push(text))
    },
    learn,
  }
}

/** The parts of a secret that count: not too short, and not possibly a word. */
function partsOf(given: string): readonly string[] {
  const value = given.trim()
  const lines = value.includes("\n") ? value.split(/\s*\n\s*/) : []
  const isLong = (line: string) => line.length >= LEAST_LINE && !line.startsWith("-----")
  return [value, ...lines.filter(isLong)].filter(isDistinct)
}

function isDistinct(value: string): boolean {
  if (value.length < LEAST || /^(.)\1*$/.test(value)) return false
  return value.length >= LEAST_LETTERS || !/^(?:\p{L}+|[\d.,:-]+)$/u.test(value)
}

/** A value that is wrapped over lines, as in base64 and mail. */
function withoutWrapped(text: string, needles: readonly string[]): string {
  if (!text.includes("\n")) return text
  const joined = text.replaceAll(/\r?\n[ \t]*/g, "")
  const wrapped = needles.filter((needle) => needle.length >= LEAST_WRAPPED && joined.includes(needle))
  return wrapped.reduce((left, needle) => {
    const spread = Array.from(needle, escaped).join("(?:\\r?\\n[ \\t]*)?")
    return left.replaceAll(new RegExp(spread, "g"), MARK)
  }, text)
}

/** A pattern that matches exactly this text. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** Only plain data: instances of classes are left alone. */
function mapped<T>(data: T, change: (text: string) => string): T {
  // The result has the same shape: only strings change.
  return changed(data, change) as T
}

function changed(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data)
  if (typeof data !== "object" || data === null) return data
  if (Array.isArray(data)) {
    const items = data.map((item) => changed(item, change))
    return items.every((item, at) => item === data[at]) ? data : items
  }
  const prototype: unknown = Object.getPrototypeOf(data)
  if (prototype !== Object.prototype && prototype !== null) return data
  const entries = Object.entries(data).map(([name, item]) => [change(name), changed(item, change)] as const)
  const isSame = Object.entries(data).every(
    ([name, item], at) => entries[at]?.[0] === name && entries[at][1] === item,
  )
  return isSame ? data : Object.fromEntries(entries)
}
