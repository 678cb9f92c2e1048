// Commands that the program suggests beside its results, in the form that works here: somebody who starts it with `npx
// incipit`, or by a script of npm, may have no `incipit` on the path. Who starts it otherwise has found it.
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import type { Terminal } from "../terminal.ts"
import { programName } from "./program-name.ts"
import { COMMANDS } from "./table/commands.ts"

const WORDS = [...new Set(COMMANDS.map(({ name }) => name.split(" ", 1)[0]))].join("|")
/** Where a text names a command: in backticks, after a colon or a pipe, or at the beginning of a line, never in the middle of what somebody wrote. */
export const SUGGESTED = new RegExp(
  `(?<=\`|: |\\| |^ *)(?<!npx\\s+)incipit(?=\\s+(?:(?:${WORDS}|help|--help)\\b|<))`,
  "gm",
)

/**
 * `text` with each command as the user has to type it. For sentences of our own, before they are wrapped: results, JSON and
 * what people wrote never come here.
 */
export function asTyped(text: string, terminal: Pick<Terminal, "env">): string {
  return text.replace(SUGGESTED, typedName(terminal))
}

/** The program's name as the user has to type it. */
export function typedName(terminal: Pick<Terminal, "env">): string {
  return terminal.env.npm_command ? programName(terminal) : "incipit"
}

/** What a running agent found: its sentences name commands, too. */
export function eventAsTyped(event: LiveEvent, terminal: Pick<Terminal, "env">): LiveEvent {
  return event.kind === "diagnostic" ? { ...event, text: asTyped(event.text, terminal) } : event
}

/** The same for everything that is said beside the results. What the terminal finds out on demand stays so. */
export function suggesting(terminal: Terminal): Terminal {
  const err = (text: string) => terminal.err(asTyped(text, terminal))
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(terminal),
    err: { value: err, enumerable: true },
  })
}
