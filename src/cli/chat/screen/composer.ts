// The composer, where a message is written, as lines with a cursor.
import type { Paint } from "../../views/colour.ts"
import { type Input, layOut, shownAs } from "./input.ts"
import type { Frame } from "./screen.ts"

const PROMPT_MARK = "> "

export interface ComposerView {
  readonly columns: number
  /** Rows of the text to show; if there are more, those around the cursor. */
  readonly most: number
}

/** Cells for the text itself. */
export function textWidth(columns: number): number {
  return Math.max(4, columns - PROMPT_MARK.length)
}

export function composerFrame(input: Input, view: ComposerView, paint: Paint): Required<Frame> {
  const { rows, row, column } = layOut(input, textWidth(view.columns))
  const from = Math.max(0, Math.min(row - Math.floor(view.most / 2), rows.length - view.most))
  const shown = rows.slice(from, from + view.most)
  const lines = shown.map(({ start, end }, at) => {
    const isFirst = from + at === 0
    return `${isFirst ? paint("bold", PROMPT_MARK) : " ".repeat(PROMPT_MARK.length)}${unitsText(input, start, end, paint)}`
  })
  return { lines, cursor: { row: row - from, column: PROMPT_MARK.length + column } }
}

function unitsText({ units }: Input, start: number, end: number, paint: Paint): string {
  return units
    .slice(start, end)
    .map((unit) => (unit.shown === undefined ? shownAs(unit) : paint("cyan", shownAs(unit))))
    .join("")
}

/** A sent message as it stays on the screen. */
export function sentLines(input: Pick<Input, "units">, columns: number, paint: Paint): readonly string[] {
  const whole: Input = { units: input.units, at: 0, killed: [] }
  const { rows } = layOut(whole, textWidth(columns))
  return rows.map(({ start, end }, at) => {
    const text = input.units.slice(start, end).map(shownAs).join("")
    return paint("bold", `${at === 0 ? PROMPT_MARK : " ".repeat(PROMPT_MARK.length)}${text}`.trimEnd())
  })
}
