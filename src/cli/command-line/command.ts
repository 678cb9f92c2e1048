// The type of a command: its words, its flags and how to run it. The command tables consist of these.
import { IncipitError } from "../../base/error.ts"
import type { Terminal } from "../views/terminal.ts"

export interface Flag {
  readonly name: string
  /** The name of the value; a flag without one is a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Flags that contradict this one: one of the two would be ignored. */
  readonly conflicts?: readonly string[]
  readonly help: string
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

/** The value of a flag that takes `N`. The parser has checked that it is a whole number. */
export function countOf(flags: FlagValues, name: string, least = 0): number | undefined {
  const value = flags[name]
  if (typeof value !== "string") return undefined
  const count = Number(value)
  if (count >= least && Number.isSafeInteger(count)) return count
  throw new IncipitError("bad-argument", `--${name} is ${value}, which is not a number of ${least} or more`)
}

/** What a command needs to run: its words, its flags, and the terminal. */
export interface Invocation {
  readonly words: readonly string[]
  readonly flags: FlagValues
  readonly terminal: Terminal
}

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

export interface Command {
  /** The agent's commands may run and must not find keys in this process's environment. */
  readonly runsAgent?: true
  /** Two words for a command of a group: "memory search". */
  readonly name: string
  readonly words: readonly Word[]
  readonly help: string
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
  /** Loads the command only when it is run, so that `--help` stays fast. `run` returns the exit status. */
  readonly load: () => Promise<{ readonly run: (invocation: Invocation) => Promise<number> }>
}

/** All commands, with what the commands of each group have in common. */
export interface CommandTable {
  readonly commands: readonly Command[]
  readonly groups: Readonly<Record<string, string>>
}
