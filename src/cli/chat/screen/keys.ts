// Decodes terminal input into keys: UTF-8, escape sequences, bracketed pastes. Pure: incomplete input stays in the
// returned state, and `flushKeys` resolves it if nothing follows.

export interface KeyPress {
  readonly kind: "key"
  /** A lower-case letter, or a name such as "enter", "up" or "escape". */
  readonly name: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** With its line ends as they arrived. */
  | { readonly kind: "paste"; readonly text: string }
  | KeyPress

export interface KeyState {
  /** Bytes of an incomplete character. */
  readonly bytes: Uint8Array
  /** An incomplete escape sequence. */
  readonly text: string
  /** The pasted text so far, during a paste. */
  readonly paste: string | undefined
}

export const NO_KEYS: KeyState = { bytes: new Uint8Array(), text: "", paste: undefined }

export interface ReadKeys {
  readonly keys: readonly Key[]
  readonly state: KeyState
}

export function readKeys(state: KeyState, chunk: Uint8Array): ReadKeys {
  const all = new Uint8Array(state.bytes.length + chunk.length)
  all.set(state.bytes)
  all.set(chunk, state.bytes.length)
  const whole = all.length - incompleteBytes(all)
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all.subarray(0, whole))
  return parse({ bytes: all.slice(whole), text: "", paste: state.paste }, state.text + text)
}

/** Nothing followed for a while, so an escape is the Escape key. */
export function flushKeys(state: KeyState): ReadKeys {
  if (state.paste !== undefined || state.text === "") return { keys: [], state }
  const [first = "", ...rest] = state.text
  const after = parse({ ...state, text: "" }, rest.join(""))
  return { keys: [pressed(first === ESC ? "escape" : first), ...after.keys], state: after.state }
}

const ESC = "\u001b"
const PASTE_START = `${ESC}[200~`
const PASTE_END = `${ESC}[201~`

/** How many bytes at the end belong to an incomplete character. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? back : 0
    }
  }
  return 0
}

function parse(state: KeyState, given: string): ReadKeys {
  const keys: Key[] = []
  let { paste } = state
  let left = given
  while (left !== "") {
    if (paste !== undefined) {
      const end = left.indexOf(PASTE_END)
      if (end === -1) return { keys, state: openPaste(state, paste, left) }
      keys.push({ kind: "paste", text: paste + left.slice(0, end) })
      left = left.slice(end + PASTE_END.length)
      paste = undefined
      continue
    }
    if (left.startsWith(PASTE_START)) {
      paste = ""
      left = left.slice(PASTE_START.length)
      continue
    }
    const taken = takeKey(left)
    if (taken === undefined) return { keys, state: { ...state, text: left, paste } }
    if (taken.key !== undefined) keys.push(taken.key)
    left = left.slice(taken.length)
  }
  return { keys, state: { ...state, text: "", paste } }
}

/** The end of the input may be the start of the mark that ends the paste. */
function openPaste(state: KeyState, paste: string, more: string): KeyState {
  let kept = Math.min(PASTE_END.length - 1, more.length)
  while (kept > 0 && !PASTE_END.startsWith(more.slice(more.length - kept))) kept -= 1
  const split = more.length - kept
  return { ...state, paste: paste + more.slice(0, split), text: more.slice(split) }
}

interface Taken {
  readonly length: number
  /** Undefined for a sequence without a meaning here. */
  readonly key: Key | undefined
}

/** Returns undefined if more input is needed. */
function takeKey(text: string): Taken | undefined {
  const run = PRINTABLE.exec(text)?.[0]
  if (run !== undefined) return { length: run.length, key: { kind: "text", text: run } }
  const [char = ""] = text
  if (char !== ESC) return { length: char.length, key: controlKey(char) }
  if (text.length === 1) return undefined
  if (text[1] === "[") return takeControlSequence(text)
  if (text[1] === "O") {
    if (text.length === 2) return undefined
    return { length: 3, key: named(LETTERS[text[2] ?? ""], 0) }
  }
  // Escape twice: the first is the Escape key.
  if (text[1] === ESC) return { length: 1, key: pressed("escape") }
  const next = [...text.slice(1)][0] ?? ""
  const key = controlKey(next)
  return {
    length: 1 + next.length,
    key: key.kind === "key" ? { ...key, alt: true } : pressed(next.toLowerCase(), { alt: true }),
  }
}

const PRINTABLE = /^[^\p{Cc}]+/u
/** A longer sequence is invalid. */
const MAX_UNITS = 32
/** The part after the escape and the bracket. */
const SEQUENCE = /^([<=>?0-9;:]*)[ -/]*([@-~])/
const OPEN_SEQUENCE = /^[<=>?0-9;:]*[ -/]*$/

function takeControlSequence(text: string): Taken | undefined {
  const match = SEQUENCE.exec(text.slice(2))
  if (match === null) {
    const isOpen = OPEN_SEQUENCE.test(text.slice(2)) && text.length < MAX_UNITS
    // Not a sequence: alt and a bracket.
    return isOpen ? undefined : { length: 2, key: pressed("[", { alt: true }) }
  }
  const [whole, parameters = "", final = ""] = match
  const length = 2 + whole.length
  const [first = "", second = ""] = parameters.split(";")
  const modifiers = Math.max(0, Number.parseInt(second, 10) - 1 || 0)
  if (final === "u") return { length, key: unicodeKey(Number.parseInt(first, 10), modifiers) }
  const name = final === "~" ? NUMBERS[first] : LETTERS[final]
  return { length, key: named(name, final === "Z" ? 1 : modifiers) }
}

const LETTERS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  Z: "tab",
}

const NUMBERS: Readonly<Record<string, string>> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
}

function named(name: string | undefined, modifiers: number): Key | undefined {
  if (name === undefined) return undefined
  return pressed(name, { shift: (modifiers & 1) > 0, alt: (modifiers & 2) > 0, ctrl: (modifiers & 4) > 0 })
}

/** For terminals that report every key by its character. */
function unicodeKey(code: number, modifiers: number): Key | undefined {
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const char = String.fromCodePoint(code)
  const control = code < 32 || code === 127 ? controlKey(char) : undefined
  const name = control?.kind === "key" ? control.name : char.toLowerCase()
  if (control === undefined && (modifiers & 6) === 0) return { kind: "text", text: char }
  return named(code === 27 ? "escape" : name, modifiers)
}

function controlKey(char: string): Key {
  if (char === "\r") return pressed("enter")
  if (char === "\t") return pressed("tab")
  if (char === "\u007f") return pressed("backspace")
  if (char === "\b") return pressed("backspace", { ctrl: true })
  const code = char.charCodeAt(0)
  if (code === 0) return pressed("space", { ctrl: true })
  if (code < 32) return pressed(String.fromCharCode(code + 96), { ctrl: true })
  return { kind: "text", text: char }
}

function pressed(name: string, held: Partial<Pick<KeyPress, "ctrl" | "alt" | "shift">> = {}): KeyPress {
  return { kind: "key", name, ctrl: false, alt: false, shift: false, ...held }
}
