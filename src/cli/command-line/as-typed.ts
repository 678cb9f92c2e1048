// Commands that the program suggests beside its results, in the form that works here: somebody who starts it with `npx
// incipit`, or by a script of npm, may have no `incipit` on the path. Who starts it otherwise has found it.
import type { Terminal } from "../terminal.ts"
import { programName } from "./program-name.ts"
import { COMMANDS } from "./table/commands.ts"

const WORDS = [...new Set(COMMANDS.map(({ name }) => name.split(" ", 1)[0]))].join("|")
/** Where a sentence names a command: in backticks or after a colon, never in the middle of what somebody wrote. */
const SUGGESTED = new RegExp(`(?<=\`|: |^ *)incipit (?=(?:${WORDS}|help|--help)\\b|<)`, "gm")

/** `text` with each command as the user has to type it. */
export function asTyped(text: string, terminal: Pick<Terminal, "env">): string {
  return terminal.env.npm_command ? text.replace(SUGGESTED, `${programName(terminal)} `) : text
}

/** The same for everything that is said beside the results. What the terminal finds out on demand stays so. */
export function suggesting(terminal: Terminal): Terminal {
  const err = (text: string) => terminal.err(asTyped(text, terminal))
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(terminal),
    err: { value: err, enumerable: true },
  })
}
