// Which conversation asks over stdio. A client doesn't say, but it runs in a folder, writes its transcript while it works,
// and names itself: its session is the newest of that folder.
import { byCodePoint } from "../../../base/order.ts"
import { CLIENTS } from "../../../capture/call.ts"
import type { IndexedSession } from "../../../capture/sessions/session-index.ts"
import { isInside } from "../../../files/inside.ts"
import type { OwnSession } from "../../../serve/mcp/mcp-view.ts"
import type { PageSource, Reader } from "../../../serve/page/page-source.ts"
import type { Captured } from "../inspect/captured.ts"

export interface LocalSessionOptions {
  readonly reader: Reader
  readonly captured: Captured | undefined
  readonly agent: PageSource | undefined
  readonly folder: string
  /** What the MCP client calls itself. */
  readonly client: string | undefined
}

/** Sessions that were used so shortly before the newest may be the one that asks. */
const SHORTLY_MS = 10 * 60_000
const MOST_OTHERS = 5

/** Our own agent's if no coding agent has worked in the folder, or its newest is newer. */
export async function localSession(options: LocalSessionOptions): Promise<OwnSession | undefined> {
  const { reader, captured, agent, client } = options
  // Reads what is new.
  await captured?.source.sessions(reader, { limit: 1 })
  const here = sessionsHere(options)
  const named = here.filter((session) => session.client === clientNamed(client))
  const [newest, ...rest] = named.length > 0 ? named : here
  const own = (await agent?.sessions(reader, { limit: 1 }))?.sessions[0]
  const isOwnNewer =
    own !== undefined && (newest === undefined || (named.length === 0 && own.lastAt > newest.to))
  if (isOwnNewer && agent !== undefined) return { source: agent, session: own.id, others: [] }
  if (newest === undefined || captured === undefined) return undefined
  const others = rest.filter(({ to }) => newest.to - to < SHORTLY_MS).slice(0, MOST_OTHERS)
  return { source: captured.source, session: newest.id, others: others.map(({ id }) => id) }
}

/** The most recently used first. */
function sessionsHere({ captured, folder }: LocalSessionOptions): readonly IndexedSession[] {
  const all = captured?.index.sessions() ?? []
  return all
    .filter(
      ({ project }) => project !== undefined && (isInside(folder, project) || isInside(project, folder)),
    )
    .toSorted((one, other) => other.to - one.to || byCodePoint(one.id, other.id))
}

/** Clients add to their names, such as `codex-mcp-client`. */
function clientNamed(name: string | undefined) {
  const plain = name?.toLowerCase().replaceAll(/[\s_]+/g, "-") ?? ""
  return CLIENTS.find((client) => plain.startsWith(client.replace(/-cli$/, "")))
}
