// The live region of a chat: the unfinished answer, the question if there is one, waiting messages, the status line,
// and the composer. Pure.

import { plural } from "../../../base/text/figures.ts"
import { painter } from "../../views/colour.ts"
import type { Page } from "../../views/page.ts"
import { cells, fitCell, wrap } from "../../views/widths.ts"
import { type Question, questionFrame } from "../approval.ts"
import type { Candidate } from "./complete.ts"
import { composerFrame } from "./composer.ts"
import { type Input, shownAs } from "./input.ts"
import type { Frame } from "./screen.ts"
import { type Figures, statusLine } from "./status-line.ts"

export interface ChatState extends Page {
  readonly rows: number
  /** The unfinished lines of the running turn. */
  readonly open: readonly string[]
  readonly question: PendingQuestion | undefined
  readonly queue: readonly Input[]
  readonly input: Input
  readonly candidates: readonly Candidate[]
  /** Ctrl-C was the last key, and there is nothing left to stop or clear. */
  readonly isLeaving: boolean
  readonly figures: Figures
}

interface PendingQuestion {
  readonly question: Question
  /** A message is being written, which is not an answer. */
  readonly isWriting: boolean
  readonly isSeen: boolean
}

export interface ChatFrame extends Frame {
  /** Refuses a yes, because part of the question was never on the screen. */
  readonly isLocked: boolean
}

/** Rows of the composer. */
const MAX_WRITTEN = 10
/** Waiting messages, one line each. */
const MAX_QUEUED = 4
/** Rows to keep for everything other than completions. */
const OTHER_ROWS = 8
/** Rows of an answer that stay visible above a long message. */
const MIN_OPEN = 3
/** Rows of completions. */
const MAX_OFFERED = 6

export function chatFrame(state: ChatState): ChatFrame {
  const { columns, rows, colour, question, input } = state
  const paint = painter({ colour })
  const queued = queuedLines(state.queue, columns).map((line) => paint("dim", line))
  const last = lastLines(state).map((line) => paint("dim", line))
  // The question leaves a blank row, one row to write in, and the last row of the screen.
  const most = rows - 3 - queued.length - last.length
  const { lines: asked, isLocked } =
    question === undefined
      ? { lines: [], isLocked: false }
      : questionFrame(question.question, { columns, most, ...question }, paint)
  // Nothing goes below the cursor: terminals that rewrap lines lose their place otherwise.
  const below = ["", ...asked, ...queued, ...last]
  const room = rows - 1 - below.length
  const written = Math.min(MAX_WRITTEN, room - Math.min(MIN_OPEN, state.open.length))
  const composer = composerFrame(input, { columns, most: Math.max(1, written) }, paint)
  // Shows the end of an answer in progress, and everything below it whole.
  const left = room - composer.lines.length
  const before = [...state.open.slice(Math.max(0, state.open.length - Math.max(0, left))), ...below]
  const lines = [...before, ...composer.lines]
  const { row, column } = composer.cursor
  return { lines, cursor: { row: before.length + row, column }, isLocked }
}

/** Completions, or what Ctrl-C would do, replace the status line. */
function lastLines({ candidates, isLeaving, figures, columns, rows }: ChatState): readonly string[] {
  if (isLeaving) return ["Ctrl-C again quits"]
  if (candidates.length === 0) return [statusLine(figures, columns)]
  const most = Math.max(1, Math.min(MAX_OFFERED, rows - OTHER_ROWS))
  const lines = candidateLines(candidates, columns, most)
  const rest = lines.slice(most - 1).join(" ")
  return [...lines.slice(0, most - 1), rest]
    .filter((line) => line !== "")
    .map((line) => fitCell(line, columns).trimEnd())
}

/** With their help if all of them fit. */
function candidateLines(candidates: readonly Candidate[], columns: number, most: number): readonly string[] {
  const names = candidates.map(({ name }) => name)
  if (candidates.length > most || candidates.some(({ help }) => help === undefined))
    return wrap(names.join("  "), columns)
  const width = Math.max(...names.map(cells))
  return candidates.map(({ name, help }) => `${fitCell(name, width)}  ${help}`)
}

function queuedLines(queue: readonly Input[], columns: number): readonly string[] {
  const lines = queue.slice(0, MAX_QUEUED).map(({ units }) => `queued: ${units.map(shownAs).join("")}`)
  const left = queue.length - lines.length
  const all = left > 0 ? [...lines, `${plural(left, "more message")} queued`] : lines
  return all.map((line) => fitCell(line, columns).trimEnd())
}
