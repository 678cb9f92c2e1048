// How sections are written: as XML-style tags or under Markdown headings.
// In both, text can not break out of its section; neutralising never moves a line, so provenance stays exact.
import type { Part, TextPart } from "./content.ts"
import { isSlot } from "./content.ts"
import { fenceLines } from "./fence.ts"

export interface Envelope {
  readonly open: string
  readonly close: string
}

export interface Markup {
  readonly name: string
  /** Whether text that nobody has vetted can stand in it. */
  readonly safe: boolean
  /** Whether section counts add up to the count of the whole: each starts with `<` or `#` and ends a line. */
  readonly additive: boolean
  envelope(section: { readonly id: string; readonly title?: string }): Envelope
  /** Takes from a text what could end the section it stands in. */
  neutralise(text: string, section: { readonly id: string }): string
}

/** Names that only the compiler may write, anywhere: the tail's envelope and updates to the head. */
const RESERVED_TAGS = ["turn-context", "update"] as const

export const tags: Markup = {
  name: "tags",
  safe: true,
  additive: true,
  envelope: ({ id }) => ({ open: `<${tagName(id)}>\n`, close: `\n</${tagName(id)}>\n\n` }),
  neutralise: (text, { id }) => defuse(text, closingOf(tagName(id))),
}

/** Markdown headings of one level; headings of that level or above inside a text are escaped. */
export function headings(level: 1 | 2 | 3): Markup {
  const mark = "#".repeat(level)
  return {
    name: `headings-${level}`,
    safe: true,
    additive: true,
    envelope: ({ id, title }) => ({ open: `${mark} ${title ?? titleOf(id)}\n\n`, close: "\n\n" }),
    neutralise: (text) => defuse(escapeHeadings(text, level), undefined),
  }
}

/** A tag with attributes around parts, for a section that holds several files. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  parts: readonly Part[],
): readonly Part[] {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const inner = parts.map((part) => (isSlot(part) ? part : withText(part, defuse(part.text, closingOf(tag)))))
  return [{ text: `<${tag}${written.join("")}>\n` }, ...inner, { text: `\n</${tag}>\n` }]
}

export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\n\r]/g, (char) => ESCAPES[char] ?? char)
}

/** Around text that changes what the head said before. */
export function updateEnvelope(target: string): Envelope {
  return { open: `<update section="${escapeAttribute(target)}">\n`, close: "\n</update>\n\n" }
}

/** Around everything that is told with a turn. */
export const TAIL_ENVELOPE: Envelope = { open: "<turn-context>\n", close: "</turn-context>\n\n" }

/** Takes the compiler's own tags from a text that comes from outside: a user's message, a tool's result. */
export function guard(text: string): string {
  return defuse(text, undefined)
}

function tagName(id: string): string {
  return id.replaceAll("/", "-").toLowerCase()
}

function titleOf(id: string): string {
  const words = id.replaceAll(/[/_-]+/g, " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function withText(part: TextPart, text: string): TextPart {
  return text === part.text ? part : { ...part, text }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
}

/** White space and invisible characters do not keep a model from reading a tag as one. */
const GAP = String.raw`[\s\p{Cf}]*`

const RESERVED = new RegExp(`<(?=${GAP}/?${GAP}(?:${RESERVED_TAGS.join("|")})(?![\\p{L}\\p{N}_-]))`, "giu")

const CLOSING = new Map<string, RegExp>()

function closingOf(tag: string): RegExp {
  const known = CLOSING.get(tag)
  if (known !== undefined) return known
  const made = new RegExp(`<(?=${GAP}/${GAP}${tag}(?![\\p{L}\\p{N}_-]))`, "giu")
  CLOSING.set(tag, made)
  return made
}

function defuse(text: string, closing: RegExp | undefined): string {
  if (!text.includes("<")) return text
  const guarded = text.replace(RESERVED, "&lt;")
  return closing === undefined ? guarded : guarded.replace(closing, "&lt;")
}

/** Escapes headings of the envelope's level or above, `===` and `---` underlines among them; code is left alone. */
function escapeHeadings(text: string, level: number): string {
  const heading = new RegExp(`^ {0,3}#{1,${level}}(?=[ \\t]|$)`)
  const underline = level > 1 ? /^ {0,3}(?:=+|-+)[ \t]*$/ : /^ {0,3}=+[ \t]*$/
  const lines = text.split("\n")
  const fenced = fenceLines(lines)
  return lines
    .map((line, at) => {
      if (fenced[at]) return line
      if (heading.test(line)) return line.replace("#", "\\#")
      const above = lines[at - 1]
      const underlines = underline.test(line) && above !== undefined && above.trim() !== "" && !fenced[at - 1]
      return underlines ? line.replace(/[=-]/, "\\$&") : line
    })
    .join("\n")
}
