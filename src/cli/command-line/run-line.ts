// Runs a command line: finds the command, checks its flags and words, and turns failures into one line and a status.
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander"
import { IncipitError } from "../../base/error.ts"
import { nearest } from "../../base/nearest.ts"
import { VERSION } from "../../base/version.ts"
import type { Terminal } from "../terminal.ts"
import { oneLine } from "../views/widths.ts"
import { asTyped, suggesting, typedName } from "./as-typed.ts"
import { runCommand } from "./loaders.ts"
import { type Command, flagText, type ListedFlag, wordText } from "./table/command.ts"
import { COMMAND_TABLE, COMMANDS, type CommandName, GROUPS, HELP_GROUPS } from "./table/commands.ts"

const FIRST_STEPS = `
Run \`incipit help <command>\` for a command's arguments, flags and examples.
New here? Take \`incipit tour\`, or create a workspace with \`incipit init\`.`

export interface LineOptions {
  readonly terminal: Terminal
  /** Called before a command that runs an agent, whose tools must not find the program's secrets. */
  readonly beforeAgent: () => void
}

/** Runs a command line and returns its exit status. */
export async function runLine(args: readonly string[], given: LineOptions): Promise<number> {
  const terminal = suggesting(given.terminal)
  const options = { ...given, terminal }
  let status = 0
  const wanted = withCommand(args)
  const parser = makeParser(commandsFor(wanted), options, (code) => {
    status = code
  })
  try {
    refuseUnknown(wanted)
    await parser.parseAsync(wanted, { from: "user" })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof IncipitError) {
      terminal.err(`${errorLine(error)}\n`)
      return 2
    }
    terminal.err(faultLines(error))
    return 2
  }
}

/** Node would print the source line, which in a bundle is huge, and any keys in it. */
export function faultLines(error: unknown): string {
  const trace = error instanceof Error ? error.stack : String(error)
  return `incipit: internal error. This is a bug in Incipit; please report it with these lines:\n${trace}\n`
}

export function errorLine({ message, help }: IncipitError): string {
  const line = oneLine(message)
  return `incipit: ${line}${line.endsWith("?") ? "" : "."} ${help}`
}

/**
 * `help memory search` means `memory search --help`, and no words at all mean help. `-p` and `-c` in the place of a
 * command are the flags of `run` and `chat`, as people know them from other agents.
 */
function withCommand(args: readonly string[]): readonly string[] {
  const [first = "--help", ...rest] = args
  if (first === "help") return [...rest, "--help"]
  if (isFlag("print", first)) return ["run", ...args]
  if (!isFlag("continue", first)) return [first, ...rest]
  return [rest.some((arg) => isFlag("print", arg)) ? "run" : "chat", ...args]
}

function isFlag(name: "print" | "continue", arg: string): boolean {
  return arg === `--${name}` || arg === `-${COMMAND_TABLE.run.flags[name].short}`
}

/** The parser alone would report the second of two words as one word too many. */
function refuseUnknown([first = "-", second = "-"]: readonly string[]): void {
  if (first.startsWith("-")) return
  const names = COMMANDS.map(({ name }) => name.split(" "))
  const below = names.flatMap(([group, name]) => (group === first && name !== undefined ? [name] : []))
  const known = names.flatMap(([name = ""]) => name)
  if (!known.includes(first)) throw unknownCommand(first, known)
  if (below.length > 0 && !second.startsWith("-") && !below.includes(second))
    throw unknownCommand(second, below, `${first} `)
}

function unknownCommand(name: string, known: readonly string[], group = ""): IncipitError {
  const [near] = nearest(name, known)
  const others = group === "" ? "" : ` (there are ${known.map((one) => group + one).join(", ")})`
  const hint = near === undefined ? others : ` (did you mean ${group}${near}?)`
  return new IncipitError("unknown-command", `there is no command "${group}${name}"${hint}`)
}

/** The commands that begin with the first word; all of them if it isn't a command. Each one takes time to set up. */
function commandsFor([first]: readonly string[]): readonly Command<CommandName>[] {
  const named = COMMANDS.filter(({ name }) => name.split(" ")[0] === first)
  return named.length === 0 ? COMMANDS : named
}

