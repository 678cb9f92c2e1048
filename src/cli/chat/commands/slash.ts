// The slash commands of a chat as one table, and the code that runs them. Help and completion are generated from it.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { nearest } from "../../../base/nearest.ts"
import type { Desk } from "../desk.ts"
import { failureText } from "../failure.ts"
import { broken } from "../screen/lines.ts"
import { visible } from "../screen/visible.ts"
import { compact, context, memory, model, notices, prompts, sessions, skills } from "./agent.ts"
import { helpLines, helpOn } from "./help.ts"
import { profile, tasks, workflow, workflowNames } from "./kept.ts"
import { plan, planNames } from "./plan.ts"
import { cost, diff, trace, why } from "./record.ts"
import type { CommandResult, SlashCommand } from "./slash-command.ts"
import { as, begin, quit, reload } from "./talk.ts"
import { toolNames, tools } from "./tools.ts"

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "context", help: "what fills the window", run: context },
  {
    name: "cost",
    help: "what was spent",
    forms: [
      { words: "", help: "what the turns of this session cost" },
      {
        words: "KEY",
        help: `all that is recorded, by ${COST_KEYS.slice(0, -1).join(", ")} or ${COST_KEYS.at(-1)}`,
      },
    ],
    choices: COST_KEYS,
    run: cost,
  },
  {
    name: "trace",
    help: "a turn, step by step",
    forms: [{ words: "[TURN]", help: "the last turn, or the one that is named, step by step" }],
    run: trace,
  },
  {
    name: "why",
    help: "why a cache miss, or a text",
    forms: [
      { words: "", help: "the last call of this session that missed the cache, and what that cost" },
      { words: "TURN", help: "what a turn read from the cache" },
      { words: "WHAT", help: "why a section, a file or a text is in the prompt, or is not" },
    ],
    run: why,
  },
  {
    name: "diff",
    help: "how two prompts differ",
    forms: [
      { words: "", help: "how the prompts of the last two turns differ" },
      { words: "TURN TURN", help: "how those of two turns differ" },
    ],
    run: diff,
  },
  {
    name: "tools",
    help: "the tools, on and off",
    forms: [
      { words: "", help: "the tools that the model has, with what each costs in tokens" },
      { words: "off NAME", help: "takes some away in this session, and says what that rewrites" },
      { words: "on NAME", help: "gives them back" },
      { words: "last", help: "what the tools of the last turn gave back" },
    ],
    names: toolNames,
    run: tools,
  },
  { name: "skills", help: "the skills", run: skills },
  { name: "prompts", help: "prompts to call by name", run: prompts },
  {
    name: "memory",
    help: "the stores, or a search",
    forms: [
      { words: "", help: "the stores of memory" },
      { words: "WORDS", help: "finds these words in what you may see" },
    ],
    run: memory,
  },
  {
    name: "plan",
    help: "plan mode, and plans",
    forms: [
      { words: "", help: "plan mode on or off: the agent plans and changes nothing" },
      { words: "list", help: "the plans there are" },
      { words: "show [NAME]", help: "a plan, else the newest" },
      { words: "approve [NAME]", help: "approves it, leaves plan mode and has it carried out" },
      { words: "change [NAME]", help: "opens it for changes; Enter keeps them" },
      { words: "done [NAME]", help: "marks it as done" },
    ],
    names: planNames,
    run: plan,
  },
  {
    name: "tasks",
    help: "what is to be done",
    forms: [
      { words: "", help: "open tasks" },
      { words: "all", help: "tasks that are done or dropped, too" },
    ],
    run: tasks,
  },
  {
    name: "workflow",
    help: "the step you are at",
    forms: [
      { words: "", help: "the workflows there are, and where you are" },
      { words: "start NAME", help: "begins one" },
      { words: "next", help: "goes on: the step is done" },
      { words: "back", help: "goes one step back" },
      { words: "stop", help: "leaves the workflow" },
    ],
    names: workflowNames,
    run: workflow,
  },
  {
    name: "profile",
    help: "how you write, as learned",
    forms: [
      { words: "", help: "what was learned of how you write" },
      { words: "erase", help: "forgets it" },
    ],
    run: profile,
  },
  { name: "notices", help: "what the agent told you", run: notices },
  {
    name: "sessions",
    help: "the sessions",
    forms: [
      { words: "", help: "your sessions" },
      { words: "ID", help: "goes on with one; the start of its id is enough" },
    ],
    names: async ({ agent, talk }) => (await agent.sessions(talk.from)).map(({ id }) => id),
    needsRest: true,
    run: sessions,
  },
  { name: "new", help: "begin a new session", needsRest: true, run: begin },
  {
    name: "as",
    help: "talk as somebody else",
    forms: [
      { words: "USER", help: "talk as a user of incipit.yaml, in a session of theirs" },
      { words: "", help: "talk as the owner again" },
    ],
    names: ({ agent }) => agent.users(),
    needsRest: true,
    run: as,
  },
  {
    name: "model",
    help: "the model",
    forms: [
      { words: "", help: "the model that answers" },
      { words: "ID", help: "another one, as provider/model, from the next turn on" },
    ],
    needsRest: true,
    run: model,
  },
  { name: "compact", help: "a shorter conversation", needsRest: true, run: compact },
  { name: "reload", help: "read the workspace again", needsRest: true, run: reload },
  {
    name: "help",
    help: "this list",
    forms: [
      { words: "", help: "all commands" },
      { words: "NAME", help: "what one of them takes" },
      { words: "keys", help: "the keys" },
    ],
    names: () => SLASH_COMMANDS.map(({ name }) => name),
    run: help,
  },
  { name: "quit", help: "leave", run: quit },
]

