// Finds private keys in a text: PEM and OpenPGP blocks, and PuTTY files. Also finds keys that are cut off, quoted,
// numbered or written with `\n` for line breaks. Walks the lines once, so the time is linear.

export interface TextRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const BEGIN = /-----BEGIN ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: /g
const END = /-----END[A-Z0-9 ]{0,60}-----|Private-MAC: [0-9a-f]+/g
/** A line break, either real or escaped as in JSON and code. */
const BREAK = /(?:\\{1,4}r)?\\{1,4}n|\r\n|\n|\r/g
/** What may precede the key on a line that is quoted, numbered or part of a string. */
const BEFORE =
  /^(?:\s{0,8}\d{1,6}\s{0,8}(?:[:|→\t]|\\{1,4}t)|\\{1,4}t|[\s>"'`+,#*|→]|(?:\/\/|-|;|%)[ \t]){0,40}/
const BASE64 = /^[A-Za-z0-9+/=]+/
const HEADER = /^[A-Z][A-Za-z-]{2,24}: [^\n]{0,200}$/
const WORD = /^(?:[A-Za-z]?[a-z]*|[A-Z]+|\d+)$/
/** A shorter run of letters may be an ordinary word. */
const LINE = 16
/** At least this many characters of key material: a BEGIN line without them is only documentation. */
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

/** Whether there is key material between the two ends, rather than an explanation. */
function hasKey(body: string): boolean {
  if (/[A-Za-z0-9+/=]{20}/.test(body)) return true
  // Broken into short lines; keys begin like this.
  const joined = body.replaceAll(/\s|\\n/g, "")
  return joined.length >= 100 && /^(?:MI|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]+=*$/.test(joined)
}

/** How many characters after the first line belong to a key without an end line. Zero if none do. */
function keyLength(body: string): number {
  let [characters, length, headers] = [0, 0, 0]
  for (const { from, to } of linesOf(body)) {
    const line = body.slice(from, to)
    const shift = BEFORE.exec(line)?.[0].length ?? 0
    const rest = line.slice(shift)
    const [run = ""] = BASE64.exec(rest) ?? []
    if (rest === "") continue
    if (HEADER.test(rest) && characters === 0) {
      headers += 1
      length = to
      continue
    }
    const isWholeLine = /^["'`+,\s\\]*$/.test(rest.slice(run.length))
    // The last line of a key may be short, but a single word is not key material.
    if (run.length < LINE && (characters === 0 || WORD.test(run))) break
    characters += run.length
    length = from + shift + run.length
    if (!isWholeLine) break
  }
  return characters >= LEAST || headers > 0 ? length : 0
}

function* linesOf(body: string): Generator<TextRange> {
  let from = 0
  for (const { index, 0: mark } of body.matchAll(BREAK)) {
    yield { from, to: index }
    from = index + mark.length
  }
  yield { from, to: body.length }
}
