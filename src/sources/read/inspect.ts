// Inspects the text of a file for what a reader cannot see or should know about: invisible and control characters,
// hidden text, endless lines, unclosed comments, phrases that try to take over. Reports diagnostics, and cleans text from
// elsewhere. Never blocks a file: scanners that block do more harm than what they look for.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { oncePerText } from "../../base/memo/once.ts"
import { fenceLines } from "../../base/text/fence.ts"
import { FLAG_PATTERN, hiddenText, withoutHiddenText } from "../../base/text/hidden-text.ts"
import { injectionPattern } from "../../base/text/injection-phrases.ts"
import { countNewlines } from "../../core/model/content.ts"
import { withoutControls } from "./control-characters.ts"

export interface Inspected {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface InspectOptions {
  /** The path to show to people. */
  readonly path: string
  /** The line of the file on which the text starts. */
  readonly firstLine: number
  /** A file of the workspace itself: its owner may write anything, but gets diagnostics about what cannot be seen. */
  readonly isOwn: boolean
}

const MAX_LINE_LENGTH = 20_000
const MAX_PHRASES = 5
const MAX_PHRASE_LENGTH = 60
/** A session's project context is read again for each turn, and is rarely more files than this. */
const MOST_TEXTS = 16

export function inspectText(text: string, options: InspectOptions): Inspected {
  const whole = takeOutNul(text, options)
  const plain = takeOutControls(whole.text, options)
  const spelt = options.isOwn ? takeOutHidden(plain.text, options) : { text: plain.text, diagnostics: [] }
  const visible = takeOutInvisible(spelt.text, options)
  return {
    text: visible.text,
    diagnostics: [
      ...whole.diagnostics,
      ...plain.diagnostics,
      ...spelt.diagnostics,
      ...visible.diagnostics,
      ...longLines(visible.text, options),
      ...openComment(visible.text, options),
      ...(options.isOwn ? [] : phrases(visible.text, options)),
    ],
  }
}

function takeOutNul(text: string, { path, firstLine }: InspectOptions): Inspected {
  const first = text.indexOf("\0")
  if (first === -1) return { text, diagnostics: [] }
  const clean = text.replaceAll("\0", "")
  const line = firstLine + countNewlines(text, 0, first)
  const count = text.length - clean.length
  return { text: clean, diagnostics: [{ code: "nul-characters", path, line, count }] }
}

function takeOutControls(text: string, { path, firstLine }: InspectOptions): Inspected {
  const { text: clean, count, first, kinds } = withoutControls(text)
  if (count === 0) return { text, diagnostics: [] }
  const line = firstLine + countNewlines(text, 0, first)
  return { text: clean, diagnostics: [{ code: "control-characters", path, line, count, kinds }] }
}

/** The owner's other invisible characters stay; characters that spell a text for the model alone are removed. */
function takeOutHidden(text: string, { path, firstLine }: InspectOptions): Inspected {
  const places = hiddenText(text)
  const [first] = places
  if (first === undefined) return { text, diagnostics: [] }
  const line = firstLine + countNewlines(text, 0, first)
  const hidden = places.map((at) => ({ character: characterAt(text, at), line }))
  const diagnostic = { path, line, kinds: kindsOf(hidden), count: hidden.length }
  return { text: withoutHiddenText(text), diagnostics: [{ code: "invisible-removed", ...diagnostic }] }
}

interface Hidden {
  readonly character: string
  readonly line: number
}

function takeOutInvisible(text: string, { path, firstLine, isOwn }: InspectOptions): Inspected {
  const hidden: Hidden[] = []
  // Line by line: characters on one line never justify those on another, and line ends are never removed.
  const lines = text.split("\n").map((line, offset) => {
    const found = invisibleIn(line)
    for (const character of found.characters) hidden.push({ character, line: firstLine + offset })
    return found.rest
  })
  const [first] = hidden
  if (first === undefined) return { text, diagnostics: [] }
  const diagnostic = { path, line: first.line, kinds: kindsOf(hidden), count: hidden.length }
  if (isOwn) return { text, diagnostics: [{ code: "invisible-characters", ...diagnostic }] }
  return { text: lines.join("\n"), diagnostics: [{ code: "invisible-removed", ...diagnostic }] }
}

/**
 * Characters with no width on the screen; FFF9 to FFFB are the only such group that Unicode does not list as ignorable.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u
const FLAG_OR_INVISIBLE = new RegExp(`(${FLAG_PATTERN})|${INVISIBLE.source}`, "gu")

function invisibleIn(line: string): { readonly characters: readonly string[]; readonly rest: string } {
  const characters: string[] = []
  let isRightToLeft: boolean | undefined
  const rest = line.replace(FLAG_OR_INVISIBLE, (found: string, flag: string | undefined, at: number) => {
    if (flag !== undefined) return found
    isRightToLeft ??= RIGHT_TO_LEFT.test(line)
    const before = characterBefore(line, at)
    const after = characterAt(line, at + found.length)
    if (isUseful(found, { before, after, isRightToLeft })) return found
    characters.push(found)
    return ""
  })
  return { characters, rest }
}

interface Surroundings {
  readonly before: string
  readonly after: string
  readonly isRightToLeft: boolean
}

const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}]/u
/** Letters and marks of scripts in which a joiner changes the shape of its neighbours. */
const JOINING =
  /(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Phag}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Bali}\p{scx=Java}\p{scx=Sund}\p{scx=Lana}]/u