async function help({ view }: Desk, [name]: readonly string[]): Promise<readonly string[] | undefined> {
  if (name === undefined) return helpLines(SLASH_COMMANDS, view)
  return helpOn(name.replace(/^\//, ""), SLASH_COMMANDS, view)
}

export function isSlash(text: string): boolean {
  return /^\/(\S|$)/.test(text)
}

/** Runs a command and returns its result. Failures are shown as text, and the chat continues. */
export async function runSlash(desk: Desk, text: string, isBusy: boolean): Promise<CommandResult> {
  const said = await answerTo(desk, text, isBusy)
  return { ...said, lines: said.lines.flatMap((line) => broken(line, desk.view.columns)) }
}

async function answerTo(desk: Desk, text: string, isBusy: boolean): Promise<CommandResult> {
  const [, first = "", body = ""] = /^\/(.*)\n?([\s\S]*)$/.exec(text) ?? []
  const [name = "", ...words] = first.trim().split(/\s+/)
  const command = SLASH_COMMANDS.find((one) => one.name === name)
  if (command === undefined) return calledPrompt(desk, name, text) ?? { lines: [unknownText(name, desk)] }
  if (command.needsRest && isBusy)
    return { lines: [`/${name} has to wait until the turn is over; Ctrl-C stops it`] }
  try {
    const said = await command.run(desk, words, body)
    if (said === undefined) return { lines: usage(command, words, desk) }
    return "lines" in said ? said : { lines: said }
  } catch (error) {
    const failure = failureText(error)
    if (failure === undefined) throw error
    return { lines: [failure] }
  }
}

/** A reusable prompt called by name is sent as the message that it becomes. */
function calledPrompt({ agent, talk }: Desk, name: string, typed: string): CommandResult | undefined {
  const given = typed.slice(1).trimStart().slice(name.length)
  const text = agent.promptText(name, given, talk.from)
  return text === undefined ? undefined : { lines: [], send: { text, shown: typed } }
}

function unknownText(name: string, { agent, talk }: Desk): string {
  const [near] = nearest(
    name,
    [...SLASH_COMMANDS, ...agent.prompts(talk.from)].map((one) => one.name),
  )
  const hint = near === undefined ? "/help lists them all." : `did you mean /${near}?`
  return `There is no command /${visible(name)}; ${hint} A blank before it sends it as a message.`
}

function usage({ name }: SlashCommand, words: readonly string[], { view }: Desk): readonly string[] {
  const given = `/${name} ${visible(words.join(" "))}`
  return [`${given} is none of these:`, ...(helpOn(name, SLASH_COMMANDS, view) ?? [])]
}
