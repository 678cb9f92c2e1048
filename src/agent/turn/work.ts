// A turn in progress: what was gathered for it, the conversation so far, its cost so far. The store has everything that
// must survive; this is the part in memory.
import { defined } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Edit } from "../../core/model/edit.ts"
import type { Turn } from "../../core/model/inputs.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { ReplyState, StepCost, StoredReply } from "../../database/contract/reply.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type {
  SessionFacts,
  SessionState,
  StateChange,
  StoredSession,
} from "../../database/contract/sessions.ts"
import type { StepChange, StoredItem } from "../../database/contract/transcripts.ts"
import type { Scope } from "../../record/write/scope.ts"
import { inputOf, type Usage } from "../../render/cache/price.ts"
import { addUsage } from "../../render/cache/sdk-usage.ts"
import type { ToolHost } from "../../tools/host.ts"
import type { FedTurn } from "../feeds/feeding.ts"
import type { Feeds } from "../feeds/feeds.ts"
import type { Model } from "../models/model.ts"
import type { Approve } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import type { Paying } from "../spending/guard.ts"
import type { OuterCall } from "./calls/outer-call.ts"
import type { Conversation } from "./conversation.ts"
import type { LiveEvent } from "./live-event.ts"
import type { GatheredTurn } from "./prompt/gathered-turn.ts"

export interface Work {
  readonly waiting: Waiting
  readonly session: StoredSession
  /** The right to work on the session, which every write is checked against. */
  readonly lease: Lease
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
  /** For the turn of a delegated part: the call that waits for it. */
  readonly outerCall?: OuterCall | undefined
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
  /** The turns of messages that the next step stores as its opening: they join this turn. */
  joining: readonly string[]
  prompt: Prompt | undefined
  cost: StepCost
  /** Steps that read less from the cache than the step before had left in it. */
  readonly missed: number[]
  /** Delegated parts that still run; their cost is added when they end. */
  readonly parts: Set<Promise<unknown>>
  readonly conversation: Conversation
  readonly cache: TurnCache
  /** The model of its next call: the agent's when the turn began, or the one that took over since. */
  model: Model
  /** Who pays for its calls. */
  readonly payer: Paying
}

/** What one step of a turn has computed and the next one uses again. */
export interface TurnCache {
  /** Context of the files that were touched since the head was written. */
  nested?: NestedFiles
  /** File access of the turn's tools, with what it was opened for. */
  files?: { readonly gathered: GatheredTurn; readonly access: ToolHost["files"] }
  /** Tools that were reported for returning something other than text. */
  readonly oddTools: Set<string>
  /** The model that was checked for whether it takes an effort. */
  checkedEffort?: string
}

export interface NestedFiles {
  readonly session: GatheredTurn["session"]
  readonly touched: readonly string[]
  readonly files: readonly SourceFile[]
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

/** Where the events of a turn come from. */
export function originOf(session: SessionFacts, { turn, message }: Pick<Waiting, "turn" | "message">) {
  return {
    session: session.id,
    agent: session.agent,
    trust: session.trust,
    // A delegated part's events are in the trace of the delegating turn.
    trace: message.under?.trace ?? turn,
    turn,
    user: message.as ?? session.who.replace(/^person:/, ""),
    channel: message.channel ?? message.via ?? message.under?.via ?? "terminal",
  }
}

/** Who sent a message, and from where. */
export function senderOf({ as, channel, sender, isLocal, situation }: Sender): Sender {
  return defined({ as, channel, sender, isLocal, situation })
}

export function stateChange({ saved, state }: Pick<Work, "saved" | "state">): StateChange {
  return { was: saved, now: state }
}

/** Writes the changes to the store and to `work`. */
export async function save(
  { store }: Pick<Services, "store">,
  work: Work,
  change: Omit<StepChange, "turn" | "state">,
): Promise<void> {
  const state = stateChange(work)
  const added = await store.transcripts.change(work.lease, { ...change, turn: work.turn.id, state })
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
