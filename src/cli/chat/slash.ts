// The commands that can be typed in a chat, as one table: help, completion and running are made from it.
import { IncipitError } from "../../core/error.ts"
import { nearest } from "../../core/nearest.ts"
import { cells, fitCell, painter, wrap } from "../terminal.ts"
import { compact, context, memory, model, notices, sessions, skills, tools } from "./agent-views.ts"
import type { Desk, DeskView } from "./desk.ts"
import { failureText } from "./failure.ts"
import { cost, diff, trace, why } from "./record-views.ts"
import { visible } from "./visible.ts"

interface SlashCommand {
  readonly name: string
  /** As the help shows it. */
  readonly words?: string
  /** What may come after the name, where that is known. */
  readonly choices?: readonly string[]
  readonly help: string
  /** It changes what a turn is about, so none may be going on. */
  readonly needsRest?: true
  readonly run: (desk: Desk, words: readonly string[]) => Promise<readonly string[]>
}

const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "context", help: "what fills the window", run: context },
  {
    name: "cost",
    words: "[day|session|model|section|file]",
    choices: ["day", "session", "user", "model", "turn", "section", "file"],
    help: "what was spent, by turn",
    run: cost,
  },
  { name: "trace", words: "[turn]", help: "the last turn, step by step", run: trace },
  { name: "why", words: "[what]", help: "why a cache miss, why a text", run: why },
  { name: "diff", words: "[a b]", help: "how the last two turns differ", run: diff },
  { name: "model", words: "[id]", help: "the model, or another one", needsRest: true, run: model },
  { name: "tools", words: "[last]", choices: ["last"], help: "the tools, or last results", run: tools },
  { name: "skills", help: "the skills", run: skills },
  { name: "memory", words: "[words]", help: "the stores, or a search", run: memory },
  { name: "sessions", words: "[id]", help: "the sessions, or another one", needsRest: true, run: sessions },
  { name: "notices", help: "what the agent has to say", run: notices },
  { name: "plan", help: "plan mode on or off", run: plan },
  { name: "as", words: "[user]", help: "talk as somebody else", needsRest: true, run: as },
  { name: "new", help: "begin a new session", needsRest: true, run: begin },
  { name: "compact", help: "make the conversation shorter", needsRest: true, run: compact },
  { name: "reload", help: "read the workspace again", needsRest: true, run: reload },
  { name: "help", help: "this list", run: help },
  { name: "quit", help: "leave", run: quit },
]

export function isSlash(text: string): boolean {
  return /^\/(\S|$)/.test(text)
}

/** What the command says. What is wrong with it is said, too: a chat goes on. */
export async function runSlash(desk: Desk, text: string, isBusy: boolean): Promise<readonly string[]> {
  const lines = await answerTo(desk, text, isBusy)
  return lines.flatMap((line) => broken(line, desk.view.columns))
}

async function answerTo(desk: Desk, text: string, isBusy: boolean): Promise<readonly string[]> {
  const [name = "", ...words] = text.slice(1).trim().split(/\s+/)
  const command = SLASH_COMMANDS.find((one) => one.name === name)
  if (command === undefined) return [unknownText(name)]
  if (command.needsRest && isBusy) return [`/${name} has to wait until the turn is over; Ctrl-C stops it`]
  try {
    return await command.run(desk, words)
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    return [failureText(error)]
  }
}

/** Sentences are broken between words; what has colours was laid out already. */
function broken(line: string, columns: number): readonly string[] {
  return line.includes("\u001b") || cells(line) <= columns ? [line] : wrap(line, columns)
}

function unknownText(name: string): string {
  const near = nearest(
    name,
    SLASH_COMMANDS.map((one) => one.name),
  )
  const hint = near === undefined ? "/help lists them all." : `did you mean /${near}?`
  return `There is no command /${visible(name)}; ${hint} A blank before it sends it as a message.`
}

export interface Completion {
  readonly text: string
  /** What it could become, if that is not settled. */
  readonly candidates: readonly string[]
}

/** Completes the name of a command, or the word after it. */
export function completed(text: string): Completion {
  const [, name = "", gap = "", word = ""] = /^\/(\S*)(\s*)(\S*)$/.exec(text) ?? []
  if (!isSlash(text)) return { text, candidates: [] }
  if (gap === "")
    return choose(
      name,
      SLASH_COMMANDS.map((one) => one.name),
      "/",
    )
  const choices = SLASH_COMMANDS.find((one) => one.name === name)?.choices ?? []
  return choices.length === 0 ? { text, candidates: [] } : choose(word, choices, `/${name} `)
}

function choose(start: string, all: readonly string[], before: string): Completion {
  const fitting = all.filter((one) => one.startsWith(start))
  const [first = start] = fitting
  if (fitting.length <= 1)
    return { text: `${before}${first}${fitting.length === 1 ? " " : ""}`, candidates: [] }
  const shared = fitting.reduce((same, one) => {
    let at = 0
    while (at < same.length && same[at] === one[at]) at += 1
    return same.slice(0, at)
  }, first)
  return {
    text: `${before}${shared}`,
    candidates: fitting.map((one) => `${before.trim() === "/" ? "/" : ""}${one}`),
  }
}

async function help({ view }: Desk): Promise<readonly string[]> {
  return helpLines(view)
}

/** With what stands below it at most 24 lines, so that all of it is seen. */
export function helpLines(view: Pick<DeskView, "columns" | "colour">): readonly string[] {
  const paint = painter(view)
  const isNarrow = view.columns < 60
  const left = SLASH_COMMANDS.map(({ name, words }) =>
    isNarrow || words === undefined || words.length > 10 ? `/${name}` : `/${name} ${words}`,
  )
  const width = Math.max(...left.map((text) => text.length))
  const line = (start: string, text: string) => {
    const room = view.columns - width - 2
    return `${paint("bold", fitCell(start, width))}  ${fitCell(text, room).trimEnd()}`
  }
  return [
    ...SLASH_COMMANDS.map((command, at) => line(left[at] ?? "", command.help)),
    line(
      "!cmd",
      isNarrow ? "run cmd; !!cmd tells nobody" : "run a command and tell the model; !!cmd only runs it",
    ),
    ...wrap(KEYS, view.columns).map((text) => paint("dim", text)),
  ]
}

const KEYS =
  "Alt-Enter or Ctrl-J: new line. Tab: complete. Ctrl-O: results of the last turn. Ctrl-C: stop, twice: leave."

async function plan({ talk, change }: Desk): Promise<readonly string[]> {
  change({ isPlanning: !talk.isPlanning })
  return [talk.isPlanning ? "plan mode is off" : "plan mode is on: the agent plans and changes nothing"]
}

async function as(desk: Desk, [user]: readonly string[]): Promise<readonly string[]> {
  const { as: _now, ...from } = desk.talk.from
  desk.change({ from: user === undefined ? from : { ...from, as: user } })
  await desk.enter(desk.agent.sessions(desk.talk.from)[0]?.id)
  const trust = desk.talk.prompt?.plan.audience.trust
  return [`now ${user === undefined ? "the owner" : visible(user)}, at ${trust} trust`]
}

async function begin(desk: Desk): Promise<readonly string[]> {
  await desk.enter(undefined)
  return ["the next message begins a new session"]
}

async function reload(desk: Desk): Promise<readonly string[]> {
  await desk.agent.reload()
  await desk.refresh()
  return ["the workspace was read again; the next turn begins a new epoch"]
}

async function quit({ leave }: Desk): Promise<readonly string[]> {
  leave()
  return []
}
