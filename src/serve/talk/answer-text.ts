// The text of an answer, from the events of its turn, within the limits that the client set.
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import { createJoinedText } from "./joined-text.ts"
import { type LimitHit, limitText } from "./limit-text.ts"
import type { TalkRequest } from "./request/talk-request.ts"

export interface AnswerText {
  /** Returns the text to send now. */
  add(event: LiveEvent): string
  /** All of it so far. */
  text(): string
  hit(): LimitHit | undefined
}

export function createAnswerText({ stop, maxTokens }: Pick<TalkRequest, "stop" | "maxTokens">): AnswerText {
  const limits = limitText(stop, maxTokens)
  const joined = createJoinedText()
  let isHeard = false
  let sent = ""
  return {
    add(event) {
      const isEnd = event.kind === "turn-finished"
      isHeard ||= event.kind === "text"
      // An answer that was finished before comes in one piece.
      const found = limits.add(isEnd && !isHeard ? event.reply.text : joined(event))
      const text = isEnd ? found + limits.end() : found
      sent += text
      return text
    },
    text: () => sent,
    hit: limits.hit,
  }
}
