// Tags as the most forgiving reader may see them. A model reads `</ＳＯＵＬ>`, `<turn‐context>` and a tag with invisible
// characters in its name as what they look like, so text is searched for tags in that spirit, one character at a time.

export interface LenientTag {
  /** Where its bracket stands; all brackets are one unit long. */
  readonly at: number
  readonly isClosing: boolean
  /** What its name may be read as; several if something that is not seen stands in it. */
  readonly names: readonly string[]
}

/** The sign itself, its forms of other widths, and what looks like it: other brackets, letters of other scripts. */
const BRACKETS = /[<\uFF1C\uFE64\u2039\u2329\u27E8\u3008\u02C2\u1438\u16B2\u276C\u276E\u2770\u29FC]/g
const SLASH = /[/\uFF0F\u2044\u2215\u29F8]/
/** White space, and what takes no room or is not drawn: control and format characters, marks, blanks that are letters. */
const GAP = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]/u
const PLAIN_SPACE = /[ \t\n\r]/
/** Letters in circles and squares are signs, and are read as letters; letters that look like brackets are not. */
const IN_NAME =
  /[[\p{L}\p{N}\p{Pd}\p{Pc}\u02D7\u2043\u207B\u208B\u2212\u24B6-\u24E9\u{1F130}-\u{1F149}]--[\u1433\u1438\u16B2]]/v
const DASH = /[\p{Pd}\p{Pc}\u02D7\u2043\u207B\u208B\u2212]/gu

/** Letters of other scripts that are drawn like Latin ones, and small capitals. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["aаαɑᴀ", "bьвƅʙ", "cсϲᴄ", "dԁɗᴅ", "eеҽᴇ", "fꜰ", "gԍɡɢ", "hһнʜ", "iіιıɪ", "jјϳᴊ", "kкκᴋ", "lӏʟ", "mмᴍ"],
    ["nոпηɴ", "oоοօᴏ", "pрρᴘ", "qԛ", "rгᴦʀ", "sѕꜱ", "tтτᴛ", "uսυᴜ", "vνѵᴠ", "wԝᴡ", "xхχ", "yуүʏ", "zᴢ"],
  ]
    .flat()
    .flatMap(([latin = "", ...others]) => others.map((other) => [other, latin])),
)

/** The tags of a text whose names are not longer than so many characters. Each character is looked at once. */
export function* lenientTags(text: string, longest: number): Generator<LenientTag> {
  for (const { index } of text.matchAll(BRACKETS)) {
    const tag = tagAt(text, index, longest)
    if (tag !== undefined) yield tag
  }
}

/** A name as it may be read: without invisible characters, in any case, width and script. */
export function readName(name: string): string {
  return /^[a-z0-9-]+$/.test(name) ? name : fold(name)
}

/** What may be read from here on, without what is not seen, with a run of dashes as one; at most so many characters. */
export function readAfter(text: string, from: number, most: number): string {
  let read = ""
  for (let at = from; at < text.length && read.length < most; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    at += character.length
    const folded = GAP.test(character) ? "" : readName(character)
    if (folded !== "-" || !read.endsWith("-")) read += folded
  }
  return read
}

/** The text with those of its angle brackets escaped behind which this is read. */
export function escapeBrackets(text: string, isForged: (at: number) => boolean): string {
  return text.replaceAll(BRACKETS, (bracket, at: number) => (isForged(at) ? "&lt;" : bracket))
}

function tagAt(text: string, at: number, longest: number): LenientTag | undefined {
  const names: string[] = []
  let isClosing = false
  let name = ""
  for (let place = at + 1; place < text.length && name.length <= longest; ) {
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0)
    const isGap = GAP.test(character)
    if (name === "" && SLASH.test(character)) isClosing = true
    else if (isGap && name !== "") {
      // The name may end here or go on behind it.
      if (names.at(-1) !== name) names.push(name)
      if (PLAIN_SPACE.test(character)) return { at, isClosing, names }
    } else if (!isGap) {
      if (!IN_NAME.test(character)) break
      name += readName(character)
    }
    place += character.length
  }
  if (name !== "" && name.length <= longest) names.push(name)
  return names.length === 0 ? undefined : { at, isClosing, names }
}

function fold(name: string): string {
  const plain = name.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD")
  const dashed = plain.replaceAll(DASH, "-").replaceAll(/[\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
  return [...dashed].map((letter) => LOOKALIKES[letter] ?? letter).join("")
}
