// The command line. The only file that touches the process: parse, run, exit status.
import { once } from "node:events"
import { homedir } from "node:os"
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander"
import { IncipitError } from "../base/error.ts"
import { nearest } from "../base/nearest.ts"
import { unwritable } from "../base/system-error.ts"
import { secretsAmong } from "../record/redact/secret-variables.ts"
import { createSecrets } from "../record/redact/secrets.ts"
import { visibleText, visibleView } from "./chat/screen/visible.ts"
import { hideSecrets, takeSecrets } from "./command-line/hidden-secrets.ts"
import { runCommand } from "./command-line/loaders.ts"
import { type Command, type ListedFlag, wordText } from "./command-line/table/command.ts"
import { COMMANDS, type CommandName, GROUPS } from "./command-line/table/commands.ts"
import { VERSION } from "./command-line/version.ts"
import type { Terminal } from "./terminal.ts"
import { oneLine } from "./views/widths.ts"

/** A reader that closes the pipe early, such as `head`, is no error. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    if (stream === process.stdout) process.stderr.write(`${errorLine(unwritable("the output", error))}\n`)
    process.exit(2)
  })
}

const FIRST_STEPS = `
Run \`incipit help <command>\` for a command's arguments, flags and examples.
New here? Take \`incipit tour\`, or create a workspace with \`incipit init\`.`

/** True if this is the second start, after the secrets were hidden. */
const areSecretsHidden = takeSecrets(process)
const terminal = terminalOf(process)
process.once("uncaughtException", (error) => {
  terminal.err(faultLines(error))
  process.exit(2)
})
process.exitCode = await main(process.argv.slice(2), terminal)

async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let status = 0
  const wanted = helpFirst(args)
  const parser = makeParser(commandsFor(wanted), terminal, (code) => {
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
function faultLines(error: unknown): string {
  const trace = error instanceof Error ? error.stack : String(error)
  return `incipit: internal error. This is a bug in Incipit; please report it with these lines:\n${trace}\n`
}

function errorLine({ message, help }: IncipitError): string {
  return `incipit: ${oneLine(message)}. ${help}`
}

/** `help memory search` means `memory search --help`; no words at all mean help, too. */
function helpFirst(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ["--help"]
  return args[0] === "help" ? [...args.slice(1), "--help"] : args
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
  terminal: Terminal,
  done: (status: number) => void,
): Parser {
  const parser = new Parser("incipit")
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
    .addHelpText("after", FIRST_STEPS)
  for (const command of commands) addCommand(groupOf(parser, command), command, terminal, done)
  return parser
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
  terminal: Terminal,
  done: (status: number) => void,
): void {
  const sub = parser.command(command.name.split(" ").at(-1) ?? "").description(command.help)
  // Words after the second belong to it, even if the first is a command itself.
  sub.enablePositionalOptions()
  for (const word of command.words) sub.argument(wordText(word), word.help)
  for (const flag of command.flags) sub.addOption(optionOf(flag))
  sub.addHelpText("after", `\nExamples:\n${command.examples.map((line) => `  ${line}`).join("\n")}`)
  sub.showHelpAfterError(`Run \`incipit ${command.name} --help\` for its arguments and flags.`)
  sub.action(async () => {
    const words = sub.args
    const options = sub.opts<Record<string, string | boolean>>()
    const values = Object.fromEntries(command.flags.map((flag) => [flag.key, typedValue(options, flag)]))
    if (command.runsAgent && !areSecretsHidden) hideSecrets(process)
    done(await runCommand(command.name, { words, values, terminal }))
  })
}

/** Commander takes `--no-x` for the opposite of `--x`. */
function typedValue(options: Readonly<Record<string, string | boolean>>, { key, name }: ListedFlag) {
  if (!name.startsWith("no-")) return options[key]
  return options[key.charAt(2).toLowerCase() + key.slice(3)] === false
}

function optionOf({ name, value, choices, list, conflicts = [], help }: ListedFlag): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help)
  option.conflicts([...conflicts])
  if (value === undefined) return option
  if (choices !== undefined) option.choices([...choices])
  const check = value === "N" ? wholeNumber : option.parseArg
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
  return oneLine(text.slice(0, text.length - own.length).replace(/^error:/, "incipit:")) + own
}

function wholeNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.")
  return text
}

function terminalOf(world: NodeJS.Process): Terminal {
  const { stdout, stderr, env, cwd } = world
  const columns = stdout.columns ?? Number.parseInt(env.COLUMNS ?? "", 10)
  const wanted = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
  // No output of a command contains a key of its environment.
  const { redact } = createSecrets(secretsAmong(env))
  const unwanted = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb" || !stdout.isTTY
  const isPainted = wanted || !unwanted
  return {
    // Output for people must not move the cursor or hide text; files and pipes are read by people later.
    out: (text) => void stdout.write(isPainted ? visibleView(redact(text)) : visibleText(redact(text))),
    err: (text) =>
      void stderr.write(isPainted || stderr.isTTY ? visibleView(redact(text)) : visibleText(redact(text))),
    exact: (text) => void stdout.write(stdout.isTTY ? visibleView(redact(text)) : redact(text)),
    drained: async () => {
      if (stdout.writableNeedDrain) await once(stdout, "drain")
    },
    columns: Math.min(200, Math.max(40, columns > 0 ? columns : 80)),
    colour: isPainted,
    cwd: cwd(),
    home: homedir(),
    env,
    // Evaluated on demand: it loads the tables of all zones, which `--help` does not need.
    get timeZone() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    now: () => Date.now(),
    // Evaluated on demand: accessing stdin opens it.
    get streams() {
      return { input: world.stdin, output: stdout }
    },
    stopped: () =>
      new Promise((done) => {
        const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
        const stop = () => {
          // A second signal, of whichever kind, ends the process at once.
          for (const signal of signals) world.off(signal, stop)
          done()
        }
        for (const signal of signals) world.on(signal, stop)
      }),
    onExit: (work) => void world.once("exit", work),
    ...(world.platform !== "win32" && { suspend: () => void world.kill(world.pid, "SIGTSTP") }),
  }
}
