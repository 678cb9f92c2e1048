// Whose clock a prompt shows: the user's, then that of the machine's facts, then the one the host runs in. Only by what
// the audience may see, so that the clock tells nobody where a person lives whose file they are not shown.
import { isTimeZone } from "../../base/clock-face.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { Agent, Session, Turn } from "../model/scope.ts"
import { firstOf, type SourceFile } from "../model/source.ts"

/** Strangers are not told about the machine. */
export const ENVIRONMENT_TRUST: Trust = "familiar"

type Seen = {
  readonly agent: Pick<Agent, "files">
  readonly session: Pick<Session, "files" | "person" | "isOwner" | "environment" | "audience">
}

/** The file about the person who talks. The workspace's own is about its owner and nobody else. */
export function userFile({ agent, session }: Seen): SourceFile | undefined {
  const isOwner = session.isOwner ?? session.person === undefined
  return firstOf(session.files, "user") ?? (isOwner ? firstOf(agent.files, "user") : undefined)
}

/** The turn with the zone of the clock that this audience is shown. Names that are no zone are passed over. */
export function inZone(seen: Seen, turn: Turn): Turn {
  const { environment, audience } = seen.session
  const told = atLeast(audience.trust, ENVIRONMENT_TRUST) ? environment?.timezone : undefined
  const zone = [userFile(seen)?.fields.timezone, told].find(isTimeZone)
  return zone === undefined || zone === turn.timeZone ? turn : { ...turn, timeZone: zone }
}