function makeParser(
  commands: readonly Command<CommandName>[],
  options: LineOptions,
  done: (status: number) => void,
): Parser {
  const { terminal } = options
  const parser = new Parser(typedName(terminal))
    .description("The system-prompt compiler for AI agents.")
    .version(VERSION, "-V, --version", "print the version")
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => write(usageError(text)),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError("Run `incipit --help` for the list of commands.")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .addHelpText("after", asTyped(FIRST_STEPS, terminal))
  for (const command of inOrder(commands)) addCommand(groupOf(parser, command), command, options, done)
  for (const [heading, members] of Object.entries(HELP_GROUPS))
    for (const command of parser.commands) if (members.includes(command.name())) command.helpGroup(heading)
  return parser
}

/** In the order of the groups of the help, which is that of importance. */
function inOrder(commands: readonly Command<CommandName>[]): readonly Command<CommandName>[] {
  const first = Object.values(HELP_GROUPS).flat()
  const place = ({ name }: Command) => first.indexOf(name.split(" ", 1)[0] ?? "")
  return commands.toSorted((one, other) => place(one) - place(other))
}

/** The parser itself, or the one for the first of two words. */
function groupOf(parser: Parser, { name }: Command): Parser {
  const [group = "", second] = name.split(" ")
  if (second === undefined) return parser
  const known = parser.commands.find((command) => command.name() === group)
  return known ?? parser.command(group).description(GROUPS[group] ?? "")
}

function addCommand(
  parser: Parser,
  command: Command<CommandName>,
  { terminal, beforeAgent }: LineOptions,
  done: (status: number) => void,
): void {
  const typed = (text: string) => asTyped(text, terminal)
  const sub = parser.command(command.name.split(" ").at(-1) ?? "").description(typed(command.help))
  // Words after the second belong to it, even if the first is a command itself.
  sub.enablePositionalOptions()
  if (command.passesFlags) sub.passThroughOptions()
  for (const word of command.words) sub.argument(wordText(word), typed(word.help))
  for (const flag of command.flags) sub.addOption(optionOf({ ...flag, help: typed(flag.help) }))
  sub.addHelpText("after", `\nExamples:\n${command.examples.map((line) => `  ${typed(line)}`).join("\n")}`)
  sub.showHelpAfterError(`Run \`incipit ${command.name} --help\` for its arguments and flags.`)
  sub.action(async () => {
    const words = sub.args
    const options = sub.opts<Record<string, string | boolean>>()
    const values = Object.fromEntries(command.flags.map((flag) => [flag.key, typedValue(options, flag)]))
    if (command.runsAgent) beforeAgent()
    done(await runCommand(command.name, { words, values, terminal }))
  })
}

/** Commander takes `--no-x` for the opposite of `--x`. */
function typedValue(options: Readonly<Record<string, string | boolean>>, { key, name }: ListedFlag) {
  if (!name.startsWith("no-")) return options[key]
  return options[key.charAt(2).toLowerCase() + key.slice(3)] === false
}

function optionOf(flag: ListedFlag): Option {
  const { value, choices, list, conflicts = [], help } = flag
  const option = new Option(flagText(flag), help)
  option.conflicts([...conflicts])
  if (value === undefined) return option
  if (choices !== undefined) option.choices([...choices])
  const check = value === "N" ? wholeNumber : choices === undefined ? option.parseArg : oneOf(choices)
  // Commander would use the last of several values and ignore the others.
  return option.argParser((text: string, before: string | undefined) => {
    if (before !== undefined && list === undefined)
      throw new InvalidArgumentError("It is given twice; one of the two would be ignored.")
    check?.(text, undefined)
    return before === undefined ? text : `${before},${text}`
  })
}

/** The parser quotes what was typed, which may have line ends; only those before its suggestion and at the end are its own. */
function usageError(text: string): string {
  const own = /(?:\n\(Did you mean [^\n]*\))?\n$/.exec(text)?.[0] ?? ""
  const line = text.slice(0, text.length - own.length).replace(/^error:/, "incipit:")
  return oneLine(line) + choicesOf(line) + own
}

/** Of a flag that lacks its value. */
function choicesOf(line: string): string {
  const missing = /^incipit: option '(.+)' argument missing$/.exec(line)?.[1]
  const flag = COMMANDS.flatMap(({ flags }) => flags).find((one) => flagText(one) === missing)
  return flag?.choices === undefined ? "" : `. Allowed choices are ${flag.choices.join(", ")}.`
}

function oneOf(choices: readonly string[]) {
  return (text: string): string => {
    if (choices.includes(text)) return text
    const [near] = nearest(text, choices)
    const hint = near === undefined ? "" : ` Did you mean ${near}?`
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.${hint}`)
  }
}

function wholeNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.")
  return text
}
