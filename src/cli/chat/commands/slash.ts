// The slash commands of a chat as one table, and the code that runs them. Help and completion are generated from it.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { nearest } from "../../../base/nearest.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { ChatContext } from "../chat-context.ts"
import { failureText } from "../failure.ts"
import { broken } from "../screen/lines.ts"
import { visible } from "../screen/visible.ts"
import { compact, context, memory, model, notices, prompts, sessions, skills } from "./agent.ts"
import { helpLines, helpOn } from "./help.ts"
import { profile, tasks, workflow, workflowNames } from "./personal.ts"
import { plan, planNames } from "./plan.ts"
import { queue } from "./queue.ts"
import { cost, diff, trace, why } from "./record.ts"
import type { CommandResult, SlashCommand } from "./slash-command.ts"
import { as, begin, fork, quit, reload, undo } from "./talk.ts"
import { toolNames, tools } from "./tools.ts"

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "context", help: "show what fills the window", run: context },
  {
    name: "cost",
    help: "show what was spent",
    forms: [
      { words: "", help: "show what the turns of this session cost" },
      {
        words: "KEY",
        help: `show all recorded costs, by ${COST_KEYS.slice(0, -1).join(", ")} or ${COST_KEYS.at(-1)}`,
      },
    ],
    choices: COST_KEYS,
    run: cost,
  },
  {
    name: "trace",
    help: "show a turn step by step",
    forms: [{ words: "[TURN]", help: "show the last turn, or the named one, step by step" }],
    run: trace,
  },
  {
    name: "why",
    help: "explain a cache miss or text",
    forms: [
      { words: "", help: "explain the last cache miss of this session, and what it cost" },
      { words: "TURN", help: "explain what a turn read from the cache" },
      { words: "WHAT", help: "explain why a section, a file or a text is in the prompt or isn't" },
    ],
    run: why,
  },
  {
    name: "diff",
    help: "compare two prompts",
    forms: [
      { words: "", help: "compare the prompts of the last two turns" },
      { words: "TURN TURN", help: "compare the prompts of two turns" },
    ],
    run: diff,
  },
  {
    name: "tools",
    help: "list tools, switch them",
    forms: [
      { words: "", help: "list the model's tools, with the tokens that each costs" },
      { words: "off NAME", help: "switch tools off in this session, and show what is cached again" },
      { words: "on NAME", help: "switch tools on again" },
      { words: "last", help: "show the tool results of the last turn" },
    ],
    names: toolNames,
    run: tools,
  },
  { name: "skills", help: "list the skills", run: skills },
  { name: "prompts", help: "list prompts to call by name", run: prompts },
  {
    name: "memory",
    help: "list or search memory",
    forms: [
      { words: "", help: "list the memory stores" },
      { words: "WORDS", help: "search the memory that you can see" },
    ],
    run: memory,
  },
  {
    name: "plan",
    help: "make and approve plans",
    forms: [
      { words: "", help: "turn plan mode on or off: plan without changing anything" },
      { words: "list", help: "list the plans" },
      { words: "show [NAME]", help: "show a plan (default: the newest)" },
      { words: "approve [NAME]", help: "approve it, leave plan mode and run it" },
      { words: "change [NAME]", help: "open it for editing; Enter saves it" },
      { words: "done [NAME]", help: "mark it as done" },
    ],
    names: planNames,
    run: plan,
  },
  {
    name: "tasks",
    help: "list your tasks",
    forms: [
      { words: "", help: "list the open tasks" },
      { words: "all", help: "also list the tasks that are done or dropped" },
    ],
    run: tasks,
  },
  {
    name: "workflow",
    help: "follow a workflow",
    forms: [
      { words: "", help: "list the workflows and the current step" },
      { words: "start NAME", help: "start a workflow" },
      { words: "next", help: "finish the step and go to the next one" },
      { words: "back", help: "go one step back" },
      { words: "stop", help: "stop the workflow" },
    ],
    names: workflowNames,
    run: workflow,
  },
  {
    name: "profile",
    help: "show how you write",
    forms: [
      { words: "", help: "show what was learned about how you write" },
      { words: "erase", help: "delete it" },
    ],
    run: profile,
  },
  { name: "notices", help: "list the agent's notices", run: notices },
  {
    name: "queue",
    help: "messages that wait",
    forms: [
      { words: "", help: "list your messages that could not be answered yet, and why" },
      { words: "retry ID", help: "try one again at once; the start of its id is enough" },
      { words: "drop ID", help: "take one out of the queue" },
    ],
    names: async ({ agent, talk }) => (await agent.queue.list(talk.from)).map(({ turn }) => turn),
    run: queue,
  },
  {
    name: "sessions",
    help: "list or switch sessions",
    forms: [
      { words: "", help: "list your sessions" },
      { words: "ID", help: "continue this session; the start of its id is enough" },
    ],
    names: async ({ agent, talk }) => (await agent.sessions(talk.from)).map(({ id }) => id),
    needsRest: true,
    run: sessions,
  },
  { name: "new", aliases: ["clear"], help: "start a new session", needsRest: true, run: begin },
  {
    name: "undo",
    help: "take back a message",
    forms: [{ words: "", help: "go back to before your last message; it is put into the composer" }],
    needsRest: true,
    run: undo,
  },
  {
    name: "fork",
    help: "branch off a session",
    forms: [
      { words: "", help: "continue in a copy of this session; /sessions goes back to the other one" },
      { words: "TURN", help: "continue from before the message of this turn" },
    ],
    needsRest: true,
    run: fork,
  },
  {
    name: "as",
    help: "talk as another user",
    forms: [
      { words: "USER", help: "talk as a user from incipit.yaml, in one of their sessions" },
      { words: "", help: "talk as the owner again" },
    ],
    names: ({ agent }) => agent.users(),
    needsRest: true,
    run: as,
  },
  {
    name: "model",
    help: "show or switch the model",
    forms: [
      { words: "", help: "show the model in use" },
      { words: "ID", help: "use this model (provider/model) from the next turn on" },
    ],
    needsRest: true,
    run: model,
  },
  { name: "compact", help: "shorten the conversation", needsRest: true, run: compact },
  { name: "reload", help: "reload the workspace", needsRest: true, run: reload },
  {
    name: "help",
    help: "show this list",
    forms: [
      { words: "", help: "list all commands" },
      { words: "NAME", help: "explain a command" },
      { words: "keys", help: "list the keys" },
    ],
    names: () => SLASH_COMMANDS.map(({ name }) => name),
    run: help,
  },
  { name: "quit", aliases: ["exit", "q"], help: "quit the chat", run: quit },
]

