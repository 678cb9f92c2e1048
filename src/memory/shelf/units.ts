// Splits a Markdown file into units: bullets, paragraphs, rows and dated entries under their headings, small enough to
// return one by one. Lines and text are exact, and a code fence is never cut.
import { fenceLines } from "../../base/text/fence.ts"
import { type Heading, headingOf } from "../../base/text/heading.ts"
import { isFurther, type Provenance, provenanceOf } from "../../core/view/authorship.ts"
import { dateIn, leadingDate } from "../rank/dates.ts"

export interface Unit {
  /** First and last line, from 1. */
  readonly lines: readonly [number, number]
  readonly text: string
  readonly date?: string
  /** The subject that the line itself names, as in "- Carol: likes tea". */
  readonly label?: string
  readonly provenance?: Provenance
}

/** The text under one heading. */
export interface Part {
  /** The headings above it, outermost first. */
  readonly heading: readonly string[]
  /** The line of its own heading, if it has one. */
  readonly headingLine?: number
  readonly date?: string
  readonly units: readonly Unit[]
}

/** A longer paragraph is split between its lines. */
const LONG_PARAGRAPH = 1_500
/** A part with more units continues in another one: positions in the index have limited bits. */
const MOST_UNITS = 2_000

const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/
const ROW = /^\s*\|/
const RULE_ROW = /^[\s:|-]+$/
const LABEL =
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s*)?(?:\*\*|__)?(\p{L}[\p{L}\p{N} .'_-]{0,38}?)(?:\*\*|__)?:(?:\*\*|__)?\s/u

/** `name` is the path of the file, which often contains a date. */
export function unitsOf(text: string, name: string): readonly Part[] {
  const lines = text.split("\n")
  const reader = new PartReader(dateIn(name.split("/").at(-1) ?? ""))
  const fenced = fenceLines(lines, "any")
  const start = frontMatterEnd(lines)
  for (const [at, line] of lines.entries()) if (at >= start) reader.line(line, at + 1, fenced[at] === true)
  return reader.end()
}

/**
 * Whether a text ends with a question mark, optionally followed by a note in square brackets. Looks at each character
 * once.
 */
export function endsWithQuestion(text: string): boolean {
  const whole = text.trimEnd()
  if (/[?？]$/.test(whole)) return true
  if (!whole.endsWith("]")) return false
  // The note contains no closing bracket, so it starts after the previous one.
  let before = ""
  for (let at = whole.lastIndexOf("]", whole.length - 2) + 1; at < whole.length - 1; at += 1) {
    const character = whole.charAt(at)
    if (character === "[" && (before === "?" || before === "？")) return true
    if (character.trim() !== "") before = character
  }
  return false
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---" || !/^[A-Za-z_-]+\s*:/.test(lines[1] ?? "")) return 0
  for (let at = 1; at < Math.min(lines.length, 200); at += 1)
    if (/^(---|\.\.\.)\s*$/.test(lines[at] ?? "")) return at + 1
  return 0
}

interface Open {
  readonly first: number
  readonly texts: string[]
  length: number
  provenance?: Provenance | undefined
}

class PartReader {
  readonly #fileDate: string | undefined
  readonly #parts: Part[] = []
  #heads: { readonly level: number; readonly title: string }[] = []
  #headingLine: number | undefined
  #units: Unit[] = []
  #open: Open | undefined
  /** The provenance of the current entry, for all of its units. */
  #provenance: Provenance | undefined
  #isEntryBegun = false
  /** After a blank line, an unindented line begins something new. */
  #loose = false
  #wasFenced = false

  constructor(fileDate: string | undefined) {
    this.#fileDate = fileDate
  }

  line(line: string, at: number, isFenced: boolean): void {
    if (this.#isEntryBegun && !isFurther(line)) this.#endEntry()
    if (isFenced) {
      if (!this.#wasFenced && this.#loose && !/^\s/.test(line)) this.#endUnit()
      this.#wasFenced = true
      this.#add(line, at)
      return
    }
    this.#wasFenced = false
    // Indented text below a signed entry is its author's, so it cannot be a heading of the file.
    const heading = this.#isEntryBegun ? undefined : headingOf(line)
    const provenance = provenanceOf(line)
    if (heading !== undefined) this.#beginPart(heading, at)
    else if (provenance !== undefined) this.#sign(provenance)
    else if (line.trim() === "") this.#loose = this.#open !== undefined
    else this.#text(line, at)
  }

  end(): readonly Part[] {
    this.#endPart()
    return this.#parts
  }

  #sign(provenance: Provenance): void {
    this.#endEntry()
    this.#provenance = provenance
  }

  #endEntry(): void {
    this.#endUnit()
    this.#provenance = undefined
    this.#isEntryBegun = false
  }

  #text(line: string, at: number): void {
    if (this.#begins(line)) this.#endUnit()
    if (!(ROW.test(line) && RULE_ROW.test(line))) this.#add(line, at)
  }

  #begins(line: string): boolean {
    if (this.#open === undefined) return false
    if (BULLET.test(line) || ROW.test(line) || this.#open.length + line.length > LONG_PARAGRAPH) return true
    return (this.#loose && !/^\s/.test(line)) || /^\W{0,3}(?:19|20)\d\d-\d\d-\d\d\b/.test(line)
  }

  #add(line: string, at: number): void {
    this.#open ??= { first: at, texts: [], length: 0, provenance: this.#provenance }
    this.#isEntryBegun = this.#provenance !== undefined
    // Blank lines inside a unit belong to its exact text.
    while (this.#open.first + this.#open.texts.length < at) this.#open.texts.push("")
    this.#open.texts.push(line)
    this.#open.length += line.length + 1
    this.#loose = false
  }

  #beginPart({ level, title }: Heading, at: number): void {
    this.#endPart()
    this.#heads = [...this.#heads.filter((head) => head.level < level), { level, title }]
    this.#headingLine = at
  }

  #endUnit(): void {
    const open = this.#open
    this.#open = undefined
    this.#loose = false
    if (open === undefined) return
    const text = open.texts.join("\n")
    const date = leadingDate(text.split("\n", 1)[0] ?? "")
    const label = LABEL.exec(text)?.[1]
    this.#units.push({
      lines: [open.first, open.first + open.texts.length - 1],
      text,
      ...(date !== undefined && { date }),
      ...(label !== undefined && { label }),
      ...(open.provenance !== undefined && { provenance: open.provenance }),
    })
    if (this.#units.length === MOST_UNITS) this.#closePart()
  }

  #endPart(): void {
    this.#endEntry()
    this.#closePart()
    this.#headingLine = undefined
  }

  #closePart(): void {
    if (this.#units.length === 0 && this.#headingLine === undefined) return
    const date =
      this.#heads.map(({ title }) => dateIn(title)).findLast((found) => found !== undefined) ?? this.#fileDate
    this.#parts.push({
      heading: this.#heads.map(({ title }) => title),
      units: this.#units,
      ...(this.#headingLine !== undefined && { headingLine: this.#headingLine }),
      ...(date !== undefined && { date }),
    })
    this.#units = []
  }
}
