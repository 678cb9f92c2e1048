// `incipit queue`: the messages that could not be answered yet. Lists them, tries them again, or takes them out.
import { type QueuedMessage, queuedOf } from "../../../agent/inbox/message/queued-message.ts"
import type { RunningAgent } from "../../../agent/setup/agent.ts"
import { IncipitError } from "../../../base/error.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { agentOptions } from "../../command-line/agent-flags.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { queueLines } from "../../views/queue-view.ts"
import { oneLine } from "../../views/widths.ts"
import { withExistingStore } from "../serve/serve-store.ts"
import { openFolder } from "../workspace/folder-question.ts"
import { hasStore, openedState } from "./state-place.ts"

const NOTHING = "No messages are queued.\n"

export async function list({ flags, terminal }: Invocation<"queue list">): Promise<number> {
  const { id } = openWorkspace(workspaceFolder(flags, terminal), { agent: flags.agent })
  const queued =
    (await withExistingStore(flags, terminal, async ({ inbox }) =>
      queuedOf(await inbox.open(id), terminal.now()),
    )) ?? []
  if (queued.length === 0 && !flags.json) terminal.err(NOTHING)
  else print({ flags, terminal }, queued.map(reportOf), () => queueLines(queued, terminal))
  return 0
}

export async function retry({ words, flags, terminal }: Invocation<"queue retry">): Promise<number> {
  return withQueue(flags, terminal, words, async (agent, wanted) => {
    let status = 0
    for (const { turn } of wanted) {
      const isStillThere = (await agent.queue.list()).some((one) => one.turn === turn)
      // One after it in its session, tried first, has answered it already.
      if (!isStillThere) continue
      const reply = await agent.queue.retry(turn, { deliver: () => terminal.drained() })
      if (reply.state !== "answered" && reply.state !== "silent") status = 2
      if (flags.json) terminal.out(`${JSON.stringify({ turn, state: reply.state, text: reply.text })}\n`)
      else if (reply.state === "answered") terminal.out(`${reply.text}\n`)
      else if (reply.state !== "silent") terminal.err(`${turn}: ${oneLine(reply.text)}\n`)
    }
    return status
  })
}

export async function drop({ words, flags, terminal }: Invocation<"queue drop">): Promise<number> {
  return withQueue(flags, terminal, words, async (agent, wanted) => {
    for (const { turn } of wanted) await agent.queue.drop(turn)
    const left = await agent.queue.list()
    const sessions = wanted.map(({ session }) => session)
    const behind = left.filter(({ session }) => sessions.includes(session))
    print({ flags, terminal }, { dropped: wanted.map(({ turn }) => turn), left: left.map(reportOf) }, () => [
      ...wanted.map(({ turn, text }) => `dropped ${turn} "${start(text)}"`),
      ...behind.map(({ turn, text }) => {
        const next = asTyped(`incipit queue retry ${turn}`, terminal)
        return `next in its session: ${turn} "${start(text)}"; ${next}`
      }),
    ])
    return 0
  })
}

type QueueFlags = FlagsOf<"queue retry">

/** Opens the agent if there is something to do. No words mean all messages. */
async function withQueue(
  flags: QueueFlags,
  terminal: Terminal,
  words: readonly string[],
  work: (agent: RunningAgent, wanted: readonly QueuedMessage[]) => Promise<number>,
): Promise<number> {
  // Opening the agent would create it.
  if (!hasStore(flags, terminal)) return nothingFor(words, terminal)
  await openFolder(flags, terminal)
  // Imported here because it brings the AI SDK.
  const { openAgent } = await import("../../../agent/setup/open.ts")
  const agent = await openAgent({
    ...agentOptions(flags, terminal),
    state: await openedState(flags, terminal),
    // Answers to other messages stay in the store.
    deliver: () => false,
  })
  try {
    const queued = await agent.queue.list()
    const wanted = words.length === 0 ? queued : words.map((word) => named(queued, word))
    return wanted.length === 0 ? nothingFor(words, terminal) : await work(agent, wanted)
  } finally {
    await agent.close()
  }
}

function nothingFor([first]: readonly string[], terminal: Terminal): number {
  if (first !== undefined) throw notQueued(first)
  terminal.err(NOTHING)
  return 0
}

function named(queued: readonly QueuedMessage[], word: string): QueuedMessage {
  const found = queued.filter(({ turn }) => turn.startsWith(word))
  const [one] = found
  if (one === undefined) throw notQueued(word)
  if (found.length === 1) return one
  throw new IncipitError("bad-argument", `"${word}" is the start of ${found.length} messages`)
}

function notQueued(word: string): IncipitError {
  return new IncipitError("not-queued", `there is no queued message "${word}"`)
}

function reportOf({ at, notBefore, error, behind, ...rest }: QueuedMessage) {
  return {
    ...rest,
    received: iso(at),
    next: notBefore === undefined ? null : iso(notBefore),
    error: error ?? null,
    behind: behind ?? null,
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

function start(text: string): string {
  const line = oneLine(text.trim())
  return line.length <= MOST ? line : `${line.slice(0, MOST - 1)}…`
}

const MOST = 50
