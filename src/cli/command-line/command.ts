// What a command is: its words, its flags and what runs it. The tables of commands are made of these.
import { IncipitError } from "../../base/error.ts"
import type { Terminal } from "../views/terminal.ts"

export interface Flag {
  readonly name: string
  /** What the value is; a flag without one is a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Flags that mean something else altogether: one of the two would be ignored. */
  readonly conflicts?: readonly string[]
  readonly help: string
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

/** The value of a flag that takes `N`. The parser has seen to it that it is a whole number. */
export function countOf(flags: FlagValues, name: string, least = 0): number | undefined {
  const value = flags[name]
  if (typeof value !== "string") return undefined
  const count = Number(value)
  if (count >= least && Number.isSafeInteger(count)) return count
  throw new IncipitError("bad-argument", `--${name} is ${value}, which is not a number of ${least} or more`)
}

/** What a command needs to run: its words, its flags, and the world. */
export interface Invocation {
  readonly words: readonly string[]
  readonly flags: FlagValues
  readonly terminal: Terminal
}

export interface Word {
  readonly name: string
  readonly help: string
  readonly optional?: true
  /** The rest of the words, however many. */
  readonly many?: true
  readonly choices?: readonly string[]
}

/** As usage lines have it. */
export function wordText({ name, optional, many }: Word): string {
  const shown = many ? `${name}...` : name
  return optional ? `[${shown}]` : `<${shown}>`
}

export interface Command {
  /** Commands of the agent may run, which must not find keys in the environment of this process. */
  readonly runsAgent?: true
  /** Two words for one of a group: "memory search". */
  readonly name: string
  readonly words: readonly Word[]
  readonly help: string
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
  /** Loads the command only when it is run: `--help` must not pay for it. Returns the exit status. */
  readonly load: () => Promise<{ readonly run: (invocation: Invocation) => Promise<number> }>
}

/** All commands, with what the commands of each group have in common. */
export interface CommandTable {
  readonly commands: readonly Command[]
  readonly groups: Readonly<Record<string, string>>
}
