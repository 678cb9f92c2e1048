// Caches the last texts of each section, so that unchanged text is never counted again. Bounded, however many people
// have texts of their own.
import { canonicalJson, digest } from "../../base/digest.ts"
import type { Tag } from "../model/section.ts"
import { type Signed, sameParts, type Writable, type WritePart, type Writer, writtenText } from "./write.ts"

/** Most sessions share most texts; the others are of single people, or about a single session. */
const MOST_TEXTS = 256
/** A profile has few sections, but edits may name any number. */
const MOST_SECTIONS = 256
/** Of all texts together. */
const MOST_CHARACTERS = 8_000_000

interface Remembered {
  readonly section: Writable
  readonly parts: readonly WritePart[]
  /** The characters of its parts. Texts of another length need not be compared. */
  readonly length: number
  readonly signed: Signed | undefined
}

/** The same parts give the same text, count and digest. */
export function rememberWriter(
  write: Writer,
): (section: Writable, parts: readonly WritePart[]) => Signed | undefined {
  /** By section, the last one first. */
  const texts = new Map<string, readonly Remembered[]>()
  let held = 0
  const keep = (id: string, newest: Remembered, others: readonly Remembered[]) => {
    if (texts.size >= MOST_SECTIONS && !texts.has(id)) {
      texts.clear()
      held = 0
    }
    held += newest.length - (others[MOST_TEXTS - 1]?.length ?? 0)
    texts.set(id, [newest, ...others.slice(0, MOST_TEXTS - 1)])
    if (held > MOST_CHARACTERS) held = keepNewest(texts)
  }
  return (section, parts) => {
    const known = texts.get(section.id) ?? []
    const length = lengthOf(parts)
    const found = known.find(
      (one) => one.length === length && sameLook(one.section, section) && sameParts(one.parts, parts),
    )
    if (found === undefined) {
      const made = { section, parts, length, signed: signedBy(write, section, parts) }
      keep(section.id, made, known)
      return made.signed
    }
    if (found !== known[0]) texts.set(section.id, [found, ...known.filter((one) => one !== found)])
    return found.signed
  }
}

/** Leaves one text for each section, and returns their length. */
function keepNewest(texts: Map<string, readonly Remembered[]>): number {
  let held = 0
  for (const [id, [newest]] of texts) {
    held += newest?.length ?? 0
    texts.set(id, newest === undefined ? [] : [newest])
  }
  return held
}

function signedBy(write: Writer, section: Writable, parts: readonly WritePart[]): Signed | undefined {
  const written = write(section, parts)
  return written && { ...written, digest: digest(writtenText(written)) }
}

function lengthOf(parts: readonly WritePart[]): number {
  let length = 0
  for (const part of parts) if ("text" in part) length += part.text.length
  return length
}

function sameLook(a: Writable, b: Writable): boolean {
  const same = a.title === b.title && a.bare === b.bare && a.lead === b.lead
  return same && a.envelope?.open === b.envelope?.open && sameTag(a.tag, b.tag)
}

function sameTag(a: Tag | undefined, b: Tag | undefined): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b)
}
