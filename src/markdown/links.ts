// Where the links of Markdown lead, in brackets and without, and characters that are written by their names.

export interface Link {
  readonly href: string
  readonly text: string
  /** Of what was read. */
  readonly length: number
}

/** In angle brackets or not, and perhaps with a title. Everything is bounded, so that none is read again and again. */
const TARGET =
  /\([ \t\n]{0,9}(?:<([^<>\n]{0,2000})>|(?!<)((?:[^\s()\\]|\\\S|\((?:[^\s()\\]|\\\S){0,500}\)){0,2000}))(?:[ \t\n]{1,9}(?:"(?:[^"\\]|\\[\s\S]){0,500}"|'(?:[^'\\]|\\[\s\S]){0,500}'|\((?:[^()\\]|\\[\s\S]){0,500}\)))?[ \t\n]{0,9}\)/y
const IN_ANGLES = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000}|[\w.+-]{1,64}@[a-z\d.-]{1,200})>/iy
const BARE = /(?<!\w)(https?:\/\/|www\.)[^\s<>[\]`]{1,2000}/iy
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/iy

/** What follows the text of a link. */
export function targetAt(text: string, at: number): Pick<Link, "href" | "length"> | undefined {
  const [whole, angled, plain = ""] = found(TARGET, text, at)
  if (whole === undefined) return undefined
  const href = (angled ?? plain).replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
  return {
    href: href.replaceAll(/&[^&;]{1,9};/g, (name) => entityAt(name, 0)?.text ?? name),
    length: whole.length,
  }
}

/** An address that is a link by itself. */
export function linkAt(text: string, at: number): Link | undefined {
  const [whole, inside] = found(IN_ANGLES, text, at)
  if (whole !== undefined && inside !== undefined)
    return { href: hrefOf(inside), text: inside, length: whole.length }
  const [bare, scheme = ""] = found(BARE, text, at)
  const address = bare === undefined ? found(MAIL, text, at)[0] : trimmed(bare)
  if (address === undefined || address.length <= scheme.length) return undefined
  return { href: hrefOf(address), text: address, length: address.length }
}

function found(kind: RegExp, text: string, at: number): readonly (string | undefined)[] {
  const sticky = new RegExp(kind)
  sticky.lastIndex = at
  return sticky.exec(text) ?? []
}

function hrefOf(address: string): string {
  if (/^(?:https?:\/\/|mailto:)/i.test(address)) return address
  return address.includes("@") && !/^www\./i.test(address) ? `mailto:${address}` : `http://${address}`
}

/** Without what ends the sentence around it. */
function trimmed(address: string): string {
  let closing = address.split(")").length - address.split("(").length
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1)
    if (last === ")" && closing > 0) closing -= 1
    else if (!/[?!.,:;*_~'"]/.test(last)) break
  }
  return address.slice(0, end)
}

const NAMES =
  "amp& lt< gt> quot\" apos' nbsp\u00a0 hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» bull• middot· times× deg° plusmn± le≤ ge≥ ne≠ larr← rarr→ uarr↑ darr↓ copy© reg® trade™ euro€ pound£"
const CHARACTERS: ReadonlyMap<string, string> = new Map(
  NAMES.split(" ").map((named) => [named.slice(0, -1), named.slice(-1)]),
)
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/iy

/** Names that it does not know stay as they are. */
export function entityAt(text: string, at: number): Pick<Link, "text" | "length"> | undefined {
  const [whole, decimal, hex, name = ""] = found(ENTITY, text, at)
  if (whole === undefined) return undefined
  const point = decimal === undefined && hex === undefined ? undefined : Number(decimal ?? `0x${hex}`)
  const character = point === undefined ? CHARACTERS.get(name) : characterOf(point)
  return character === undefined ? undefined : { text: character, length: whole.length }
}

function characterOf(point: number): string {
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : "\ufffd"
}
