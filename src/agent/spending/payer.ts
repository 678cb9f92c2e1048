// Who pays for the calls of a turn: the person who sent the message, also in a room and for delegated work.
import type { Trust } from "../../base/trust.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { speakerOf } from "../inbox/speaker.ts"
import type { Paying } from "./guard.ts"

export interface PaidTurn {
  readonly session: Pick<StoredSession, "agent" | "who">
  readonly waiting: Pick<Waiting, "message" | "turn">
  /** The sender's. */
  readonly trust: Trust
}

export function payerOf(config: Config, { session, waiting, trust }: PaidTurn): Paying {
  const { message, turn } = waiting
  const isAlone = !session.who.startsWith("room:")
  return {
    ...{ agent: session.agent, trust, isAlone },
    who: isAlone ? session.who : speakerKey(config, { session, waiting, trust }),
    turn: message.under?.trace ?? turn,
  }
}

/** As in a direct conversation with them. Somebody without any identity is the room. */
function speakerKey(config: Config, { session, waiting, trust }: PaidTurn): string {
  const { name, id } = speakerOf(config, waiting.message, trust)
  if (name !== undefined) return `person:${name}`
  return id === undefined ? session.who : `unknown:${id}`
}