/** Scripts that write no spaces between words and use a zero-width space at word boundaries. */
const UNSPACED = /[\p{scx=Khmr}\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Tibt}]/u
const MONGOLIAN = /(?=\p{L})\p{scx=Mong}/u
const HANGUL = /\p{scx=Hang}/u
const PICTURE = /\p{Extended_Pictographic}/u
const END_OF_PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u
const SHAPED = /[\p{S}\p{Extended_Pictographic}\p{scx=Han}\p{scx=Mymr}]/u

/** Whether ordinary writing needs the character at this position. */
function isUseful(character: string, { before, after, isRightToLeft }: Surroundings): boolean {
  const isAlone = !INVISIBLE.test(before) && !INVISIBLE.test(after)
  switch (character) {
    case "\u200D":
      return (END_OF_PICTURE.test(before) && PICTURE.test(after)) || (isAlone && isJoined(before, after))
    case "\u200C":
      return isAlone && isJoined(before, after)
    case "\u200B":
      return UNSPACED.test(before) && UNSPACED.test(after)
    case "\u200E":
    case "\u200F":
    case "\u061C":
      return isAlone && isRightToLeft
    case "\u034F":
      // Keeps two marks on one letter in order, as in Hebrew.
      return /\p{M}/u.test(before) && /\p{M}/u.test(after)
    case "\u115F":
    case "\u1160":
      return !INVISIBLE.test(before) && (HANGUL.test(before) || HANGUL.test(after))
  }
  if (/[\u180B-\u180F]/.test(character)) return MONGOLIAN.test(before)
  if (/[\uFE00-\uFE0F]/.test(character)) return SHAPED.test(before) || isKeycap(before, after)
  return false
}

function isJoined(before: string, after: string): boolean {
  return JOINING.test(before) || JOINING.test(after)
}

