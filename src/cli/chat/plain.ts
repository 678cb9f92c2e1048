// A chat without a terminal: one message per line or fenced block. Answers go to stdout, everything else to stderr, and
// nothing is drawn.
import { createInterface } from "node:readline"
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { LiveEvent, SentReply } from "../../agent/turn/live-event.ts"
import type { Streams, Terminal } from "../terminal.ts"
import { painter } from "../views/colour.ts"
import { openChatContext, sendOptions } from "./chat-context.ts"
import { parseUserCommand, runUserCommand } from "./commands/shell.ts"
import { isSlash, runSlash } from "./commands/slash.ts"
import { failureText } from "./failure.ts"
import { visible } from "./screen/visible.ts"
import type { ChatOptions } from "./terminal-chat.ts"
import { type ToolUse, toolLine } from "./tool-line.ts"

type LineOptions = Omit<ChatOptions, "history" | "isScheduled">

export async function chatInLines(options: LineOptions): Promise<void> {
  const { open, terminal } = options
  const say = (text: string) => terminal.err(`${text}\n`)
  // Nobody can be asked here, so requests for approval are refused.
  const agent = await open({
    notify: (text) => say(`! ${text.split("\n").map(visible).join("\n  ")}`),
    trouble: (text) => say(visible(text)),
    deliver: ({ text }) => say(`answer to an earlier message:\n${plainText(text)}`),
  })
  try {
    await talkInLines(agent, options, say)
  } finally {
    await agent.close()
  }
}

async function talkInLines(
  agent: RunningAgent,
  { start, terminal, streams }: LineOptions,
  say: (text: string) => void,
): Promise<void> {
  let hasLeft = false
  const { columns, timeZone, now, cwd, env } = terminal
  const view = { columns, colour: false, timeZone, now, cwd, env }
  const leave = () => {
    hasLeft = true
  }
  const chat = await openChatContext({ agent, view, start: await start(agent), leave })
  await chat.refresh()
  // A person may be typing, although nothing can be drawn.
  const isTyped = streams.input.isTTY === true
  const ready = () => isTyped && terminal.err("> ")
  if (isTyped) say(greeting(agent))
  ready()
  for await (const text of messagesOf(streams.input)) {
    await guarded(() => answered(text))
    if (hasLeft) break
    ready()
  }
  if (isTyped && !hasLeft) say("")

  /** Reports a failure and continues with the next line. */
  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const failure = failureText(error)
      if (failure === undefined) throw error
      say(failure)
    }
  }

  async function answered(text: string): Promise<void> {
    const command = parseUserCommand(text)
    if (isSlash(text)) await commanded(text)
    else if (command !== undefined) terminal.out(`${(await runUserCommand(chat, command)).join("\n")}\n`)
    else await sent(text)
  }

  /** There is no composer, so a text to edit is only shown. */
  async function commanded(text: string): Promise<void> {
    const { lines, send, write, retry } = await runSlash(chat, text, false)
    for (const line of write === undefined ? lines : write.split("\n").map(visible)) terminal.out(`${line}\n`)
    if (send !== undefined) await sent(send.text)
    const { from } = chat.talk
    if (retry !== undefined) await shown((observe) => agent.queue.retry(retry, { from, observe }))
  }

  function sent(text: string): Promise<void> {
    return shown((observe) => agent.send(text, { ...sendOptions(chat.talk), observe }))
  }

  async function shown(answer: (observe: (event: LiveEvent) => void) => Promise<SentReply>): Promise<void> {
    const tools = new Map<string, ToolUse>()
    const tell = (event: LiveEvent) => {
      chat.take(event)
      for (const line of eventLines(event, tools, terminal)) say(line)
    }
    const reply = await answer(tell)
    chat.answered(reply.prompt)
    if (reply.state === "answered") terminal.out(`${plainText(reply.text)}\n`)
    else if (reply.state !== "silent") say(plainText(reply.text === "" ? reply.state : reply.text))
    chat.change({ tools: [...tools.values()] })
  }
}

function greeting({ name, model }: RunningAgent): string {
  return `${visible(name)} · ${model.id} · each line is a message, /help lists commands, Ctrl-D quits\nwithout a terminal, actions that need your approval are refused`
}

function plainText(text: string): string {
  return text.trimEnd().split(/\r?\n/).map(visible).join("\n")
}

function eventLines(event: LiveEvent, tools: Map<string, ToolUse>, terminal: Terminal): readonly string[] {
  if (event.kind === "tool-started") {
    const { call, name, input } = event
    tools.set(call, { call, name, input })
    return []
  }
  if (event.kind === "tool-finished") {
    const { call, name, text, isError, durationMs } = event
    const use = {
      ...(tools.get(call) ?? { call, name, input: undefined }),
      result: { text, isError, durationMs },
    }
    tools.set(call, use)
    return [toolLine(use, terminal.columns, painter({ colour: false }))]
  }
  if (event.kind === "retrying") return [`retrying: ${visible(event.why)}`]
  if (event.kind === "plan-saved") return [`plan saved as ${visible(event.name)}; /plan approve runs it`]
  return event.kind === "diagnostic" ? [visible(event.text)] : []
}

const FENCE = /^```\s*$/

/** Skips blank lines; the fences are not part of a message. */
async function* messagesOf(input: Streams["input"]): AsyncGenerator<string> {
  let block: string[] | undefined
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const isFence = FENCE.test(line)
    if (block === undefined) {
      if (isFence) block = []
      else if (line.trim() !== "") yield line
    } else if (isFence) {
      if (block.some((text) => text.trim() !== "")) yield block.join("\n")
      block = undefined
    } else block.push(line)
  }
  // The end of the input closes an open block.
  if (block?.some((text) => text.trim() !== "")) yield block.join("\n")
}
