// The agent's store for `incipit prune`: old conversations, and everything stored about one person.
import { existsSync } from "node:fs"
import { plural } from "../../../base/text/figures.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import type { EraseReport, PruneOptions, PruneReport } from "../../../database/contract/upkeep.ts"
import { openAgentStore } from "../../../database/open-agent-store.ts"

/** The agent's store: its file, and the time. */
interface StorePlace {
  /** The URL of a database in place of the file. */
  readonly url: string | undefined
  /** Undefined if no agent has run yet. */
  readonly path: string | undefined
  readonly now: () => number
}

/** Returns undefined if no agent has run yet. */
async function withStore<T>(
  { url, path = "", now }: StorePlace,
  work: (store: AgentStore) => Promise<T>,
): Promise<T | undefined> {
  if (url === undefined && !existsSync(path)) return undefined
  const store = await openAgentStore({ url, path }, { now })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export function pruneConversations(place: StorePlace, options: PruneOptions) {
  return withStore(place, async ({ upkeep }) => {
    const report = await upkeep.prune(options)
    await upkeep.shrink()
    return report
  })
}

/** `person` is a configured id. `owner` means the owner without an id, and a person of that id too. */
export function personKeys(person: string): readonly string[] {
  return [`person:${person}`, ...(person === "owner" ? ["owner"] : [])]
}

export function eraseConversations(
  place: StorePlace,
  person: string,
  { isDry = false }: Pick<PruneOptions, "isDry"> = {},
) {
  return withStore(place, async ({ upkeep }) => {
    const report = await upkeep.erase(personKeys(person), { isDry })
    await upkeep.shrink({ thoroughly: !isDry })
    return report
  })
}

export function erasedText({ sessions, turns, notices, tasks }: EraseReport): string {
  return `${plural(sessions, "conversation")}, ${plural(turns, "message")}, ${plural(notices, "notice")} and ${plural(tasks, "task")}`
}

export function conversationsText({ sessions, turns, notices }: PruneReport): string {
  return `${plural(sessions, "conversation")}, ${plural(turns, "message")} and ${plural(notices, "notice")}`
}
