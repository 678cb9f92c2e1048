// A flag as data, and the type of its value. A command's flags are a table, keyed by the name that code uses
// (`writeLock` is `--write-lock`); the values that the command gets have the types that follow from that table.
import { IncipitError } from "../../../base/error.ts"

export interface Flag {
  /** One letter that means the same, for habits from other programs. */
  readonly short?: "c" | "p"
  /** The name of the value in help; a flag without one is a switch. `N` is a whole number. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Takes several values with commas: any text, or one of these names. Unlike choices, they are not in the help. */
  readonly list?: true | readonly string[]
  /** The smallest number that makes sense (default: 0). */
  readonly least?: number
  readonly isRequired?: true
  readonly default?: string | number
  /** Flags that contradict this one: one of the two would be ignored. */
  readonly conflicts?: readonly string[]
  /** Without the default value, which is added to it. */
  readonly help: string
}

export type FlagTable = Readonly<Record<string, Flag>>

/** The values of a table's flags. A switch is true or false; another flag that was not given is undefined. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly value: string }
    ? FlagValue<Table[Name]> | Absence<Table[Name]>
    : boolean
}

type FlagValue<F extends Flag> = F extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : F extends { readonly list: readonly (infer Choice)[] }
    ? readonly Choice[]
    : F extends { readonly list: true }
      ? readonly string[]
      : F extends { readonly value: "N" }
        ? number
        : string

type Absence<F extends Flag> = F extends { readonly default: string | number } | { readonly isRequired: true }
  ? never
  : undefined

/** Values as the parser gives them, by the names of the table. */
export type TypedValues = Readonly<Record<string, string | boolean | undefined>>

/** Turns what was typed into values, and refuses what the parser cannot check. */
export function readFlags<Table extends FlagTable>(table: Table, typed: TypedValues): FlagValues<Table> {
  const values = Object.entries(table).map(([name, flag]) => [name, readFlag(name, flag, typed[name])])
  // `readFlag` follows the table as the type does.
  return Object.fromEntries(values) as FlagValues<Table>
}

/** The values if only these flags are given, for code that runs a command without a command line. */
export function withDefaults<Table extends FlagTable>(
  table: Table,
  given: Partial<FlagValues<Table>>,
): FlagValues<Table> {
  const others = Object.entries(table).filter(([name]) => given[name] === undefined)
  // Each flag is in one of the two.
  return { ...given, ...readFlags(Object.fromEntries(others), {}) } as FlagValues<Table>
}

function readFlag(name: string, flag: Flag, typed: string | boolean | undefined) {
  if (flag.value === undefined) return typed === true
  if (typeof typed !== "string") return absent(name, flag)
  // A variable that is not set, in most cases: an empty path would mean the working directory.
  if (typed.trim() === "") throw refused(name, `needs a value: ${flag.help}`)
  if (flag.value === "N") return wholeNumber(name, flag, typed)
  return flag.list === undefined ? typed : readList(name, flag.list, typed)
}

function absent(name: string, { isRequired, default: usual, help }: Flag): string | number | undefined {
  if (!isRequired) return usual
  throw refused(name, `is missing: ${help}`)
}

/** The parser has checked that these are digits. */
function wholeNumber(name: string, { least = 0 }: Flag, typed: string): number {
  const number = Number(typed)
  if (number >= least && Number.isSafeInteger(number)) return number
  throw refused(name, `must be a number of ${least} or more, not ${typed}`)
}

function readList(name: string, known: true | readonly string[], typed: string): readonly string[] {
  const items = typed.split(",").map((item) => item.trim())
  if (items.includes("")) throw refused(name, `has an empty item in "${typed}"`)
  const unknown = known === true ? undefined : items.find((item) => !known.includes(item))
  if (known === true || unknown === undefined) return items
  throw refused(name, `accepts ${known.join(", ")}, not "${unknown}"`)
}

function refused(name: string, why: string): IncipitError {
  return new IncipitError("bad-argument", `--${flagName(name)} ${why}`)
}

/** As it is typed: `write-lock` for `writeLock`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** With the default value, as help, completions and reference show it. */
export function flagHelp({ help, default: usual }: Flag): string {
  return usual === undefined ? help : `${help} (default: ${usual})`
}
