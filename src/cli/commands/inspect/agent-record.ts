// What the agents of a folder have recorded, as a source of the page: opened to be read, and nothing is created.
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { termsOf } from "../../../agent/models/terms.ts"
import { byCodePoint } from "../../../base/order.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { MAIN_AGENT } from "../../../files/paths.ts"
import { isOperator } from "../../../serve/api/operator.ts"
import type { ListedSession } from "../../../serve/api/sessions/own-sessions.ts"
import { furtherAgents } from "../../../serve/gateway/further-agents.ts"
import { type ReaderSessions, recordedSource } from "../../../serve/page/agent/recorded-source.ts"
import type { PageSource } from "../../../serve/page/page-source.ts"
import { loadConfig } from "../../../sources/config/config.ts"
import type { MachineFlags } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { hasRecord, openRecorded, type RecordFlags, recordFile } from "../record/record-file.ts"
import { existingStore } from "../serve/serve-store.ts"

export interface AgentRecordOptions {
  /** Only this session, by its id or the beginning of it. */
  readonly session?: string | undefined
  readonly flags: RecordFlags & MachineFlags
  readonly terminal: Terminal
}

export interface AgentRecord {
  readonly source: PageSource
  close(): Promise<void>
}

/** Returns undefined if no agent has run in the folder, or if the session isn't one of its. */
export async function openAgentRecord(options: AgentRecordOptions): Promise<AgentRecord | undefined> {
  const { session = "", flags, terminal } = options
  const file = recordFile(flags, terminal)
  if (!hasRecord(file)) return undefined
  const kept = await existingStore(flags, terminal, { readOnly: true })
  if (kept === undefined) return undefined
  const recorded = await openRecorded(file, { readOnly: true })
  const close = async () => {
    await recorded.close()
    await kept.close()
  }
  const sessions = sessionsOf(kept, [MAIN_AGENT, ...furtherAgents(file.root)], session)
  if (session !== "" && (await sessions.all({ limit: 1 })).length === 0) {
    await close()
    return undefined
  }
  const { config } = loadConfig(join(file.root, "incipit.yaml"), "incipit.yaml")
  const source = recordedSource({
    ...{ outbox: kept.outbox, read: (ask) => ask(recorded), sessions },
    termsOf: (model, at) => termsOf(model, config, at),
    watch: (listener) => watchRecord(recorded, listener),
  })
  return { source, close }
}

/** Another process writes the record, and nobody tells this one. */
const LOOK_MS = 1_000

/** Tells when there is a newer call. */
function watchRecord({ receipts }: RecordStore, listener: () => void): () => void {
  const stop = new AbortController()
  const newest = async () =>
    (await receipts.page({ session: undefined, before: undefined, limit: 1, withAsides: true }))[0]?.id
  const follow = async () => {
    for (let known = await newest(); ; ) {
      await sleep(LOOK_MS, undefined, { signal: stop.signal, ref: false })
      const now = await newest()
      if (now !== known) listener()
      known = now
    }
  }
  follow().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => stop.abort()
}

type ListPage = Parameters<ReaderSessions["list"]>[1]

/** Of all people: who starts `inspect` on this machine is the operator. */
function sessionsOf(
  store: AgentStore,
  agents: readonly string[],
  beginning: string,
): ReaderSessions & { all(page: ListPage): Promise<readonly ListedSession[]> } {
  const all = async ({ limit, after, withParts }: ListPage) => {
    // Somebody who names a delegated part wants to see it.
    const page = beginning === "" ? { after, limit, withParts } : { after, withParts: true }
    const lists = await Promise.all(agents.map((agent) => store.sessions.list(agent, page)))
    return lists
      .flat()
      .filter(({ id }) => id.startsWith(beginning))
      .toSorted((one, other) => other.usedAt - one.usedAt || byCodePoint(other.id, one.id))
      .slice(0, limit)
  }
  return {
    all,
    list: async (reader, page) => (isOperator(reader) ? all(page) : []),
    has: async (reader, session) =>
      isOperator(reader) &&
      session.startsWith(beginning) &&
      (await store.sessions.facts(session)) !== undefined,
  }
}
