// Going on from an earlier place: the conversation before a message becomes a session of its own, and the old one stays.
import { ask } from "../../../data/ask.ts"
import type { OutgoingFile } from "./outbox.ts"

export interface SentMessage {
  readonly text: string
  readonly files: readonly OutgoingFile[]
}

interface Forked {
  readonly session: string
  /** The text of the message at which it was forked. */
  readonly message?: string
}

/** A new session with what came before the turn; with everything, without a turn. */
export function fork(session: string, turn?: string): Promise<Forked> {
  return ask<Forked>(`/api/sessions/${encodeURIComponent(session)}/fork`, {
    body: turn === undefined ? {} : { at: turn },
  })
}

/** A message as it was sent, with what its files contain. */
export function sentMessage(session: string, turn: string): Promise<SentMessage> {
  return ask<SentMessage>(`/api/sessions/${encodeURIComponent(session)}/messages/${encodeURIComponent(turn)}`)
}

/** Stops what the session is working on, and what waits. Returns how many messages that were. */
export async function stop(session: string): Promise<number> {
  const { stopped } = await ask<{ readonly stopped: number }>(
    `/api/sessions/${encodeURIComponent(session)}/stop`,
    { body: {} },
  )
  return stopped
}
