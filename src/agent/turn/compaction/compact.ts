// Compaction: when the window fills, the older part of the conversation becomes a summary and the newest part stays. A
// new epoch begins, and sections that every prompt must have are checked to be in the new one.
import type { Baseline } from "../../../core/epoch/epoch.ts"
import { detach } from "../../../core/layout/tail.ts"
import { isSeen } from "../../../core/model/plan.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import type { Item } from "../../../database/contract/transcripts.ts"
import type { Services } from "../../setup/services.ts"
import { FULL, roomOf } from "../prompt/room.ts"
import { stateChange, type Work } from "../work.ts"
import { type Split, splitItems } from "./compact-cut.ts"
import { type SummaryServices, summaryOf } from "./summary.ts"

/** Share of the room for head, tools and conversation that may stay unchanged. */
const KEPT = 0.25

/** Shortens conversations. */
export interface Compaction {
  /** `opening`: the items that the next step adds. */
  ifFull(work: Work, opening: readonly Item[]): Promise<void>
  /** Returns false if there was nothing to summarise and so nothing has changed. */
  now(work: Work, why: string, options?: CompactOptions): Promise<boolean>
}

export type CompactionServices = SummaryServices & Pick<Services, "store">

export function createCompaction(services: CompactionServices): Compaction {
  return {
    ifFull: (work, opening) => compactIfFull(services, work, opening),
    now: (work, why, options) => compactNow(services, work, why, options),
  }
}

async function compactIfFull(
  services: CompactionServices,
  work: Work,
  opening: readonly Item[],
): Promise<void> {
  const { conversation } = work
  const { room, taken, factor } = roomOf(work)
  const coming = conversation.tokens(conversation.messagesOf(opening.map((item) => ({ item }))), factor)
  if (taken + coming > room * FULL) await compactNow(services, work, "the window was nearly full")
}

export interface CompactOptions {
  readonly keepsNewest?: boolean
  /** The provider has just refused the conversation as too long. */
  readonly isRefused?: boolean
}

async function compactNow(
  services: CompactionServices,
  work: Work,
  why: string,
  { keepsNewest = true, isRefused = false }: CompactOptions = {},
): Promise<boolean> {
  const { store, prompts } = services
  const before = roomOf(work)
  const split = keepsNewest ? splitOf(work, before) : await allDone(store, work)
  const { summed, kept } = split
  if (summed.length === 0) return false
  const summary = await summaryOf(services, work, split, { isRefused })
  const pinned = pinnedIn(work.baseline?.entries ?? [])
  const { lastCall: _cold, ...state } = work.state
  work.state = { ...state, rebase: "the conversation was compacted" }
  const change = stateChange(work)
  work.items = await store.transcripts.compact(work.lease, {
    known: work.items.map(({ seq }) => seq),
    items: [
      { turn: undefined, item: { kind: "summary", text: summary.text } },
      ...kept.map(({ turn, item }) => ({ turn, item: withoutTail(item) })),
    ],
    state: change,
  })
  work.saved = change.now
  const after = pinnedIn(prompts.head(work, work.state.rebase).baseline.entries)
  const lost = pinned.filter((id) => !after.includes(id))
  const [from, to] = [before.taken, roomOf(work).taken]
  const data = { why, from, to, items: summed.length, by: summary.by, pinned: pinned.length, lost }
  work.scope.event("session_compacted", { data, ...(lost.length > 0 && { level: "warn" as const }) })
  work.tell({ kind: "compacted", from, to, lost })
  return true
}

function splitOf({ items, turn, conversation }: Work, { room, factor }: ReturnType<typeof roomOf>): Split {
  const tokens = (some: typeof items) => conversation.tokens(conversation.messagesOf(some), factor)
  return splitItems(items, { turn: turn.id, most: room * KEPT, tokens })
}

/** Leaves out a message that waits for its answer, since its turn continues from there. */
async function allDone({ inbox }: Pick<AgentStore, "inbox">, { session, items }: Work): Promise<Split> {
  const open = await inbox.next(session.id)
  const begins = items.findIndex(({ turn }) => turn !== undefined && turn === open?.turn)
  const cut = begins === -1 ? items.length : begins
  return { summed: items.slice(0, cut), kept: items.slice(cut) }
}

function withoutTail(item: Item): Item {
  if (item.kind !== "message") return item
  const [message] = detach([item.message])
  return message === undefined ? item : { ...item, message }
}

/** The required sections that are in this prompt. */
function pinnedIn(entries: Baseline["entries"]): readonly string[] {
  return entries.filter((entry) => entry.priority === "required" && isSeen(entry)).map(({ id }) => id)
}
