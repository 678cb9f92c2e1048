// A bill in a terminal: what was spent, where it went, what was paid for twice, what is worth changing. Made for 80
// columns; narrower terminals get shorter bars and notes below, wider ones longer bars up to a limit.
import { type Paint, painter } from "../colour.ts"
import type { Page } from "../page.ts"
import { cells, fitCell, wrap as wrapWords } from "../widths.ts"
import type { AdviceRow, BillSummary, ClientRow, DayMark, TwiceRow, WhereRow } from "./summary.ts"

/** Longer lines are hard to follow from the name to its figure. */
const MOST_COLUMNS = 100
const INDENT = "  "

export function terminalView(summary: BillSummary, page: Page): readonly string[] {
  const width = Math.min(page.columns, MOST_COLUMNS) - INDENT.length
  const paint = painter(page)
  const { clients, where, twice, advice } = summary
  const sections = [
    headLines(summary, width, paint),
    spentLines(summary, width, paint),
    clients.length === 0 ? [] : clientLines(clients, width, paint),
    where.length === 0
      ? []
      : [heading("WHERE IT WENT", "", width, paint), ...whereLines(where, width, paint)],
    twice.rows.length === 0
      ? []
      : [
          heading("PAID FOR TWICE", twice.spent, width, paint),
          ...twice.rows.flatMap((row) => twiceLines(row, width, paint)),
        ],
    advice.length === 0
      ? []
      : [
          heading("WORTH CHANGING", "simulated on these calls", width, paint),
          ...advice.flatMap((row, at) => adviceLines(row, at + 1, width, paint)),
        ],
    footLines(summary, width, paint),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines) => ["", ...lines.map((line) => `${INDENT}${line}`.trimEnd())])
    .slice(1)
}

/** A word that is longer than a line, such as a path, is cut. */
function wrap(text: string, width: number): readonly string[] {
  return wrapWords(text, width).map((line) => (cells(line) > width ? fitCell(line, width) : line))
}

/** Side by side if there is room. */
function headLines({ title, facts }: BillSummary, width: number, paint: Paint): readonly string[] {
  const gap = width - cells(title) - cells(facts)
  if (gap >= 2) return [`${paint("bold", title)}${" ".repeat(gap)}${facts}`]
  return [...wrap(title, width).map((line) => paint("bold", line)), ...wrap(facts, width)]
}

function spentLines(summary: BillSummary, width: number, paint: Paint): readonly string[] {
  const { spent, days, cached, priceNotes } = summary
  const margin = " ".repeat(cells(spent) + 3)
  const room = width - cells(margin)
  const marks = daysText(days, room)
  const gap = room - cells(marks) - cells(cached)
  const first = `${paint("bold", spent)}   ${paint("green", marks)}`
  const notes = priceNotes.flatMap((note) => wrap(note, room)).map((line) => `${margin}${paint("dim", line)}`)
  if (gap >= 2) return [`${first}${" ".repeat(gap)}${cached}`, ...notes]
  return [first, `${margin}${cached}`, ...notes]
}

const LEVELS = "▁▂▃▄▅▆▇█"

/** With the names of days if they fit, else one column for each, between the first and the last. */
function daysText(days: readonly DayMark[], room: number): string {
  const named = days.map((day) => `${day.label} ${levelOf(day)}`).join(" ")
  if (days.length <= 7 && cells(named) <= room) return named
  const [first, last] = [days[0]?.label ?? "", days.at(-1)?.label ?? ""]
  const columns = Math.max(7, Math.min(days.length, room - cells(first) - cells(last) - 2))
  const marks = gathered(days, columns).map(levelOf).join("")
  return days.length === 0 ? "" : `${first} ${marks} ${last}`
}

function levelOf({ height, hasCalls }: Pick<DayMark, "height" | "hasCalls">): string {
  if (!hasCalls) return "·"
  return LEVELS[Math.min(LEVELS.length - 1, Math.max(0, Math.ceil(height * LEVELS.length) - 1))] ?? "▁"
}

/** Neighbouring days in one column, if there are too many. */
function gathered(
  days: readonly DayMark[],
  columns: number,
): readonly Pick<DayMark, "height" | "hasCalls">[] {
  if (days.length <= columns) return days
  const each = Math.ceil(days.length / columns)
  const groups = Array.from({ length: Math.ceil(days.length / each) }, (_, at) =>
    days.slice(at * each, (at + 1) * each),
  )
  const sums = groups.map((group) => group.reduce((sum, { height }) => sum + height, 0))
  const most = Math.max(...sums)
  return groups.map((group, at) => ({
    height: most === 0 ? 0 : (sums[at] ?? 0) / most,
    hasCalls: group.some(({ hasCalls }) => hasCalls),
  }))
}

function heading(title: string, right: string, width: number, paint: Paint): string {
  const gap = width - cells(title) - cells(right)
  return gap < 2 || right === ""
    ? paint("bold", title)
    : `${paint("bold", title)}${" ".repeat(gap)}${paint("dim", right)}`
}

const EIGHTHS = " ▏▎▍▌▋▊▉"

/** At least a sliver for what is there at all. */
function bar(share: number, room: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * room * 8))
  return `${"█".repeat(Math.floor(eighths / 8))}${(EIGHTHS[eighths % 8] ?? "").trim()}`
}

