// Reads the text of one block of Markdown: emphasis, code and links, by the rules of CommonMark. The work grows with the
// length of the text: what is open at one time is bounded.
import { entityAt, linkAt, targetAt } from "./links.ts"

export type Inline =
  | string
  | { readonly kind: "strong" | "em" | "del"; readonly inside: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly inside: readonly Inline[] }
  | { readonly kind: "break" }

/** A run of `*`, `_` or `~`, which may begin or end emphasis. */
interface Run {
  readonly kind: "run"
  readonly mark: string
  readonly length: number
  readonly opens: boolean
  readonly closes: boolean
}

/** "[" or "![", which may begin a link or a picture. */
interface Bracket {
  /** Where it is among the parts. */
  readonly at: number
  readonly isPicture: boolean
}

/** More is not open at a time: of what is never closed, the newest counts. */
const MOST_OPEN = 20
/** A longer run is text, such as a line that is drawn. */
const LONGEST_RUN = 8

/** Whatever may be more than itself. */
const SPECIAL = /[\\`*_~[\]!<&\n]|https?:\/\/|www\.|[\w.+-]{1,64}@/gi
const ESCAPABLE = /[!-/:-@[-`{-~]/
const PUNCTUATION = /[\p{P}\p{S}]/u

export function readInline(text: string): readonly Inline[] {
  const reader: Reader = { text, parts: [], brackets: [], codeEnds: endsOfCode(text) }
  let at = 0
  for (const { index } of text.matchAll(SPECIAL)) {
    if (index < at) continue
    if (index > at) reader.parts.push(text.slice(at, index))
    at = index + readSpecial(reader, index)
  }
  if (at < text.length) reader.parts.push(text.slice(at))
  return emphasized(reader.parts)
}

interface Reader {
  readonly text: string
  readonly parts: (Inline | Run)[]
  readonly brackets: Bracket[]
  /** Where code ends that begins there. */
  readonly codeEnds: ReadonlyMap<number, number>
}

/** The last run of backticks that is as long. */
function endsOfCode(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const next = new Map<number, number>()
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].toReversed()) {
    const end = next.get(run.length)
    if (end !== undefined) ends.set(index, end)
    next.set(run.length, index)
  }
  return ends
}

/** Reads what is there, and returns its length. */
function readSpecial(reader: Reader, at: number): number {
  const { text, parts } = reader
  const mark = text.charAt(at)
  const add = (part: Inline | Run, length: number) => {
    parts.push(part)
    return length
  }
  if (mark === "\n") return add({ kind: "break" }, 1)
  if (mark === "`") return readCode(reader, at)
  if (mark === "*" || mark === "_" || mark === "~") return readRun(reader, at)
  if (mark === "[" || text.startsWith("![", at)) return readBracket(reader, at)
  if (mark === "]") return readLinkEnd(reader, at)
  if (mark === "\\") {
    const next = text.charAt(at + 1)
    // At the end of a line, it is the break that follows.
    return next === "\n" ? 1 : add(ESCAPABLE.test(next) ? next : mark, ESCAPABLE.test(next) ? 2 : 1)
  }
  const link = linkAt(text, at)
  if (link !== undefined) return add({ kind: "link", href: link.href, inside: [link.text] }, link.length)
  const entity = mark === "&" ? entityAt(text, at) : undefined
  return entity === undefined ? add(mark, 1) : add(entity.text, entity.length)
}

function readCode({ text, parts, codeEnds }: Reader, at: number): number {
  const length = runLength(text, at)
  const end = codeEnds.get(at)
  if (end === undefined) {
    parts.push(text.slice(at, at + length))
    return length
  }
  const inside = text.slice(at + length, end).replaceAll("\n", " ")
  const isPadded = inside.startsWith(" ") && inside.endsWith(" ") && inside.trim() !== ""
  parts.push({ kind: "code", text: isPadded ? inside.slice(1, -1) : inside })
  return end + length - at
}

