// A host keeps its own conversation, without our turn context. Before each call, this finds how far its conversation is
// the one that was sent before, so that turn context stays where it was and keeps its bytes.
import { canonicalJson } from "../../base/digest.ts"
import { isSent, type Message, type MessagePart } from "../../core/model/message.ts"
import { type ChatState, NEW_CHAT } from "../../prompt/chat-state.ts"
import { isOnlyTail, isTail } from "./sent-items.ts"

export interface TakenUp {
  /** The conversation up to the newest call that it still contains, as it was sent. */
  readonly state: ChatState
  /** What the host has added since. */
  readonly added: readonly Message[]
}

/**
 * `states`: after each of the last calls, oldest first. A conversation that has another beginning, as after a compaction,
 * begins again: everything is sent once more. `messages` are guarded, as those that were sent.
 */
export function takeUp(states: readonly ChatState[], messages: readonly Message[]): TakenUp {
  const found = states.findLast((state) => isBeginning(state.messages, messages))
  if (found !== undefined && found.messages.length > 0)
    return { state: found, added: messages.slice(ownCount(found.messages)) }
  // Turns are counted on.
  const turn = states.at(-1)?.turn ?? 0
  return { state: { ...NEW_CHAT, turn }, added: messages }
}

function ownCount(sent: readonly Message[]): number {
  return sent.filter((message) => !isOnlyTail(message)).length
}

function isBeginning(sent: readonly Message[], messages: readonly Message[]): boolean {
  const own = sent.filter((message) => !isOnlyTail(message))
  // From the end: that is where conversations part.
  return (
    own.length <= messages.length &&
    own.every((_, at) => {
      const place = own.length - 1 - at
      const [before, now] = [own[place], messages[place]]
      return (
        before !== undefined &&
        now !== undefined &&
        before.role === now.role &&
        saidBy(before) === saidBy(now)
      )
    })
  )
}

/** What the model reads of a message, whatever a host has changed around it, such as ids of items or marks. */
function saidBy({ parts }: Message): string {
  return canonicalJson(parts.filter((part) => !isTail(part) && isSent(part)).map(words))
}

function words(part: MessagePart): unknown {
  if (part.kind === "text") return ["text", part.text]
  if (part.kind === "tool-call") return ["call", part.id, part.name, part.input]
  if (part.kind === "tool-result") return ["result", part.id, part.text]
  return [part.kind]
}