function clientLines(rows: readonly ClientRow[], width: number, paint: Paint): readonly string[] {
  const heads = ["CLIENTS", "sessions", "calls", "cost", "cached"]
  const table = [heads, ...rows.map((row) => [row.name, row.sessions, row.calls, row.spent, row.cached])]
  const widths = heads.map((_, at) => Math.max(...table.map((line) => cells(line[at] ?? ""))))
  const line = (texts: readonly string[]) =>
    texts.map((text, at) => fitCell(text, widths[at] ?? 0, at === 0 ? "left" : "right")).join("  ")
  const room = Math.min(24, width - cells(line(heads)) - 2)
  const largest = Math.max(...rows.map(({ share }) => share), 0)
  const [first = "", ...others] = heads
  const titles = line([first, ...others])
  return [
    `${paint("bold", titles.slice(0, first.length))}${paint("dim", titles.slice(first.length))}`,
    ...rows.map((row, at) => {
      const shown = room < 4 ? "" : `  ${paint("blue", bar(largest === 0 ? 0 : row.share / largest, room))}`
      return `${line(table[at + 1] ?? [])}${shown}`
    }),
  ]
}

/** Bars leave room for the longest first note, so that all notes begin in one column. */
const LONGEST_BAR = 24
const SHORTEST_BAR = 8

function whereLines(rows: readonly WhereRow[], width: number, paint: Paint): readonly string[] {
  const widest = (text: (row: WhereRow) => string) => Math.max(...rows.map((row) => cells(text(row))))
  const [name, spent, share] = [
    widest((row) => row.name),
    widest((row) => row.spent),
    widest((row) => row.percent),
  ]
  const left = width - name - spent - share - 6
  const firstNote = widest(({ notes: [first = ""] }) => first)
  const beside = Math.min(left - SHORTEST_BAR - 2, Math.max(firstNote, Math.floor(left * 0.6)))
  const room = Math.max(4, Math.min(LONGEST_BAR, firstNote > beside ? left : left - beside - 2))
  const largest = Math.max(...rows.map((row) => row.share))
  return rows.flatMap((row) => {
    const figures = `${fitCell(row.name, name)}  ${fitCell(row.spent, spent, "right")}  ${fitCell(row.percent, share, "right")}`
    const drawn = bar(row.share / largest, room)
    const painted = `${figures}  ${paint("blue", drawn)}`
    if (row.notes.length === 0) return [painted]
    if (firstNote <= beside)
      return [
        `${painted}${" ".repeat(room + 2 - cells(drawn))}${paint("dim", notesWithin(row.notes, beside))}`,
      ]
    return [painted, ...wrap(row.notes.join(", "), width - 3).map((line) => paint("dim", `   ${line}`))]
  })
}

/** As many as fit whole. */
function notesWithin(notes: readonly string[], room: number): string {
  return notes.map((_, at) => notes.slice(0, at + 1).join(", ")).findLast((text) => cells(text) <= room) ?? ""
}

/** Two columns of figures at the right. */
const TOKENS_WIDTH = 8
const MONEY_WIDTH = 10

function twiceLines(row: TwiceRow, width: number, paint: Paint): readonly string[] {
  const room = width - TOKENS_WIDTH - MONEY_WIDTH
  const figures = `${fitCell(row.tokens, TOKENS_WIDTH, "right")}${paint("yellow", fitCell(row.spent, MONEY_WIDTH, "right"))}`
  const [first = "", ...rest] = wrap(row.text, room - 1)
  const detail = besideFigure(row.detail, row.detailSpent, { width, paint, indent: "   " })
  return [`${fitCell(first, room)}${figures}`, ...rest, ...detail]
}

interface Beside {
  readonly width: number
  readonly paint: Paint
  readonly indent: string
}

/** Dim lines, the figure at the right of the last. */
function besideFigure(text: string, figure: string, { width, paint, indent }: Beside): readonly string[] {
  const lines = wrap(text, width - cells(indent) - MONEY_WIDTH)
  return lines.map((line, at) => {
    const isLast = at === lines.length - 1
    const gap = " ".repeat(Math.max(1, width - cells(indent) - cells(line) - cells(figure)))
    return paint("dim", isLast ? `${indent}${line}${gap}${figure}` : `${indent}${line}`)
  })
}

function adviceLines(row: AdviceRow, number: number, width: number, paint: Paint): readonly string[] {
  const label = row.isWorth ? `${number}` : "✗"
  const text = row.isWorth ? row.text : `Not worth it: ${row.text}`
  const room = width - 3 - MONEY_WIDTH
  const [first = "", ...rest] = wrap(text, room)
  const saves = fitCell(row.saves, MONEY_WIDTH, "right")
  const command =
    row.command === undefined ? [] : wrap(row.command, width - 5).map((line) => paint("cyan", `     ${line}`))
  return [
    `${fitCell(label, 3)}${fitCell(first, room)}${row.isWorth ? paint("green", saves) : paint("dim", saves)}`,
    ...rest.map((line) => `   ${line}`),
    ...command,
  ]
}

function footLines({ exactness, reading }: BillSummary, width: number, paint: Paint): readonly string[] {
  return [...exactness, reading].flatMap((note) => wrap(note, width)).map((line) => paint("dim", line))
}
