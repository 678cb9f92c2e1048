// What a chat command can reach: the agent, the conversation so far, and the width of the screen.
import type { RunningAgent, SendOptions } from "../../agent/setup/agent.ts"
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Page } from "../views/page.ts"
import { afterEvent, answeredWith, inSession, NO_FIGURES, type Talk, withPrompt, withSpent } from "./talk.ts"

export interface ChatView extends Page {
  readonly timeZone: string
  readonly now: () => number
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

export function openChatContext({ agent, view, start, leave }: ChatContextOptions): ChatContext {
  const empty: Talk = {
    ...start,
    prompt: undefined,
    isFresh: true,
    tools: [],
    figures: NO_FIGURES,
  }
  let talk: Talk = start.session === undefined ? empty : inSession(empty, start.session, agent, view.timeZone)
  let isUnsettled = false
  const settle = async () => {
    if (!isUnsettled) return
    isUnsettled = false
    await agent.record.flushIfFree()
    talk = withSpent(talk, agent, view.timeZone)
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
      talk = { ...inSession(talk, session, agent, view.timeZone), isNew: session === undefined }
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
