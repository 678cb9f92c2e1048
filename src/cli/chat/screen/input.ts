// The text being written, as pure state. Its units are characters as people see them; a long paste is one unit, shown
// by its size and sent whole.
import { thousands } from "../../../base/text/figures.ts"
import { cells, graphemes } from "../../views/widths.ts"
import { visible } from "./visible.ts"

export interface Unit {
  readonly text: string
  /** Shown instead of the unit's text. */
  readonly shown?: string
}

export interface Input {
  readonly units: readonly Unit[]
  /** The cursor is before this unit. */
  readonly at: number
  readonly killed: readonly Unit[]
  /** The column that moving up and down aims for. */
  readonly goal?: number
  /** While browsing the history: how far back, and the draft before that. */
  readonly leaf?: { readonly back: number; readonly draft: readonly Unit[] }
}

export const EMPTY: Input = { units: [], at: 0, killed: [] }

/** A paste with more lines or characters is shown by its size. */
const MAX_LINES = 5
const MAX_CHARACTERS = 1_000

export function inputText({ units }: Pick<Input, "units">): string {
  return units.map(({ text }) => text).join("")
}

export function withText(input: Input, text: string): Input {
  const units = unitsOf(text)
  return { units, at: units.length, killed: input.killed }
}

/** Opens a text for editing, shown in full; the previous input can be pasted back. */
export function openedText({ units, killed }: Input, text: string): Input {
  return { units: splitUnits(text), at: 0, killed: units.length > 0 ? units : killed }
}

/** A text that arrives as a whole, from a paste or the history. */
function unitsOf(text: string): readonly Unit[] {
  const lines = text.split("\n").length
  if (lines <= MAX_LINES && text.length <= MAX_CHARACTERS) return splitUnits(text)
  const size = lines > 1 ? `${thousands(lines)} lines` : `${thousands(text.length)} characters`
  return [{ text, shown: `[${size} pasted]` }]
}

export function insert(input: Input, text: string): Input {
  return insertUnits(input, splitUnits(text))
}

export function paste(input: Input, text: string): Input {
  return insertUnits(input, unitsOf(text.replaceAll(/\r\n?/g, "\n")))
}

function insertUnits(input: Input, units: readonly Unit[]): Input {
  const before = input.units.slice(0, input.at)
  // A combining mark belongs to the character before it.
  const last = before.at(-1)
  const first = units[0]
  const isOne =
    last !== undefined &&
    first !== undefined &&
    last.shown === undefined &&
    first.shown === undefined &&
    splitUnits(last.text + first.text).length === 1
  const head = isOne ? [...before.slice(0, -1), { text: last.text + first.text }] : before
  const added = isOne ? [...head, ...units.slice(1)] : [...head, ...units]
  return { units: [...added, ...input.units.slice(input.at)], at: added.length, killed: input.killed }
}

function splitUnits(text: string): readonly Unit[] {
  return Array.from(graphemes(text), (one) => ({ text: one }))
}

export function moveTo(input: Input, at: number): Input {
  const { goal, ...rest } = input
  return { ...rest, at: Math.max(0, Math.min(input.units.length, at)) }
}

/** Removes the text between the cursor and `to`; killed text can be pasted back. */
export function cutTo(input: Input, to: number, { kills = false }: { readonly kills?: boolean } = {}): Input {
  const [start, end] = [Math.min(input.at, to), Math.max(input.at, to)]
  const taken = input.units.slice(start, end)
  return {
    units: [...input.units.slice(0, Math.max(0, start)), ...input.units.slice(end)],
    at: Math.max(0, start),
    killed: kills && taken.length > 0 ? taken : input.killed,
  }
}

export function yank(input: Input): Input {
  return insertUnits(input, input.killed)
}

const WORD = /[\p{L}\p{N}\p{M}_]/u

export function wordStart({ units, at }: Input): number {
  let place = at
  while (place > 0 && !isWord(units[place - 1])) place -= 1
  while (place > 0 && isWord(units[place - 1])) place -= 1
  return place
}

export function wordEnd({ units, at }: Input): number {
  let place = at
  while (place < units.length && !isWord(units[place])) place += 1
  while (place < units.length && isWord(units[place])) place += 1
  return place
}

function isWord(unit: Unit | undefined): boolean {
  return unit !== undefined && (unit.shown !== undefined || WORD.test(unit.text))
}

/** The start of the line as written, however it is wrapped. */
export function lineStart({ units, at }: Input): number {
  let place = at
  while (place > 0 && units[place - 1]?.text !== "\n") place -= 1
  return place
}

export function lineEnd({ units, at }: Input): number {
  let place = at
  while (place < units.length && units[place]?.text !== "\n") place += 1
  return place
}

export interface Row {
  readonly start: number
  readonly end: number
}

export interface InputRows {
  readonly rows: readonly Row[]
  /** Where the cursor is. */
  readonly row: number
  readonly column: number
}

/** The text in rows of at most `width` cells, broken after blanks. The cursor fits at the end of each. */
export function layOut({ units, at }: Pick<Input, "units" | "at">, width: number): InputRows {
  const rows: Row[] = []
  let start = 0
  let used = 0
  /** Where the row could be broken. */
  let rest = 0
  for (const [index, unit] of units.entries()) {
    if (unit.text === "\n") {
      rows.push({ start, end: index })
      start = rest = index + 1
      used = 0
      continue
    }
    const size = cells(shownAs(unit))
    if (used > 0 && used + size >= width) {
      const end = rest > start ? rest : index
      rows.push({ start, end })
      start = rest = end
      used = cellsOf(units.slice(end, index))
    }
    used += size
    if (unit.text === " ") rest = index + 1
  }
  rows.push({ start, end: units.length })
  // Between two rows, the cursor is at the start of the second.
  const row = rows.findLastIndex((one) => one.start <= at)
  return { rows, row, column: cellsOf(units.slice(rows[row]?.start ?? 0, at)) }
}

function cellsOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + cells(shownAs(unit)), 0)
}

export function shownAs({ text, shown }: Unit): string {
  return shown ?? visible(text)
}

/** One row up or down, if there is one. */
export function moveRow(input: Input, by: -1 | 1, width: number): Input | undefined {
  const { rows, row, column } = layOut(input, width)
  const target = rows[row + by]
  if (target === undefined) return undefined
  const goal = input.goal ?? column
  let used = 0
  let at = target.start
  for (; at < target.end; at += 1) {
    const unit = input.units[at]
    const size = unit === undefined ? 0 : cells(shownAs(unit))
    if (used + size > goal) break
    used += size
  }
  // The end of a wrapped row is the start of the next one.
  const isWrapped = at === target.end && rows[row + by + 1]?.start === at
  return { ...input, at: isWrapped ? Math.max(target.start, at - 1) : at, goal }
}

/** Moves through the history, newest first; moving back to the start restores the draft. */
export function browseHistory(input: Input, by: -1 | 1, history: readonly string[]): Input {
  const { back, draft } = input.leaf ?? { back: 0, draft: input.units }
  const next = back - by
  if (next < 0 || next > history.length || next === back) return input
  const units = next === 0 ? draft : unitsOf(history[history.length - next] ?? "")
  const { killed } = input
  return { units, at: units.length, killed, ...(next > 0 && { leaf: { back: next, draft } }) }
}
