// Finds tags as the most forgiving reader would. A model may read `</ＳＯＵＬ>`, `<turn‐context>` or a tag name with
// invisible characters as the tag it looks like, so the search accepts all of these. It works one character at a time.

export interface LenientTag {
  /** The offset of its bracket; all brackets are one unit long. */
  readonly at: number
  readonly isClosing: boolean
  /** The names it may be read as. Several if the name contains something invisible. */
  readonly names: readonly string[]
}

/** `<`, its other widths, and whatever looks like it: other brackets, letters of other scripts. */
const BRACKETS = /[<\uFF1C\uFE64\u2039\u2329\u27E8\u3008\u02C2\u1438\u16B2\u276C\u276E\u2770\u29FC]/g
const SLASH = /[/\uFF0F\u2044\u2215\u29F8]/
/** White space and whatever isn't drawn: control and format characters, marks, and letters that are blank. */
const GAP = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]/u
const PLAIN_SPACE = /[ \t\n\r]/
/** Includes circled and squared letters, which are read as letters. Excludes letters that look like brackets. */
const IN_NAME =
  /[[\p{L}\p{N}\p{Pd}\p{Pc}\u02D7\u2043\u207B\u208B\u2212\u24B6-\u24E9\u{1F130}-\u{1F149}]--[\u1433\u1438\u16B2]]/v
const DASH = /[\p{Pd}\p{Pc}\u02D7\u2043\u207B\u208B\u2212]/gu

/** Letters of other scripts that look like Latin ones, and small capitals. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["aаαɑᴀ", "bьвƅʙ", "cсϲᴄ", "dԁɗᴅ", "eеҽᴇ", "fꜰ", "gԍɡɢ", "hһнʜ", "iіιıɪ", "jјϳᴊ", "kкκᴋ", "lӏʟ", "mмᴍ"],
    ["nոпηɴ", "oоοօᴏ", "pрρᴘ", "qԛ", "rгᴦʀ", "sѕꜱ", "tтτᴛ", "uսυᴜ", "vνѵᴠ", "wԝᴡ", "xхχ", "yуүʏ", "zᴢ"],
  ]
    .flat()
    .flatMap(([latin = "", ...others]) => others.map((other) => [other, latin])),
)

/** The tags whose names have at most `longest` characters. Looks at each character once. */
export function* lenientTags(text: string, longest: number): Generator<LenientTag> {
  for (const { index } of text.matchAll(BRACKETS)) {
    const tag = tagAt(text, index, longest)
    if (tag !== undefined) yield tag
  }
}

/** How a name may be read: without invisible characters, and ignoring case, width and script. */
export function readName(name: string): string {
  return /^[a-z0-9-]+$/.test(name) ? name : fold(name)
}

/** Up to `most` characters as they may be read from `from` on: no invisible ones, and a run of dashes as one. */
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

/** Escapes the angle brackets for which `isForged` returns true. */
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
      // The name may end here or continue after the gap.
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
