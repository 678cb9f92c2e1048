// Which time zone a prompt's clock uses: the user's, then the environment's, then the host's. It depends only on what
// the audience may see, so the clock cannot reveal where a person lives to someone who may not see that person's file.
import { isTimeZone } from "../../base/clock-face.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { Agent, Session, Turn } from "../model/inputs.ts"
import { firstOf, type SourceFile } from "../model/source.ts"

/** Strangers don't learn about the machine. */
export const ENVIRONMENT_TRUST: Trust = "familiar"

type Seen = {
  readonly agent: Pick<Agent, "files">
  readonly session: Pick<Session, "files" | "person" | "isOwner" | "environment" | "audience">
}

/** The file about the person in the conversation. The workspace's own file is only about its owner. */
export function userFile({ agent, session }: Seen): SourceFile | undefined {
  const isOwner = session.isOwner ?? session.person === undefined
  return firstOf(session.files, "user") ?? (isOwner ? firstOf(agent.files, "user") : undefined)
}

/** The turn with the time zone that this audience is shown. Invalid zone names are skipped. */
export function inZone(seen: Seen, turn: Turn): Turn {
  const { environment, audience } = seen.session
  const given = atLeast(audience.trust, ENVIRONMENT_TRUST) ? environment?.timezone : undefined
  const zone = [userFile(seen)?.fields.timezone, given].find(isTimeZone)
  return zone === undefined || zone === turn.timeZone ? turn : { ...turn, timeZone: zone }
}
