// Prints a command's result on stdout: as lines for people, or as JSON on request. Names cannot break a line.
import type { Terminal } from "../terminal.ts"
import { oneLine } from "../views/widths.ts"

export interface Printing {
  readonly flags: { readonly json: boolean }
  readonly terminal: Terminal
}

export function print({ flags, terminal }: Printing, value: unknown, view: () => readonly string[]): void {
  terminal.out(flags.json ? `${JSON.stringify(value, null, 2)}\n` : `${view().map(oneLine).join("\n")}\n`)
}
