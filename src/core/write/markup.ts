// How sections are written: as XML-style tags or under Markdown headings. In both, text cannot break out of its
// section. Neutralising never moves a line, so provenance stays exact.
import { fenceLines, unclosedFences } from "../../base/text/fence.ts"
import { hiddenText } from "../../base/text/hidden-text.ts"
import { lenientTags, readName } from "../../base/text/lenient-tags.ts"
import { isSlot, type Part, type TextPart, textOf } from "../model/content.ts"
import type { Tag } from "../model/section.ts"

/** The text before and after a section. */
export interface Envelope {
  readonly open: string
  readonly close: string
}

/** One replacement that `guard` makes: a unit of a text that is replaced on the same line, or removed. */
export interface Escape {
  readonly at: number
  readonly as: string
}

/** How sections are told apart in the text, and how text is kept from imitating them. */
export interface Markup {
  readonly name: string
  /** Whether it is safe for unvetted text. */
  readonly safe: boolean
  /** Whether section counts add up to the count of the whole: each starts with `<` or `#` and ends a line. */
  readonly additive: boolean
  /** Whether text is written as built: no envelope, no trimming. The builder is responsible for its bounds. */
  readonly verbatim?: true
  envelope(section: Named & { readonly title?: string }): Envelope
  /** The escapes that keep a text from ending its section, in order. */
  escapes(text: string, section: Named): readonly Escape[]
}

interface Named {
  readonly id: string
  readonly tag?: Tag
}

/** Tags that only the compiler may write: the tail's envelope, updates to the head, envelopes of messages. */
const RESERVED_TAGS = [
  "turn-context",
  "update",
  "said-by",
  "conversation-summary",
  "branch-summary",
  "user-command",
] as const

/** Markup with an XML-like tag around each section: safe for text from anyone. */
export const tags: Markup = {
  name: "tags",
  safe: true,
  additive: true,
  envelope: ({ id, tag = { name: tagName(id), attributes: {} } }) => ({
    open: `${openingTag(tag)}\n`,
    close: `\n</${tag.name}>\n\n`,
  }),
  escapes: (text, { id, tag }) => tagEscapes(text, readName(tag?.name ?? tagName(id))),
}

/** Markdown headings of one level. Headings of that level or above inside a text are escaped. */
export function headings(level: 1 | 2 | 3): Markup {
  const mark = "#".repeat(level)
  return {
    name: `headings-${level}`,
    safe: true,
    additive: true,
    envelope: ({ id, title }) => ({ open: `${mark} ${title ?? titleOf(id)}\n\n`, close: "\n\n" }),
    escapes: (text) => inOrder([...headingEscapes(text, level), ...tagEscapes(text, undefined)]),
  }
}

/** No markup, for layouts of other systems: their sections include their own headings, tags and blank lines. */
export const verbatim: Markup = {
  name: "verbatim",
  safe: false,
  additive: false,
  verbatim: true,
  envelope: () => ({ open: "", close: "" }),
  escapes: () => [],
}

/** The text with its escapes applied. */
export function neutralise(markup: Markup, text: string, section: Named): string {
  return escapeText(text, markup.escapes(text, section))
}

/** Applies escapes found in the joined text, so that nothing gets through by being split across parts. */
export function escapeParts(parts: readonly TextPart[], escapes: readonly Escape[]): readonly TextPart[] {
  if (escapes.length === 0) return parts
  let offset = 0
  let next = 0
  return parts.map((part) => {
    const start = offset
    offset += part.text.length
    const first = next
    while (next < escapes.length && (escapes[next]?.at ?? 0) < offset) next += 1
    const own = escapes.slice(first, next).map(({ at, as }) => ({ at: at - start, as }))
    return own.length === 0 ? part : { ...part, text: escapeText(part.text, own) }
  })
}

/** A tag with attributes around parts, for a section that contains several files. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  parts: readonly Part[],
): readonly Part[] {
  const inner = escapeAround(parts, (text) => tagEscapes(text, readName(tag)))
  return [{ text: `${openingTag({ name: tag, attributes })}\n` }, ...inner, { text: `\n</${tag}>\n` }]
}

function openingTag({ name, attributes }: Tag): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
  return `<${name}${written.join("")}>`
}

/** Makes a text safe as the value of a tag's attribute. */
export function escapeAttribute(value: string): string {
  return value.replace(IN_ATTRIBUTE, (char) => ESCAPES[char] ?? `&#${char.codePointAt(0)};`)
}

/** For text that updates a section of the head. */
export function updateEnvelope(target: string): Envelope {
  return { open: `<update section="${escapeAttribute(target)}">\n`, close: "\n</update>\n\n" }
}

/** For everything that is sent with a turn. */
export const TAIL_ENVELOPE: Envelope = { open: "<turn-context>\n", close: "</turn-context>\n\n" }

/**
 * Makes text from outside harmless in a prompt: escapes the compiler's own tags and those of `sections`, and removes
 * hidden text.
 */
