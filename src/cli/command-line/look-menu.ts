// A question with details that can be shown before answering: y, n, or the number of a detail. Anything but a yes is a
// no.
import type { IncipitError } from "../../base/error.ts"
import type { Streams, Terminal } from "../terminal.ts"
import { askLine } from "./ask-line.ts"

export interface Look {
  readonly label: string
  /** The whole text, with nothing hidden in it. */
  readonly lines: () => readonly string[]
}

export interface LookMenu {
  readonly question: string
  readonly looks: readonly Look[]
  /** The error if nobody can be asked. */
  readonly nobody: () => IncipitError
}

/** Whether a person at the terminal says yes. */
export async function isAgreed(terminal: Terminal, { question, looks, nobody }: LookMenu): Promise<boolean> {
  const { streams } = terminal
  if (streams === undefined || !isPersonAt(streams)) throw nobody()
  for (;;) {
    const keys =
      looks.length === 0
        ? "[y/N]"
        : `[y/N, ${looks.length === 1 ? "1 to view it" : `1-${looks.length} to view one`}]`
    const answer = (await askLine(streams, `${question} ${keys} `))?.trim() ?? ""
    // A number out of range is a slip, not an answer.
    if (looks.length === 0 || !/^\d+$/.test(answer)) return /^y(es)?$/i.test(answer)
    const look = looks[Number(answer) - 1]
    for (const line of look === undefined ? [] : [look.label, ...look.lines()]) terminal.out(`${line}\n`)
  }
}

function isPersonAt({ input, output }: Streams): boolean {
  return input.isTTY === true && output.isTTY === true
}

/** Writes to the stream of the question, so that details and question are seen together. */
export function questionWriter(terminal: Terminal): (line: string) => void {
  const { streams } = terminal
  const write = streams !== undefined && isPersonAt(streams) ? terminal.out : terminal.err
  return (line) => write(`${line}\n`)
}
