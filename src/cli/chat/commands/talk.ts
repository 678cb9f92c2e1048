// Chat commands that change the user or the session, or end it.
import type { Forked } from "../../../agent/branch/forked.ts"
import { plural } from "../../../base/text/figures.ts"
import type { ChatContext } from "../chat-context.ts"
import { visible } from "../screen/visible.ts"
import type { CommandResult } from "./slash-command.ts"

/** Switches to a session of that user: the most recent one, else a new one. */
export async function as(chat: ChatContext, [user]: readonly string[]): Promise<readonly string[]> {
  const { as: _now, ...from } = chat.talk.from
  chat.change({ from: user === undefined ? from : { ...from, as: user } })
  const [last] = await chat.agent.sessions(chat.talk.from)
  await chat.enter(last?.id)
  const trust = chat.talk.prompt?.plan.audience.trust
  const who = user === undefined ? "the owner" : visible(user)
  const isStranger = user !== undefined && !chat.agent.users().includes(user)
  return [
    `now talking as ${who}${isStranger ? ", who is not in incipit.yaml" : ""}, with ${trust} trust`,
    last === undefined
      ? "the next message starts their first session"
      : `continuing "${visible(last.title)}", ${plural(last.turns, "turn")}`,
  ]
}

export async function begin(chat: ChatContext): Promise<readonly string[]> {
  await chat.enter(undefined)
  return ["the next message starts a new session"]
}

const NOTHING_SAID = ["nothing was said in this session yet"]

export async function undo(chat: ChatContext): Promise<readonly string[] | CommandResult> {
  const { session, from } = chat.talk
  return session === undefined ? NOTHING_SAID : enterFork(chat, await chat.agent.undo(session, from))
}

export async function fork(
  chat: ChatContext,
  [at]: readonly string[],
): Promise<readonly string[] | CommandResult> {
  const { session, from } = chat.talk
  if (session === undefined) return NOTHING_SAID
  return enterFork(chat, await chat.agent.fork(session, { ...from, ...(at !== undefined && { at }) }))
}

async function enterFork(chat: ChatContext, { session, from, message }: Forked): Promise<CommandResult> {
  await chat.enter(session)
  const lines = [`now in a new session; /sessions ${from} goes back to the other one`]
  return message === undefined ? { lines } : { lines, write: message }
}

export async function reload(chat: ChatContext): Promise<readonly string[]> {
  await chat.agent.reload()
  await chat.refresh()
  return ["workspace reloaded; the next turn rebuilds the prompt"]
}

export async function quit({ leave }: ChatContext): Promise<readonly string[]> {
  leave()
  return []
}