export function guard(text: string, sections: readonly string[] = []): string {
  const names = new Set(sections.map((id) => readName(tagName(id))))
  return escapeText(text, tagEscapes(text, undefined, names))
}

export function tagName(id: string): string {
  return id.replaceAll("/", "-").toLowerCase()
}

/** Whether a section with this id would be written with a tag reserved for the compiler. */
export function isReserved(id: string): boolean {
  return RESERVED_TAGS.some((tag) => tag === tagName(id))
}

function titleOf(id: string): string {
  const words = id.replaceAll(/[/_-]+/g, " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function escapeText(text: string, escapes: readonly Escape[]): string {
  let made = ""
  let from = 0
  for (const { at, as } of escapes) {
    made += text.slice(from, at) + as
    from = at + 1
  }
  return from === 0 ? text : made + text.slice(from)
}

/** Escapes the parts between slots together. The section in a slot is escaped separately. */
function escapeAround(parts: readonly Part[], escapes: (text: string) => readonly Escape[]): readonly Part[] {
  const done: Part[] = []
  let run: TextPart[] = []
  const flush = () => {
    done.push(...escapeParts(run, escapes(textOf(run))))
    run = []
  }
  for (const part of parts) {
    if (isSlot(part)) {
      flush()
      done.push(part)
    } else run.push(part)
  }
  flush()
  return done
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
}

/** Also characters that end a line, are invisible, or look like a bracket or a quote. */
const IN_ATTRIBUTE =
  /[&<>"\uFF02\uFF1C\uFF1E\uFE64\uFE65\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

const NONE: ReadonlySet<string> = new Set()
const RESERVED_NAMES: ReadonlySet<string> = new Set(RESERVED_TAGS)

function tagEscapes(
  text: string,
  closing: string | undefined,
  names: ReadonlySet<string> = NONE,
): readonly Escape[] {
  const known = [...RESERVED_TAGS, closing ?? "", ...names]
  const longest = Math.max(...known.map(({ length }) => length))
  const escapes: Escape[] = []
  for (const { at, isClosing, names: read } of lenientTags(text, longest)) {
    const isOurs = read.some((name) => RESERVED_NAMES.has(name) || names.has(name))
    if (isOurs || (isClosing && closing !== undefined && read.includes(closing)))
      escapes.push({ at, as: "&lt;" })
  }
  const hidden = hiddenText(text)
  if (hidden.length === 0) return escapes
  const gone = hidden.flatMap((at): readonly Escape[] => [
    { at, as: "" },
    { at: at + 1, as: "" },
  ])
  return inOrder([...escapes, ...gone])
}

/** By offset, without duplicates. */
function inOrder(escapes: readonly Escape[]): readonly Escape[] {
  const sorted = escapes.toSorted((a, b) => a.at - b.at)
  return sorted.filter(({ at }, index) => at !== sorted[index - 1]?.at)
}

/** Characters at the start of a line that are invisible or blank. Excludes tabs, which make a line code. */
const UNSEEN = String.raw`[[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\p{Zs}\u2800\uFFFD]--[ \t]]*`
const INDENT = `^${UNSEEN}(?: ${UNSEEN}){0,3}`
const HASH = String.raw`[#\uFF03\uFE5F]`

/** Headings of the envelope's level or above, including `===` and `---` underlines. Code is left alone. */
function headingEscapes(text: string, level: number): readonly Escape[] {
  const heading = new RegExp(`${INDENT}(?:${HASH}${UNSEEN}){1,${level}}(?=[ \\t]|$)`, "v")
  const underline = new RegExp(`${INDENT}(?:=+${level > 1 ? "|-+" : ""})[ \\t]*$`, "v")
  const { lines, starts } = splitLines(text)
  // An unclosed fence would swallow the following sections, so it doesn't count as one.
  const unclosed = unclosedFences(lines)
  const fenced = fenceLines(lines.map((line, at) => (unclosed.has(at) ? "" : line)))
  return lines.flatMap((line, at): Escape[] => {
    const above = lines[at - 1]?.trim() ?? ""
    const isUnderline = underline.test(line) && above !== "" && !fenced[at - 1]
    if (!unclosed.has(at) && (fenced[at] || !(heading.test(line) || isUnderline))) return []
    const mark = unclosed.has(at) ? line.search(/\S/) : line.search(/[#\uFF03\uFE5F=-]/)
    return [{ at: (starts[at] ?? 0) + mark, as: `\\${line.charAt(mark)}` }]
  })
}

/** Lines as a forgiving reader sees them: a lone carriage return and the Unicode line separators also end one. */
function splitLines(text: string): { readonly lines: readonly string[]; readonly starts: readonly number[] } {
  const lines: string[] = []
  const starts: number[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|[\r\n\v\f\u0085\u2028\u2029]|$/g)) {
    lines.push(text.slice(start, index))
    starts.push(start)
    start = index + end.length
  }
  return { lines, starts }
}
