// A command as data: its words, its flags and its texts. The command tables consist of these; what a command does is
// in loaders.ts.
import { type Flag, type FlagTable, flagHelp, flagName } from "./flag.ts"

export interface Word {
  readonly name: string
  readonly help: string
  readonly optional?: true
  /** Takes all remaining words. */
  readonly many?: true
  readonly choices?: readonly string[]
}

/** The form in usage lines. */
export function wordText({ name, optional, many }: Word): string {
  const shown = many ? `${name}...` : name
  return optional ? `[${shown}]` : `<${shown}>`
}

export interface CommandEntry {
  /** The agent's commands may run and must not find keys in this process's environment. */
  readonly runsAgent?: true
  /** Flags after the first word belong to the words. */
  readonly passesFlags?: true
  readonly words: readonly Word[]
  readonly help: string
  readonly flags: FlagTable
  readonly examples: readonly string[]
}

/** Commands by name, in the order in which they are listed. Two words for a command of a group: "memory search". */
export type CommandTable = Readonly<Record<string, CommandEntry>>

/** A command as help, completions and reference list it. */
export interface Command<Name extends string = string> extends Omit<CommandEntry, "flags"> {
  readonly name: Name
  readonly flags: readonly ListedFlag[]
}

export interface ListedFlag extends Omit<Flag, "default"> {
  /** As it is typed, without the dashes. */
  readonly name: string
  /** The name in the table and in the values. */
  readonly key: string
}

/** The form in help and reference. */
export function flagText({ short, name, value }: Pick<ListedFlag, "short" | "name" | "value">): string {
  const long = value === undefined ? `--${name}` : `--${name} <${value}>`
  return short === undefined ? long : `-${short}, ${long}`
}

export function listCommands<Table extends CommandTable>(
  table: Table,
): readonly Command<keyof Table & string>[] {
  return Object.entries(table).map(([name, { flags, ...entry }]) => ({
    ...entry,
    name,
    flags: Object.entries(flags).map(([key, flag]) => ({
      ...flag,
      key,
      name: flagName(key),
      help: flagHelp(flag),
    })),
  }))
}
