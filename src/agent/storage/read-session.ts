// One session with its conversation, for a person who may read it or for the operator.
import type { Sender } from "../../database/contract/sender.ts"
import type { Services } from "../setup/services.ts"
import type { SessionTranscript } from "./session-info.ts"

/** Another person's session is reported as missing, so that its existence is not revealed. */
export async function readSession(
  { store, people, workspace }: Pick<Services, "store" | "people" | "workspace">,
  id: string,
  from: Sender | undefined,
): Promise<SessionTranscript | undefined> {
  const found = await store.sessions.facts(id)
  if (found === undefined || found.agent !== workspace.current().id) return undefined
  if (from !== undefined && !people.mayRead(found, from)) return undefined
  const { who, situation, trust, createdAt, usedAt } = found
  return { id, who, situation, trust, createdAt, usedAt, items: await store.transcripts.read(id) }
}
