// The chat command about messages that wait to be tried again.
import type { QueuedMessage } from "../../../agent/inbox/message/queued-message.ts"
import { IncipitError } from "../../../base/error.ts"
import { queueLines } from "../../views/queue-view.ts"
import type { ChatContext } from "../chat-context.ts"
import { visible } from "../screen/visible.ts"
import type { CommandResult } from "./slash-command.ts"

export async function queue(
  { agent, talk, view }: ChatContext,
  [verb, word, ...rest]: readonly string[],
): Promise<readonly string[] | CommandResult | undefined> {
  const queued = await agent.queue.list(talk.from)
  if (verb === undefined) return queued.length === 0 ? ["no messages are queued"] : queueLines(queued, view)
  if (word === undefined || rest.length > 0) return undefined
  if (verb === "drop") {
    const { turn, text } = named(queued, word)
    await agent.queue.drop(turn, talk.from)
    return [`dropped "${visible(text.trim().replaceAll(/\s+/g, " "))}"`]
  }
  if (verb !== "retry") return undefined
  return { lines: [], retry: named(queued, word).turn }
}

function named(queued: readonly QueuedMessage[], word: string): QueuedMessage {
  const found = queued.filter(({ turn }) => turn.startsWith(word))
  const [one] = found
  if (one !== undefined && found.length === 1) return one
  throw new IncipitError(
    "bad-argument",
    one === undefined
      ? `no queued message begins with "${word}"; /queue lists them`
      : `${found.length} queued messages begin with "${word}"`,
  )
}
