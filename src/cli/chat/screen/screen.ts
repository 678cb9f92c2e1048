// The terminal during a chat: finished lines scroll away as usual, and only the last few, the live region, are redrawn.
// One write per frame, and none if nothing changed. It does not know what it shows.
import { stripVTControlCharacters } from "node:util"
import { cells } from "../../views/widths.ts"

export interface Frame {
  /** Painted, each at most as wide as the screen. */
  readonly lines: readonly string[]
  /** The cursor's position in them; hidden if undefined. */
  readonly cursor?: { readonly row: number; readonly column: number }
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

export interface Screen {
  /** Adds finished lines above the live region, and redraws it. */
  draw(finished: readonly string[], live: Frame, size: ScreenSize): void
  /** Clears the screen; the scrollback stays. */
  clear(): void
  /** Removes the live region and leaves the cursor there. */
  close(): void
}

const HIDE_CURSOR = "\u001b[?25l"
const SHOW_CURSOR = "\u001b[?25h"
/** Prevents a terminal that measures widths differently from breaking a line in two. */
const NO_WRAP = "\u001b[?7l"
const WRAP = "\u001b[?7h"
/** Terminals that support it show a frame only when it is complete. */
const BEGIN = "\u001b[?2026h"
const END = "\u001b[?2026l"
const PASTES_ON = "\u001b[?2004h"
const PASTES_OFF = "\u001b[?2004l"
const CLEAR_LINE = "\u001b[K"
const CLEAR_WHOLE_LINE = "\u001b[2K"
const CLEAR_BELOW = "\u001b[J"
const CLEAR_SCREEN = "\u001b[2J\u001b[H"

interface Drawn extends Frame {
  readonly columns: number
}

export function openScreen(write: (text: string) => void): Screen {
  let drawn: Drawn = { lines: [], columns: 0 }
  let isFresh = true
  return {
    draw(finished, live, size) {
      const next = { ...clipFrame(live, size.rows), columns: size.columns }
      if (finished.length === 0 && !isFresh && isSameDrawing(drawn, next)) return
      const top = toTop(drawn, size.columns)
      const isBroken = drawn.columns !== size.columns
      const above = finished.map((line) => `${row(line, size.columns, isBroken)}\r\n`).join("")
      const below = regionText(next.lines, size.columns, isBroken)
      const start = isFresh ? PASTES_ON : ""
      write(`${start}${BEGIN}${HIDE_CURSOR}${top}${above}${NO_WRAP}${below}${WRAP}${toCursor(next)}${END}`)
      drawn = next
      isFresh = false
    },
    clear() {
      // Some terminals move cleared text into the scrollback, so the live region is cleared first.
      write(`${toTop(drawn, drawn.columns)}${CLEAR_BELOW}${CLEAR_SCREEN}`)
      drawn = { lines: [], columns: drawn.columns }
      isFresh = true
    },
    close() {
      write(`${toTop(drawn, drawn.columns)}${CLEAR_BELOW}${SHOW_CURSOR}${PASTES_OFF}`)
      drawn = { lines: [], columns: drawn.columns }
      isFresh = true
    },
  }
}

/**
 * After a full row, the cursor is still on its last character, which clearing would remove; so the row is cleared
 * before writing. The same goes for a row that the terminal has broken in two: in some, it continues in the next row
 * until all of it is cleared.
 */
function row(line: string, columns: number, isBroken: boolean): string {
  return isBroken || isFull(line, columns) ? `${CLEAR_WHOLE_LINE}${line}` : `${line}${CLEAR_LINE}`
}

/** Clears what was below, from the last row that is not full. */
function regionText(lines: readonly string[], columns: number, isBroken: boolean): string {
  const last = lines.findLastIndex((line) => !isFull(line, columns))
  const rows = lines.map((line, at) => `${row(line, columns, isBroken)}${at === last ? CLEAR_BELOW : ""}`)
  return `${last === -1 ? CLEAR_BELOW : ""}${rows.join("\r\n")}`
}

function isFull(line: string, columns: number): boolean {
  return shownCells(line) >= columns
}

/** Cuts at the top. The last row of the screen stays free, so that nothing scrolls. */
function clipFrame({ lines, cursor }: Frame, rows: number): Frame {
  const gone = Math.max(0, lines.length - Math.max(1, rows - 1))
  if (gone === 0) return { lines, ...(cursor && { cursor }) }
  return {
    lines: lines.slice(gone),
    ...(cursor && { cursor: { row: Math.max(0, cursor.row - gone), column: cursor.column } }),
  }
}

function isSameDrawing(one: Drawn, other: Drawn): boolean {
  return (
    one.columns === other.columns &&
    one.cursor?.row === other.cursor?.row &&
    one.cursor?.column === other.cursor?.column &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, at) => line === other.lines[at])
  )
}

/** Moves from the cursor to the start of the live region, which a narrower terminal has rewrapped. */
function toTop({ lines, cursor }: Drawn, columns: number): string {
  const row = cursor?.row ?? Math.max(0, lines.length - 1)
  const above = lines.slice(0, row).reduce((sum, line) => sum + rowsOf(line, columns), 0)
  const column = cursor?.column ?? shownCells(lines[row] ?? "")
  const up = above + (columns > 0 ? Math.floor(Math.max(0, column - 1) / columns) : 0)
  return up === 0 ? "\r" : `\u001b[${up}A\r`
}

function rowsOf(line: string, columns: number): number {
  return columns === 0 ? 1 : Math.max(1, Math.ceil(shownCells(line) / columns))
}

function shownCells(line: string): number {
  return cells(stripVTControlCharacters(line))
}

function toCursor({ lines, cursor }: Frame): string {
  if (cursor === undefined) return ""
  const up = Math.max(0, lines.length - 1 - cursor.row)
  const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : ""
  return `${up > 0 ? `\u001b[${up}A` : ""}\r${right}${SHOW_CURSOR}`
}