function readRun({ text, parts }: Reader, at: number): number {
  const mark = text.charAt(at)
  const length = runLength(text, at)
  if (length > LONGEST_RUN || (mark === "~" && length !== 2)) {
    parts.push(text.slice(at, at + length))
    return length
  }
  // Its ends are like spaces.
  const [before, after] = [text.charAt(at - 1) || " ", text.charAt(at + length) || " "]
  const [left, right] = [touches(after, before), touches(before, after)]
  // Underscores in a word are part of it.
  const isInWord = mark === "_" && left && right
  parts.push({
    ...{ kind: "run", mark, length },
    opens: left && (!isInWord || PUNCTUATION.test(before)),
    closes: right && (!isInWord || PUNCTUATION.test(after)),
  })
  return length
}

/** Whether a run belongs to the character on one side of it. */
function touches(side: string, other: string): boolean {
  return /\S/.test(side) && (!PUNCTUATION.test(side) || /\s/.test(other) || PUNCTUATION.test(other))
}

function runLength(text: string, at: number): number {
  const mark = text.charAt(at)
  let end = at + 1
  while (text.charAt(end) === mark) end += 1
  return end - at
}

function readBracket({ text, parts, brackets }: Reader, at: number): number {
  const isPicture = text.charAt(at) === "!"
  brackets.push({ at: parts.length, isPicture })
  parts.push(isPicture ? "![" : "[")
  return isPicture ? 2 : 1
}

function readLinkEnd({ text, parts, brackets }: Reader, at: number): number {
  const bracket = brackets.pop()
  const target = bracket && targetAt(text, at + 1)
  if (target === undefined) {
    parts.push("]")
    return 1
  }
  // A link has no links inside.
  const inside = emphasized(parts.splice(bracket?.at ?? 0).slice(1)).flatMap(unlinked)
  if (bracket?.isPicture === true) {
    // A picture is a link: nothing is loaded from elsewhere.
    const label = inside.map(plain).join("")
    parts.push({ kind: "link", href: target.href, inside: [label === "" ? "image" : `image: ${label}`] })
  } else {
    brackets.length = 0
    parts.push({ kind: "link", href: target.href, inside })
  }
  return 1 + target.length
}

function unlinked(part: Inline): readonly Inline[] {
  if (typeof part === "string" || !("inside" in part)) return [part]
  const inside = part.inside.flatMap(unlinked)
  return part.kind === "link" ? inside : [{ ...part, inside }]
}

function plain(part: Inline): string {
  if (typeof part === "string") return part
  if (part.kind === "break") return " "
  return part.kind === "code" ? part.text : part.inside.map(plain).join("")
}

interface Opener {
  readonly run: Run
  /** Where its marks are, as text, in what is made. */
  readonly at: number
  left: number
}

/** Finds the end of each emphasis. Marks without an end, or without a beginning, are text. */
function emphasized(parts: readonly (Inline | Run)[]): readonly Inline[] {
  const made: Inline[] = []
  const openers: Opener[] = []
  for (const part of parts) {
    if (typeof part === "string" || part.kind !== "run") {
      made.push(part)
      continue
    }
    const left = part.closes ? close(part, made, openers) : part.length
    if (left === 0) continue
    if (part.opens) openers.push({ run: part, at: made.length, left })
    if (openers.length > MOST_OPEN) openers.shift()
    made.push(part.mark.repeat(left))
  }
  return made
}

/** Returns how many marks are left. */
function close(run: Run, made: Inline[], openers: Opener[]): number {
  let left = run.length
  while (left > 0) {
    const found = openers.findLastIndex((one) => isEnd(one, run))
    const opener = openers[found]
    if (opener === undefined) break
    const marks = left >= 2 && opener.left >= 2 ? 2 : 1
    const inside = made.splice(opener.at + 1)
    made.pop()
    opener.left -= marks
    left -= marks
    openers.length = found + (opener.left > 0 ? 1 : 0)
    if (opener.left > 0) made.push(run.mark.repeat(opener.left))
    made.push({ kind: run.mark === "~" ? "del" : marks === 2 ? "strong" : "em", inside })
  }
  return left
}

function isEnd({ run: opener }: Opener, run: Run): boolean {
  if (opener.mark !== run.mark) return false
  // What could be both an end and a beginning ends only what it fits.
  const isBoth = opener.closes || run.opens
  return (
    !isBoth || (opener.length + run.length) % 3 !== 0 || (opener.length % 3 === 0 && run.length % 3 === 0)
  )
}