async function help(
  { view }: ChatContext,
  [name]: readonly string[],
): Promise<readonly string[] | undefined> {
  if (name === undefined) return helpLines(SLASH_COMMANDS, view)
  return helpOn(name.replace(/^\//, ""), SLASH_COMMANDS, view)
}

export function isSlash(text: string): boolean {
  return /^\/(\S|$)/.test(text) || isQuit(text)
}

/** The bare word, too: who is stuck in a program types it. */
export function isQuit(text: string): boolean {
  const [, word] = /^(?:\/(\S+)|quit|exit)$/.exec(text.trim()) ?? []
  return word === undefined ? /^(?:quit|exit)$/.test(text.trim()) : commandNamed(word)?.name === "quit"
}

function commandNamed(name: string): SlashCommand | undefined {
  return SLASH_COMMANDS.find((one) => one.name === name || one.aliases?.includes(name))
}

/** Runs a command and returns its result. Failures are shown as text, and the chat continues. */
export async function runSlash(chat: ChatContext, text: string, isBusy: boolean): Promise<CommandResult> {
  const said = await answerTo(chat, text, isBusy)
  return { ...said, lines: said.lines.flatMap((line) => broken(line, chat.view.columns)) }
}

async function answerTo(chat: ChatContext, text: string, isBusy: boolean): Promise<CommandResult> {
  const [, first = "", body = ""] = /^\/?(.*)\n?([\s\S]*)$/.exec(text) ?? []
  const [name = "", ...words] = first.trim().split(/\s+/)
  const command = commandNamed(name)
  if (command === undefined) return calledPrompt(chat, name, text) ?? { lines: [unknownText(name, chat)] }
  if (command.needsRest && isBusy) return { lines: [duringTurn(name)] }
  try {
    const said = await command.run(chat, words, body)
    if (said === undefined) return { lines: usage(command, words, chat) }
    if (!("lines" in said)) return { lines: said }
    return said.retry !== undefined && isBusy ? { lines: [duringTurn(name)] } : said
  } catch (error) {
    const failure = failureText(error)
    if (failure === undefined) throw error
    return { lines: [asTyped(failure, chat.view)] }
  }
}

function duringTurn(name: string): string {
  return `/${name} cannot run during a turn; Ctrl-C stops the turn`
}

/** A reusable prompt called by name is sent as the message that it becomes. */
function calledPrompt({ agent, talk }: ChatContext, name: string, typed: string): CommandResult | undefined {
  const given = typed.slice(1).trimStart().slice(name.length)
  const text = agent.promptText(name, given, talk.from)
  return text === undefined ? undefined : { lines: [], send: { text, shown: typed } }
}

function unknownText(name: string, { agent, talk }: ChatContext): string {
  const [near] = nearest(
    name,
    [...SLASH_COMMANDS, ...agent.prompts(talk.from)].map((one) => one.name),
  )
  const hint = near === undefined ? "/help lists the commands." : `did you mean /${near}?`
  return `Unknown command /${visible(name)}; ${hint} To send it as a message, put a space before it.`
}

function usage({ name }: SlashCommand, words: readonly string[], { view }: ChatContext): readonly string[] {
  const given = `/${name} ${visible(words.join(" "))}`
  return [`${given} isn't valid; use one of these:`, ...(helpOn(name, SLASH_COMMANDS, view) ?? [])]
}
