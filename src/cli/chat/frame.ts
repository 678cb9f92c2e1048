// The live region of a chat: what is still being answered, the question if there is one, messages that wait, the figures,
// and the message that is being written. Pure.
import { fitCell, painter, plural } from "../terminal.ts"
import { type Question, questionLines } from "./approval.ts"
import { composerFrame } from "./composer.ts"
import { type Input, shownAs } from "./input.ts"
import type { Frame } from "./screen.ts"
import { type Figures, statusLine } from "./status-line.ts"

export interface ChatState {
  readonly columns: number
  readonly rows: number
  readonly colour: boolean
  /** What is not finished of the turn that goes on. */
  readonly open: readonly string[]
  readonly question: { readonly question: Question; readonly isHeld: boolean } | undefined
  readonly queue: readonly Input[]
  readonly input: Input
  readonly candidates: readonly string[]
  readonly figures: Figures
}

/** Rows of a message that is being written. */
const MOST_WRITTEN = 10
/** Messages that wait, one line each. */
const MOST_QUEUED = 4
/** What else needs room besides the body of a question, or the message. */
const OTHER_ROWS = 8

export function chatFrame(state: ChatState): Frame {
  const { columns, rows, colour, question, input } = state
  const paint = painter({ colour })
  const most = Math.max(1, rows - OTHER_ROWS)
  const isHeld = question?.isHeld ?? false
  const asked =
    question === undefined
      ? []
      : questionLines(question.question, { columns, most, isWaiting: isHeld }, paint)
  const view = { columns, most: Math.min(MOST_WRITTEN, most) }
  // While a question is answered, nothing is written.
  const composer: Frame = question === undefined || isHeld ? composerFrame(input, view, paint) : { lines: [] }
  const queued = queuedLines(state.queue, columns).map((line) => paint("dim", line))
  // Below the cursor is nothing: terminals that break lines anew lose their place otherwise.
  const status = paint("dim", offerLine(state) ?? statusLine(state.figures, columns))
  const below = ["", ...asked, ...queued, status]
  // Of an answer that is being written the end is seen, and everything below it whole.
  const left = rows - 1 - below.length - composer.lines.length
  const before = [...state.open.slice(Math.max(0, state.open.length - Math.max(0, left))), ...below]
  const lines = [...before, ...composer.lines]
  if (composer.cursor === undefined) return { lines }
  return { lines, cursor: { row: before.length + composer.cursor.row, column: composer.cursor.column } }
}

/** What Tab could make of what is written stands in place of the figures. */
function offerLine({ candidates, columns }: ChatState): string | undefined {
  return candidates.length === 0 ? undefined : fitCell(candidates.join("  "), columns).trimEnd()
}

function queuedLines(queue: readonly Input[], columns: number): readonly string[] {
  const lines = queue.slice(0, MOST_QUEUED).map(({ units }) => `queued: ${units.map(shownAs).join("")}`)
  const left = queue.length - lines.length
  const all = left > 0 ? [...lines, `${plural(left, "more message")} queued`] : lines
  return all.map((line) => fitCell(line, columns).trimEnd())
}
