// Where things are in a JSON text, with or without comments: each object with its properties, or the first mistake. Has no
// recursion, so a file that nests deep is no problem.

export interface JsonObject {
  /** Of `{`. */
  readonly at: number
  /** Behind `}`. */
  readonly end: number
  readonly properties: readonly JsonProperty[]
}

export interface JsonProperty {
  readonly key: string
  readonly keyAt: number
  readonly valueAt: number
  readonly valueEnd: number
  /** If the value is an object. */
  readonly object: JsonObject | undefined
}

export interface JsonText {
  /** Undefined if the text is another value. */
  readonly root: JsonObject | undefined
  /** The text without comments and without commas before a closing bracket. Places stay the same. */
  readonly plain: string
  /** The text without comments. */
  readonly bare: string
  /** Where the first of them is. */
  readonly firstExtra: number | undefined
}

export interface JsonMistake {
  readonly at: number
  readonly mistake: string
}

export function readJsonText(text: string): JsonText | JsonMistake {
  const extras = extrasIn(text)
  const bare = blanked(text, extras.comments)
  const plain = blanked(bare, extras.commas)
  const found = parse(plain)
  if ("mistake" in found) return found
  const [firstExtra] = [...extras.comments, ...extras.commas].map(([from]) => from).toSorted((a, b) => a - b)
  return { root: found.root, plain, bare, firstExtra }
}

type Range = readonly [from: number, to: number]

/** Comments, and commas that nothing but a closing bracket follows. */
function extrasIn(text: string): { readonly comments: readonly Range[]; readonly commas: readonly Range[] } {
  const comments: Range[] = []
  const commas: Range[] = []
  let comma: number | undefined
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ""
    const end = char === '"' ? stringEnd(text, at) : char === "/" ? commentEnd(text, at) : at + 1
    // A comment without an end is a mistake, and the last thing in the text.
    if (end === at + 1 && text.startsWith("/*", at)) break
    if (char === "/" && end > at + 1) comments.push([at, end])
    else if (char === ",") comma = at
    else if (!/\s/.test(char)) {
      if (comma !== undefined && (char === "}" || char === "]")) commas.push([comma, comma + 1])
      comma = undefined
    }
    at = end
  }
  return { comments, commas }
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1
    else if (text[at] === '"' || text[at] === "\n") return at + 1
  }
  return text.length
}

/** Of a slash alone, the place behind it. */
function commentEnd(text: string, at: number): number {
  if (text[at + 1] === "/") {
    const end = text.indexOf("\n", at)
    return end === -1 ? text.length : end
  }
  const end = text[at + 1] === "*" ? text.indexOf("*/", at + 2) : -1
  return end === -1 ? at + 1 : end + 2
}

function blanked(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(text.slice(from, start), text.slice(start, end).replaceAll(/[^\r\n]/g, " "))
    from = end
  }
  return pieces.join("") + text.slice(from)
}

const SIGNS = ["{", "}", "[", "]", ":", ","] as const

interface Token {
  readonly kind: (typeof SIGNS)[number] | "string" | "value" | "unknown" | "end"
  readonly at: number
  readonly end: number
}

/** What stands between escapes is read in one way only: in several, a string without an end would take for ever. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
  /[ \t\r\n]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|(.)|$)/suy

function tokenAt(text: string, from: number): Token {
  TOKEN.lastIndex = from
  const [whole = "", sign, string, value, other] = TOKEN.exec(text) ?? []
  const end = from + whole.length
  const at = end - (sign ?? string ?? value ?? other ?? "").length
  const known = SIGNS.find((one) => one === sign)
  if (known !== undefined) return { kind: known, at, end }
  if (string !== undefined) return { kind: "string", at, end }
  if (value !== undefined) return { kind: "value", at, end }
  return { kind: other === undefined ? "end" : "unknown", at, end }
}

type Expected =
  | "a value"
  | "a value or ]"
  | "a name in quotes"
  | "a name in quotes or }"
  | ":"
  | ","
  | "the end"

/** What isn't closed yet; the text as a whole is the outermost. */
interface Open {
  readonly close: "}" | "]" | "end"
  readonly at: number
  readonly properties: JsonProperty[]
  /** Whose value comes next. */
  property: { readonly key: string; readonly keyAt: number } | undefined
  /** Of the whole text. */
  root: JsonObject | undefined
}

function opened(close: Open["close"], at: number): Open {
  return { close, at, properties: [], property: undefined, root: undefined }
}

function parse(text: string): { readonly root: JsonObject | undefined } | JsonMistake {
  const whole = opened("end", 0)
  const open = [whole]
  let expected: Expected | undefined = "a value"
  for (let from = 0; ; ) {
    const token = tokenAt(text, from)
    const inside = open.at(-1) ?? whole
    if (token.kind === "end" && expected === "the end") return { root: whole.root }
    const next: Expected | undefined = stepOf(token, { text, expected, inside, open })
    if (next === undefined) return { at: token.at, mistake: `expected ${nameOf(expected, inside)}` }
    expected = next
    from = token.end
  }
}

interface At {
  readonly text: string
  readonly expected: Expected
  readonly inside: Open
  readonly open: Open[]
}

/** What is expected next; undefined if the token wasn't expected here. */
function stepOf({ kind, at, end }: Token, { text, expected, inside, open }: At): Expected | undefined {
  const isValue = expected.startsWith("a value")
  if (kind === ":") return expected === ":" ? "a value" : undefined
  if (kind === ",")
    return expected === "," ? (inside.close === "}" ? "a name in quotes" : "a value") : undefined
  if (kind === "string" && expected.startsWith("a name")) {
    inside.property = { key: JSON.parse(text.slice(at, end)), keyAt: at }
    return ":"
  }
  if (isValue && (kind === "{" || kind === "[")) {
    open.push(opened(kind === "{" ? "}" : "]", at))
    return kind === "{" ? "a name in quotes or }" : "a value or ]"
  }
  if (isValue && (kind === "string" || kind === "value"))
    return ended(inside, { valueAt: at, valueEnd: end, object: undefined })
  if (kind !== inside.close || !MAY_CLOSE.has(expected)) return undefined
  open.pop()
  const object = kind === "}" ? { at: inside.at, end, properties: inside.properties } : undefined
  return ended(open.at(-1), { valueAt: inside.at, valueEnd: end, object })
}

const MAY_CLOSE: ReadonlySet<Expected> = new Set([",", "a value or ]", "a name in quotes or }"])

/** A value has ended in `outside`. */
function ended(outside: Open | undefined, value: Omit<JsonProperty, "key" | "keyAt">): Expected {
  if (outside?.property !== undefined) {
    outside.properties.push({ ...outside.property, ...value })
    outside.property = undefined
  }
  if (outside?.close !== "end") return ","
  outside.root = value.object
  return "the end"
}

function nameOf(expected: Expected, { close }: Open): string {
  return expected === "," ? `, or ${close}` : expected
}
