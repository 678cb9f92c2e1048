// A turn while it is worked on: what was gathered for it, the conversation as it stands, what it has cost so far.
// The store has all of it that must survive; this is the part in memory.
import { given } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Edit } from "../../core/model/edit.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Turn } from "../../core/model/scope.ts"
import type { Scope } from "../../record/write/scope.ts"
import { inputOf, type Usage } from "../../render/cache/price.ts"
import type { From } from "../inbox/from.ts"
import { addUsage } from "../models/usage.ts"
import type { Approve } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import type {
  Held,
  Incoming,
  SessionState,
  StateChange,
  StepChange,
  StoredReply,
  StoredSession,
  Waiting,
} from "../store/stored.ts"
import type { StoredItem } from "../store/transcript.ts"
import type { GatheredTurn } from "./gather.ts"
import type { LiveEvent, ReplyState, StepCost } from "./live.ts"

export interface Work {
  readonly runtime: Runtime
  readonly waiting: Waiting
  readonly session: StoredSession
  readonly turn: Turn
  /** Under the turn; its events carry the step. */
  scope: Scope
  /** Beside the turn, under the message. */
  readonly outer: Scope
  readonly signal: AbortSignal
  /** Aborted if the turn is stopped because its process ends. */
  readonly closing?: AbortSignal
  readonly tell: (event: LiveEvent) => void
  /** Asked about what this message's tools want to do, if not whoever is asked about all. */
  readonly approve: Approve | undefined
  readonly startedAt: number
  /** Of the sender, for what is done in their name. */
  readonly trust: Trust
  gathered: GatheredTurn
  items: readonly StoredItem[]
  state: SessionState
  /** As the store had it when it was last read or written here. */
  saved: SessionState
  baseline: Baseline | undefined
  /** What hooks want changed in this prompt. */
  edits: readonly Edit[]
  /** A hook wrote the whole prompt anew, for this turn. */
  rewrite: { readonly by: string; readonly text: string } | undefined
  step: number
  prompt: Prompt | undefined
  cost: StepCost
  /** Steps whose cache did less than the step before had left for it. */
  readonly missed: number[]
  /** Parts that were given away and are not over; what they cost is added when they are. */
  readonly parts: Set<Promise<unknown>>
}

export const NO_COST: StepCost = {
  usage: { fresh: 0, read: 0, write: {}, output: 0 },
  costUsd: 0,
  isSimulated: false,
}

/** What became of a message for which no step was made. */
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

/** What a call has left in the provider's cache. */
export function keptBy(usage: Usage): number {
  return inputOf(usage) - usage.fresh
}

/** Who sent a message, and from where. */
export function senderOf({ as, channel, sender, situation }: Incoming): From {
  return given({ as, channel, sender, situation })
}

export function heldBy({ runtime, session }: Pick<Work, "runtime" | "session">): Held {
  return { session: session.id, owner: runtime.owner }
}

export function stateChange({ saved, state }: Pick<Work, "saved" | "state">): StateChange {
  return { was: saved, now: state }
}

/** Writes what changed to the store, and to the work itself. */
export function save(work: Work, change: Omit<StepChange, "turn" | "at" | "state">): void {
  const { runtime, turn } = work
  const state = stateChange(work)
  const added = runtime.store.change(heldBy(work), { ...change, turn: turn.id, at: runtime.now(), state })
  const replaced = new Map(change.replace?.map(({ id, item }) => [id, item]))
  const kept = replaced.size === 0 ? work.items : work.items.map((one) => withItem(one, replaced.get(one.id)))
  work.items = [...kept, ...added]
  work.saved = work.state
  work.baseline = change.baseline ?? work.baseline
}

function withItem(stored: StoredItem, item: StoredItem["item"] | undefined): StoredItem {
  return item === undefined ? stored : { ...stored, item }
}
