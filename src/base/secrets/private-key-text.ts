// Finds private keys in a text: PEM and OpenPGP blocks, PuTTY files. Also those that were cut, quoted, numbered or
// written with `\n` for line breaks. Lines are walked once, so the time is linear.

export interface TextRange {
  readonly from: number
  /** Not included. */
  readonly to: number
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: /g
const END = /-----END [A-Z0-9 ]{0,60}-----|Private-MAC: [0-9a-f]+/g
/** How JSON and code write a line break, and line breaks. */
const BREAK = /(?:\\{1,4}r)?\\{1,4}n|\r\n|\n|\r/g
/** What stands before a line that is quoted, numbered or part of a string. */
const BEFORE = /^(?:\s{0,8}\d{1,6}\s{0,8}(?:[:|→\t]|\\{1,4}t)|\\{1,4}t|[\s>"'`+,#*|→]){0,40}/
const BASE64 = /^[A-Za-z0-9+/=]+/
const HEADER = /^[A-Z][A-Za-z-]{2,24}: [^\n]{0,200}$/
const WORD = /^(?:[A-Za-z]?[a-z]*|[A-Z]+|\d+)$/
/** Shorter runs may be words. */
const LINE = 16
/** So much of a key makes it one; the words of a block alone are an explanation. */
const LEAST = 20

export function privateKeysIn(text: string): readonly TextRange[] {
  if (!text.includes("PRIVATE KEY") && !text.includes("PuTTY-User-Key-File")) return []
  const begins = [...text.matchAll(BEGIN)]
  const ends = [...text.matchAll(END)]
  let next = 0
  return begins.flatMap(({ index, 0: words }, at) => {
    const body = index + words.length
    const limit = begins[at + 1]?.index ?? text.length
    while ((ends[next]?.index ?? text.length) < body) next += 1
    const end = ends[next]
    const isWhole = end !== undefined && end.index < limit
    const to = isWhole ? end.index + end[0].length : limit
    const inside = text.slice(body, isWhole ? end.index : limit)
    if (isWhole && hasKey(inside)) return [{ from: index, to }]
    const length = isWhole ? 0 : keyLength(inside)
    return length === 0 ? [] : [{ from: index, to: body + length }]
  })
}

/** Something between both ends that is no explanation. */
function hasKey(body: string): boolean {
  return /[A-Za-z0-9+/=]{20}/.test(body)
}

/** How much of what follows the first line belongs to a key that has no end; zero if nothing does. */
function keyLength(body: string): number {
  let characters = 0
  let length = 0
  for (const { from, to } of linesOf(body)) {
    const line = body.slice(from, to)
    const shift = BEFORE.exec(line)?.[0].length ?? 0
    const rest = line.slice(shift)
    const [run = ""] = BASE64.exec(rest) ?? []
    if (rest === "" || (HEADER.test(rest) && characters === 0)) continue
    const isWholeLine = /^["'`+,\s\\]*$/.test(rest.slice(run.length))
    // The last line of a key may be short; a word is none.
    if (run.length < LINE && (characters === 0 || WORD.test(run))) break
    characters += run.length
    length = from + shift + run.length
    if (!isWholeLine) break
  }
  return characters >= LEAST ? length : 0
}

function* linesOf(body: string): Generator<TextRange> {
  let from = 0
  for (const { index, 0: mark } of body.matchAll(BREAK)) {
    yield { from, to: index }
    from = index + mark.length
  }
  yield { from, to: body.length }
}
