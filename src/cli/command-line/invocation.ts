// What a command gets to run: its words, the terminal, and its flags with the types of its table. A flag that the table
// does not have is a type error.
import type { Terminal } from "../terminal.ts"
import { COMMAND_TABLE, type CommandName } from "./table/commands.ts"
import { type FlagValues, withDefaults } from "./table/flag.ts"

export type FlagsOf<Name extends CommandName> = FlagValues<(typeof COMMAND_TABLE)[Name]["flags"]>

export interface Invocation<Name extends CommandName> {
  readonly words: readonly string[]
  readonly flags: FlagsOf<Name>
  readonly terminal: Terminal
}

/** The flags of a command that other code runs, with the defaults of those that are not given. */
export function flagsFor<Name extends CommandName>(
  name: Name,
  given: Partial<FlagsOf<Name>> = {},
): FlagsOf<Name> {
  return withDefaults<(typeof COMMAND_TABLE)[Name]["flags"]>(COMMAND_TABLE[name].flags, given)
}
