// What a command found out, on stdout: as lines for people, or as JSON if that is asked for.
import type { Invocation } from "./command.ts"

export function print(
  { flags, terminal }: Pick<Invocation, "flags" | "terminal">,
  value: unknown,
  view: () => readonly string[],
): void {
  terminal.out(flags.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${view().join("\n")}\n`)
}
