// One session for a person who may read it or for the operator, with its conversation or without.
import type { Sender } from "../../database/contract/sender.ts"
import type { Services } from "../setup/services.ts"
import type { SessionTranscript } from "./session-info.ts"

type Reading = Pick<Services, "store" | "people" | "workspace">

export async function readSession(
  services: Reading,
  id: string,
  from: Sender | undefined,
): Promise<SessionTranscript | undefined> {
  const facts = await readSessionFacts(services, id, from)
  return facts && { ...facts, items: await services.store.transcripts.read(id) }
}

/** Another person's session is reported as missing, so that its existence is not revealed. */
export async function readSessionFacts(
  { store, people, workspace }: Reading,
  id: string,
  from: Sender | undefined,
): Promise<Omit<SessionTranscript, "items"> | undefined> {
  const found = await store.sessions.facts(id)
  if (found === undefined || found.agent !== workspace.current().id) return undefined
  if (from !== undefined && !people.mayRead(found, from)) return undefined
  const { who, situation, trust, mode, createdAt, usedAt } = found
  return { id, who, situation, trust, mode, createdAt, usedAt }
}