function isKeycap(before: string, after: string): boolean {
  return /[0-9#*]/.test(before) && after === "\u20E3"
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? "" : String.fromCodePoint(code)
}

function characterBefore(text: string, at: number): string {
  const pair = characterAt(text, at - 2)
  return at > 1 && pair.length === 2 ? pair : text.slice(Math.max(0, at - 1), at)
}

const TAG = /[\u{E0000}-\u{E007F}]/u
const KINDS: readonly (readonly [RegExp, string])[] = [
  [TAG, "tag characters"],
  [/[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/, "direction controls"],
  [/\u200B|\u2060|\uFEFF|\u180E/, "zero-width characters"],
  [/\u200C|\u200D/, "joiners"],
  [/\u00AD/, "soft hyphens"],
  [/[\uFE00-\uFE0F\u180B-\u180F\u{E0100}-\u{E01EF}]/u, "variation selectors"],
]

/** The kinds in words. Includes the text that tag characters spell: it is a message to the model alone. */
function kindsOf(hidden: readonly Hidden[]): string {
  const found = new Set(hidden.map(({ character }) => kindOf(character)))
  const spelt = hidden.map(({ character }) => spell(character)).join("")
  const words = [...KINDS.map(([, kind]) => kind), OTHER].filter((kind) => found.has(kind))
  return words
    .map((kind) =>
      kind === "tag characters" && spelt !== "" ? `${kind} that spell "${shorten(spelt)}"` : kind,
    )
    .join(", ")
}

const OTHER = "other format characters"

function kindOf(character: string): string {
  return KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER
}

/** Tag characters mirror ASCII. */
function spell(character: string): string {
  const code = (character.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ""
}

function longLines(text: string, { path, firstLine }: InspectOptions): readonly Diagnostic[] {
  let offset = 0
  for (const line of text.split("\n")) {
    // A surrogate pair is one character, so only a line with more code units can be too long.
    const length = line.length > MAX_LINE_LENGTH ? [...line].length : 0
    if (length > MAX_LINE_LENGTH) {
      return [{ code: "very-long-line", path, line: firstLine + offset, length }]
    }
    offset += 1
  }
  return []
}

/** A comment without an end hides the rest of the page from readers, but not from the model. In code it is visible. */
function openComment(text: string, { path, firstLine }: InspectOptions): readonly Diagnostic[] {
  const at = text.indexOf("<!--", text.lastIndexOf("-->") + 1)
  if (at === -1) return []
  const before = text.slice(0, at).split("\n")
  const isCode =
    fenceLines(before, "any").at(-1) === true || (before.at(-1)?.split("`").length ?? 1) % 2 === 0
  return isCode ? [] : [{ code: "comment-not-closed", path, line: firstLine + before.length - 1 }]
}

function phrases(text: string, { path, firstLine }: InspectOptions): readonly Diagnostic[] {
  return phrasesIn(text).map(({ line, phrase }) => {
    return { code: "looks-like-injection", path, line: firstLine + line, phrase }
  })
}

interface FoundPhrase {
  /** From 0. */
  readonly line: number
  readonly phrase: string
}

/** At most one on each line: its first phrase. A phrase may continue on the next line. */
const phrasesIn = oncePerText(MOST_TEXTS, (text): readonly FoundPhrase[] => {
  const pattern = injectionPattern(text)
  if (pattern === undefined) return []
  const found: FoundPhrase[] = []
  let line = 0
  let counted = 0
  while (found.length < MAX_PHRASES) {
    const match = pattern.exec(text)
    if (match === null) return found
    line += countNewlines(text, counted, match.index)
    counted = match.index
    if (isSpokenOf(text, match.index, match[0])) {
      pattern.lastIndex = match.index + match[0].length
      continue
    }
    found.push({ line, phrase: shorten(match[0]) })
    const next = text.indexOf("\n", match.index)
    if (next === -1) return found
    pattern.lastIndex = next
  }
  return found
})

/** How many characters of a line to look at before and after a phrase. */
const AROUND = 300
/** Words that mark a warning about such phrases. */
const WARNS =
  /\b(?:injections?|jailbreaks?|untrusted|attempts?|phrases?|patterns?|suspicious|malicious|adversarial|attackers?|refuse|reject|flag|detect|(?:never|not) (?:follow|obey|comply|execute)|treat (?:it|them|such|this|that) as)\b/i
const FORBIDS = /\b(?:never|not|don.t|avoid|cannot|can.t|prevent|must no)\b/i
/** "Never print, commit or " before a verb: the whole list is forbidden. */
const FORBIDDEN_LIST =
  /\b(?:never|not|don.t|avoid|cannot|can.t)\s{1,4}[\w-]{1,20}(?:,\s{1,4}[\w-]{1,20}){0,8},?\s{1,4}(?:or|nor)\s{1,4}$/i

/**
 * A rule that warns about a phrase quotes it, and a rule against leaks forbids them in a list. The line itself must say
 * so: quotation marks alone do not count.
 */
function isSpokenOf(text: string, at: number, phrase: string): boolean {
  const before =
    text
      .slice(Math.max(0, at - AROUND), at)
      .split("\n")
      .at(-1) ?? ""
  const after = text.slice(at + phrase.length, at + phrase.length + AROUND).split("\n", 1)[0] ?? ""
  if (FORBIDDEN_LIST.test(before)) return true
  if (/^(?:leak|exfiltrate)\b/i.test(phrase)) return FORBIDS.test(before)
  // A tag in backticks is mentioned, not used.
  if (/^[<[]/.test(phrase) && before.endsWith("`") && after.startsWith("`")) return true
  const isQuoted =
    /["'\u201C\u2018\u00AB\x60][^"'\u201C\u201D\x60]{0,40}$/.test(before) &&
    /["'\u201D\u2019\u00BB\x60]/.test(after)
  return isQuoted && WARNS.test(`${before} ${after}`)
}

/** On one line, without control characters, because it is printed to a terminal. */
function shorten(phrase: string): string {
  const characters = [...phrase.replace(/[\s\p{Cc}]+/gu, " ").trim()]
  if (characters.length <= MAX_PHRASE_LENGTH) return characters.join("")
  return `${characters.slice(0, MAX_PHRASE_LENGTH - 1).join("")}…`
}
