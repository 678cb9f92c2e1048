// What a command found out, on stdout: as lines for people, or as JSON if that is asked for. A line stays one, whatever
// name is in it.
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
