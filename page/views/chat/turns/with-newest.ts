// What is known of a transcript once its newest messages were read again.
import type { ShownMessage } from "../../../../src/serve/api/sessions/shown-message.ts"

export interface SessionFacts {
  /** Whether this caller can continue it, rather than only read it. */
  readonly isYours: boolean
}

export interface Conversation {
  readonly session: SessionFacts | undefined
  readonly messages: readonly ShownMessage[]
  readonly hasEarlier: boolean
  /** Why nothing of it could be read. */
  readonly problem: string | undefined
}

export interface SessionRead extends Pick<Conversation, "messages" | "hasEarlier"> {
  readonly session: SessionFacts
}

/**
 * Earlier messages stay, if nothing is missing in between: those of earlier pages, and those that a summary has taken the
 * place of since. What is kept beside a summary is stored again, under new numbers. The first message of a page may be in
 * the middle of a turn, whose beginning stays as well.
 */
export function withNewest(before: Conversation, page: SessionRead): Conversation {
  const [first] = page.messages
  const isSummarized = first?.kind === "summary" && !page.hasEarlier
  const again = new Set(isSummarized ? page.messages.map(({ turn }) => turn) : [])
  const earlier = before.messages.filter(
    ({ seq, turn }) => first !== undefined && seq < first.seq && (turn === null || !again.has(turn)),
  )
  const isConnected = isSummarized || before.messages.some(({ seq }) => seq === first?.seq)
  const keeps = isConnected && earlier.length > 0
  return {
    session: page.session,
    messages: keeps ? [...earlier, ...page.messages] : page.messages,
    hasEarlier: keeps ? before.hasEarlier : page.hasEarlier,
    problem: undefined,
  }
}
