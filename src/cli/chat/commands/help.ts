// Help for the chat commands: all of them in two columns, or one with all its forms; and the keys.
import { painter } from "../../views/colour.ts"
import type { Page } from "../../views/page.ts"
import { fitCell, wrap } from "../../views/widths.ts"
import type { SlashCommand } from "./slash-command.ts"

type Row = readonly [start: string, help: string]

const USER_COMMAND_ROW: Row = ["!cmd", "run a shell command"]
const CLOSING = "/help NAME explains a command, /help keys lists the keys."

/** Together with the lines below at most 24 lines of 80 columns, so that everything is visible. */
export function helpLines(commands: readonly SlashCommand[], page: Page): readonly string[] {
  const rows: readonly Row[] = [
    ...commands.map(({ name, help }): Row => [`/${name}`, help]),
    USER_COMMAND_ROW,
  ]
  const first = Math.max(...rows.map(([start]) => start.length))
  const half = first + 2 + Math.max(...rows.map(([, help]) => help.length))
  const columns = page.columns >= 2 * half + 2 ? 2 : 1
  const height = Math.ceil(rows.length / columns)
  const paint = painter(page)
  const cell = ([start, help]: Row) => `${paint("bold", fitCell(start, first))}  ${help}`
  const lines = rows.slice(0, height).map((row, at) => {
    const beside = rows[height + at]
    const gap = " ".repeat(Math.max(0, half - first - row[1].length))
    return columns === 1 || beside === undefined ? cell(row) : `${cell(row)}${gap}${cell(beside)}`
  })
  return [...lines, "", ...wrap(CLOSING, page.columns).map((line) => paint("dim", line))]
}

/** Returns undefined if there is no such command. */
export function helpOn(
  name: string,
  commands: readonly SlashCommand[],
  page: Page,
): readonly string[] | undefined {
  if (name === "keys") return termLines(KEYS, page)
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return undefined
  const { forms = [{ words: "", help: command.help }] } = command
  const rows = forms.map(({ words, help }): Row => [`/${name} ${words}`.trim(), help])
  return termLines(rows, page)
}

export const KEYS: readonly Row[] = [
  ["Enter", "send"],
  ["Alt-Enter, Ctrl-J", "add a new line; so does a backslash before Enter"],
  ["Tab", "complete a command, or the path of a file after @"],
  ["Up, Down", "show your previous messages"],
  ["Ctrl-C", "stop the turn, or clear the input; press twice to quit"],
  ["Ctrl-D", "quit, if the input is empty"],
  ["Ctrl-Z", "suspend the chat; fg resumes it"],
  ["Ctrl-O", "show the tool results of the last turn"],
  ["Ctrl-L", "clear the screen"],
  ["Ctrl-A, Ctrl-E", "go to the start or the end of the line"],
  ["Ctrl-W, Ctrl-U, Ctrl-K", "cut a word, to the start, to the end; Ctrl-Y pastes it"],
  ["@path", "send a file with the message"],
  ["!cmd", "run a shell command; the model sees it with your next message"],
  ["!!cmd", "run a shell command without showing it to the model"],
]

/** Wraps the second column under itself, or puts it below the first if there is no room. */
function termLines(rows: readonly Row[], page: Page): readonly string[] {
  const paint = painter(page)
  const first = Math.max(...rows.map(([start]) => start.length))
  const room = page.columns - first - 2
  return rows.flatMap(([start, help]) => {
    if (room < 24)
      return [paint("bold", start), ...wrap(help, page.columns - 2).map((line) => paint("dim", `  ${line}`))]
    return wrap(help, room).map(
      (line, at) => `${paint("bold", fitCell(at === 0 ? start : "", first))}  ${line}`,
    )
  })
}
