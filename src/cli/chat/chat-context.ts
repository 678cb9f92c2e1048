// What a chat command can reach: the agent, the conversation so far, and the width of the screen.
import type { RunningAgent, SendOptions } from "../../agent/setup/agent.ts"
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Terminal } from "../terminal.ts"
import type { Page } from "../views/page.ts"
import {
  afterEvent,
  answeredWith,
  inSession,
  NO_FIGURES,
  spentIn,
  type Talk,
  withPrompt,
  withSpent,
} from "./talk.ts"

export interface ChatView extends Page {
  readonly timeZone: string
  readonly now: () => number
  /** The working directory, to which the paths of attached files are relative. */
  readonly cwd: string
  /** How the program was started decides how a command is written. */
  readonly env: Terminal["env"]
}

export interface ChatContext {
  readonly agent: RunningAgent
  readonly view: ChatView
  readonly talk: Talk
  change(changes: Partial<Talk>): void
  take(event: LiveEvent): void
  /** A turn was answered with this prompt. */
  answered(prompt: Prompt | undefined): void
  /** Continues in another session, or begins a new one. */
  enter(session: string | undefined): Promise<void>
  /** Updates the current prompt: that of the last step, else the one that a message would get. */
  refresh(): Promise<void>
  /** Adds the cost of calls outside of steps, once the record has them. */
  settle(): Promise<void>
  leave(): void
}

export interface ChatContextOptions {
  readonly agent: RunningAgent
  readonly view: ChatView
  readonly start: Pick<Talk, "from" | "session" | "isNew" | "isPlanning">
  readonly leave: () => void
}

export async function openChatContext({
  agent,
  view,
  start,
  leave,
}: ChatContextOptions): Promise<ChatContext> {
  const empty: Talk = {
    ...start,
    prompt: undefined,
    isFresh: true,
    tools: [],
    figures: NO_FIGURES,
  }
  let talk: Talk = start.session === undefined ? empty : inSession(empty, start.session)
  const addSpent = async () => {
    const spent = await spentIn(talk, agent, view.timeZone)
    talk = withSpent(talk, spent)
  }
  await addSpent()
  let isUnsettled = false
  const settle = async () => {
    if (!isUnsettled) return
    isUnsettled = false
    await agent.record.flushIfFree()
    await addSpent()
  }
  const refresh = async () => {
    await settle()
    talk = withPrompt(talk, await agent.preview("", sendOptions(talk)))
  }
  return {
    agent,
    view,
    get talk() {
      return talk
    },
    change(changes) {
      talk = { ...talk, ...changes }
    },
    take(event) {
      talk = afterEvent(talk, event)
      // A separate call wrote the summary.
      isUnsettled ||= event.kind === "compacted"
    },
    answered(prompt) {
      if (prompt !== undefined) talk = answeredWith(talk, prompt)
    },
    async enter(session) {
      talk = inSession(talk, session)
      await addSpent()
      await refresh()
    },
    refresh,
    settle,
    leave,
  }
}

/** The options for sending a message of this talk. */
export function sendOptions({ from, session, isNew, isPlanning }: Talk): SendOptions {
  return {
    ...from,
    planMode: isPlanning,
    ...(isNew ? { isNew } : session !== undefined && { session }),
  }
}
