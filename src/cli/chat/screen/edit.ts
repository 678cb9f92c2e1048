// What each key does to the text being written. Keys with other meanings are handled elsewhere.
import {
  browseHistory,
  cutTo,
  type Input,
  insert,
  lineEnd,
  lineStart,
  moveRow,
  moveTo,
  paste,
  wordEnd,
  wordStart,
  yank,
} from "./input.ts"
import type { Key, KeyPress } from "./keys.ts"

export interface EditContext {
  readonly history: readonly string[]
  /** Cells of a row. */
  readonly width: number
}

/** The text after the key; undefined if the key does nothing to it. */
export function edited(input: Input, key: Key, context: EditContext): Input | undefined {
  if (key.kind === "text") return insert(input, key.text)
  if (key.kind === "paste") return paste(input, key.text)
  const name = keyName(key)
  if (name === "up" || name === "down") {
    const by = name === "up" ? -1 : 1
    return moveRow(input, by, context.width) ?? browseHistory(input, by, context.history)
  }
  if (name === "ctrl-p" || name === "ctrl-n")
    return browseHistory(input, name === "ctrl-p" ? -1 : 1, context.history)
  return KEYS[name]?.(input)
}

/** A line end within the text: entered with its own keys, or with a backslash before it. */
export function lineBroken(input: Input, key: KeyPress): Input | undefined {
  const isAsked = NEW_LINES.has(keyName(key))
  if (isAsked) return insert(input, "\n")
  const isEscaped = keyName(key) === "enter" && input.units[input.at - 1]?.text === "\\"
  return isEscaped ? insert(cutTo(input, input.at - 1), "\n") : undefined
}

const NEW_LINES: ReadonlySet<string> = new Set(["alt-enter", "shift-enter", "ctrl-j"])

/** "ctrl-a", "alt-left": modifiers come first. */
export function keyName({ name, ctrl, alt, shift }: KeyPress): string {
  return `${ctrl ? "ctrl-" : ""}${alt ? "alt-" : ""}${shift ? "shift-" : ""}${name}`
}

type Change = (input: Input) => Input

const left: Change = (input) => moveTo(input, input.at - 1)
const right: Change = (input) => moveTo(input, input.at + 1)
const wordLeft: Change = (input) => moveTo(input, wordStart(input))
const wordRight: Change = (input) => moveTo(input, wordEnd(input))
const home: Change = (input) => moveTo(input, lineStart(input))
const end: Change = (input) => moveTo(input, lineEnd(input))
const backspace: Change = (input) => cutTo(input, Math.max(0, input.at - 1))
const erase: Change = (input) => cutTo(input, Math.min(input.units.length, input.at + 1))
const killWordLeft: Change = (input) => cutTo(input, wordStart(input), { kills: true })
const killWordRight: Change = (input) => cutTo(input, wordEnd(input), { kills: true })

/** At the end of a line, removes the line end, so that the key can be pressed again. */
const killToEnd: Change = (input) => {
  const to = lineEnd(input)
  return cutTo(input, to === input.at ? Math.min(input.units.length, to + 1) : to, { kills: true })
}

const KEYS: Readonly<Record<string, Change>> = {
  left,
  right,
  "ctrl-b": left,
  "ctrl-f": right,
  "ctrl-left": wordLeft,
  "ctrl-right": wordRight,
  "alt-left": wordLeft,
  "alt-right": wordRight,
  "alt-b": wordLeft,
  "alt-f": wordRight,
  home,
  end,
  "ctrl-a": home,
  "ctrl-e": end,
  "ctrl-home": (input) => moveTo(input, 0),
  "ctrl-end": (input) => moveTo(input, input.units.length),
  backspace,
  "shift-backspace": backspace,
  delete: erase,
  "ctrl-d": erase,
  "ctrl-backspace": killWordLeft,
  "alt-backspace": killWordLeft,
  "ctrl-w": killWordLeft,
  "alt-d": killWordRight,
  "ctrl-delete": killWordRight,
  "ctrl-u": (input) => cutTo(input, lineStart(input), { kills: true }),
  "ctrl-k": killToEnd,
  "ctrl-y": yank,
}
