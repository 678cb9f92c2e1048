// Prints a command's result on stdout: as lines for people, or as JSON on request. Names cannot break a line.
import { oneLine } from "../views/terminal.ts"
import type { Invocation } from "./command.ts"

export function print(
  { flags, terminal }: Pick<Invocation, "flags" | "terminal">,
  value: unknown,
  view: () => readonly string[],
): void {
  terminal.out(
    flags.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${view().map(oneLine).join("\n")}\n`,
  )
}
