// A turn in progress: what was gathered for it, the conversation so far, its cost so far. The store has everything that
// must survive; this is the part in memory.
import { given } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Edit } from "../../core/model/edit.ts"
import type { Turn } from "../../core/model/inputs.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { From } from "../../database/contract/from.ts"
import type { Incoming, Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { ReplyState, StepCost, StoredReply } from "../../database/contract/reply.ts"
import type { SessionState, StateChange, StoredSession } from "../../database/contract/sessions.ts"
import type { StepChange, StoredItem } from "../../database/contract/transcripts.ts"
import type { Scope } from "../../record/write/scope.ts"
import { inputOf, type Usage } from "../../render/cache/price.ts"
import type { FedTurn } from "../feeds/feeding.ts"
import type { Feeds } from "../feeds/feeds.ts"
import { addUsage } from "../models/usage.ts"
import type { Approve } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import type { LiveEvent } from "./live.ts"

export interface Work {
  readonly runtime: Runtime
  /** The right to work on the session, which every write is checked against. */
  readonly lease: Lease
  readonly waiting: Waiting
  readonly session: StoredSession
  readonly turn: Turn
  /** What feeders read for the turn, with what they work on after it. Undefined if a session is only compacted. */
  readonly fed: (FedTurn & { readonly feeds: Feeds }) | undefined
  /** Under the turn; its events carry the step. */
  scope: Scope
  /** Beside the turn, under the message. */
  readonly outer: Scope
  readonly signal: AbortSignal
  /** Aborted if the turn is stopped because its process ends. */
  readonly closing?: AbortSignal
  readonly tell: (event: LiveEvent) => void
  /** Replaces the agent's `approve` for this message; undefined otherwise. */
  readonly approve: Approve | undefined
  readonly startedAt: number
  /** The sender's trust, for actions on their behalf. */
  readonly trust: Trust
  gathered: GatheredTurn
  items: readonly StoredItem[]
  state: SessionState
  /** The state that the store had when it was last read or written here. */
  saved: SessionState
  baseline: Baseline | undefined
  /** Changes to this prompt from hooks. */
  edits: readonly Edit[]
  /** A hook rewrote the whole prompt for this turn. */
  rewrite: { readonly by: string; readonly text: string } | undefined
  step: number
  prompt: Prompt | undefined
  cost: StepCost
  /** Steps that read less from the cache than the step before had left in it. */
  readonly missed: number[]
  /** Delegated parts that still run; their cost is added when they end. */
  readonly parts: Set<Promise<unknown>>
}

export const NO_COST: StepCost = {
  usage: { uncached: 0, read: 0, write: {}, output: 0 },
  costUsd: 0,
  isSimulated: false,
}

/** The reply to a message without any step. */
export function replyWithoutSteps(
  { turn, session }: Pick<Waiting, "turn" | "session">,
  state: ReplyState,
  text: string,
): StoredReply {
  return { state, text, turn, session, steps: 0, cost: NO_COST, durationMs: 0 }
}

export function addCost(a: StepCost, b: StepCost): StepCost {
  return {
    usage: addUsage(a.usage, b.usage),
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    isSimulated: a.isSimulated || b.isSimulated,
  }
}

/** How many tokens a call left in the provider's cache. */
export function keptBy(usage: Usage): number {
  return inputOf(usage) - usage.uncached
}

/** Who sent a message, and from where. */
export function senderOf({ as, channel, sender, situation }: Incoming): From {
  return given({ as, channel, sender, situation })
}

export function stateChange({ saved, state }: Pick<Work, "saved" | "state">): StateChange {
  return { was: saved, now: state }
}

/** Writes the changes to the store and to `work`. */
export async function save(work: Work, change: Omit<StepChange, "turn" | "state">): Promise<void> {
  const { runtime, lease, turn } = work
  const state = stateChange(work)
  const added = await runtime.store.transcripts.change(lease, { ...change, turn: turn.id, state })
  const replaced = new Map(change.replace?.map(({ seq, item }) => [seq, item]))
  const kept =
    replaced.size === 0 ? work.items : work.items.map((one) => withItem(one, replaced.get(one.seq)))
  work.items = [...kept, ...added]
  // Tools may have changed the state during the write.
  work.saved = state.now
  work.baseline = change.baseline ?? work.baseline
}

function withItem(stored: StoredItem, item: StoredItem["item"] | undefined): StoredItem {
  return item === undefined ? stored : { ...stored, item }
}
