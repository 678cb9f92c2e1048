// Generates a page for each command from the table of commands, with its output on the sample workspace; and the index.
import { runCommand } from "../src/cli/command-line/loaders.ts"
import { type Command, type ListedFlag, wordText } from "../src/cli/command-line/table/command.ts"
import { COMMANDS, type CommandName } from "../src/cli/command-line/table/commands.ts"
import type { TypedValues } from "../src/cli/command-line/table/flag.ts"
import type { Terminal } from "../src/cli/terminal.ts"

/** Sample calls, for commands whose output is the same on every machine. */
const SAMPLES: Partial<Readonly<Record<CommandName, Sample>>> = {
  build: {},
  explain: { words: ["soul"] },
  check: {},
  skills: {},
  config: {},
  signal: { words: ["please build a page for the tides, quickly"] },
  price: { flags: { edit: "SOUL.md" } },
}

interface Sample {
  readonly words?: readonly string[]
  readonly flags?: TypedValues
}

const MOST_LINES = 40

export function cliPage(): string {
  const rows = COMMANDS.map(
    (command) =>
      `| [` +
      "`" +
      `incipit ${command.name}` +
      "`" +
      `](${pathOf(command)}) | ${sentenceCase(command.help)} |`,
  )
  return `# The command line

Results go to stdout, everything else to stderr. Exit status: 0 done, 1 errors found (with \`--strict\`, warnings and hints too), 2 could not run. \`incipit help <command>\` prints what its page says; \`incipit completions\` prints a completion script for your shell.

| command | what it does |
|---|---|
${rows.join("\n")}
`
}

/** The path and content of each page. */
export async function commandPages(terminal: Terminal): Promise<readonly (readonly [string, string])[]> {
  return Promise.all(
    COMMANDS.map(async (command) => {
      const sample = SAMPLES[command.name]
      const shown = sample === undefined ? [] : await sampleOf(command, terminal, sample)
      return [`docs/reference/${pathOf(command)}`, pageOf(command, shown)] as const
    }),
  )
}

function pathOf({ name }: Command): string {
  return `commands/${name.replaceAll(" ", "-")}.md`
}

function pageOf(command: Command, sample: readonly string[]): string {
  const { name, words, flags, help, examples } = command
  const usage = ["incipit", name, ...words.map(wordText), ...(flags.length > 0 ? ["[flags]"] : [])].join(" ")
  const rows = [
    ...words.map(({ name: word, help: meaning }) => ({ name: `<${word}>`, help: meaning })),
    ...flags,
  ]
  return `${[
    `# incipit ${name}`,
    "",
    `${sentenceCase(help)}.`,
    "",
    "```text",
    usage,
    "```",
    ...(rows.length === 0 ? [] : ["", ...flagTable(rows)]),
    "",
    "```sh",
    ...examples,
    "```",
    ...sample,
    "",
    "[All commands](../cli.md)",
  ].join("\n")}\n`
}

async function sampleOf(
  command: Command<CommandName>,
  terminal: Terminal,
  { words = [], flags = {} }: Sample,
): Promise<readonly string[]> {
  let printed = ""
  const cwd = `${terminal.cwd}/examples/lighthouse`
  await runCommand(command.name, {
    words,
    // Outside any repository, so that the page does not depend on the last commit.
    values: { ...(command.flags.some(({ name }) => name === "cwd") && { cwd: "/island" }), ...flags },
    terminal: { ...terminal, cwd, out: (text) => (printed += text) },
  })
  const lines = printed.replaceAll(terminal.cwd, "").trimEnd().split("\n")
  const cut =
    lines.length > MOST_LINES
      ? [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`]
      : lines
  const typed = [
    "incipit",
    command.name,
    ...words.map((word) => (/ /.test(word) ? `"${word}"` : word)),
    ...typedFlags(flags),
  ]
  return ["", "In the sample workspace:", "", "```text", `$ ${typed.join(" ")}`, ...cut, "```"]
}

/** A word or a flag. */
type Row = Pick<ListedFlag, "name" | "short" | "value" | "choices" | "help">

function typedFlags(flags: TypedValues): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => [
    `--${name}`,
    ...(typeof value === "string" ? [value] : []),
  ])
}

function flagTable(flags: readonly Row[]): readonly string[] {
  const row = ({ name, short, value, choices, help }: Row) => {
    const long = name.startsWith("<") ? name : `--${name}${value === undefined ? "" : ` ${value}`}`
    const flag = short === undefined ? long : `-${short}, ${long}`
    return `| \`${flag}\` | ${sentenceCase(help)}${choices === undefined ? "" : ` (${choices.join(", ")})`} |`
  }
  return ["| flag | meaning |", "|---|---|", ...flags.map(row)]
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
