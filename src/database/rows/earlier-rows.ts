// Rows that 0.1.0 wrote, read in the words of today. A row is rewritten when its session is next used, so both forms
// can be in one store.
import type { Baseline } from "../../core/epoch/epoch.ts"
import type { Sent } from "../../core/layout/tail.ts"
import type { Entry } from "../../core/model/plan.ts"
import type { Priority } from "../../core/model/priority.ts"
import type { Usage } from "../../render/cache/price.ts"
import type { StoredReply } from "../contract/reply.ts"
import type { SessionState } from "../contract/sessions.ts"
import type { Item } from "../contract/transcripts.ts"
import { outcomeFrom } from "../earlier-outcome.ts"

interface EarlierEntry extends Omit<Entry, "priority" | "sent" | "outcome"> {
  readonly need: Priority
  readonly told: Entry["sent"]
  readonly outcome: { readonly kind: string }
}

export function baselineFrom(json: string): Baseline {
  const stored = JSON.parse(json) as Baseline & { readonly entries: readonly (Entry | EarlierEntry)[] }
  return { ...stored, entries: stored.entries.map(entryFrom) }
}

function entryFrom(entry: Entry | EarlierEntry): Entry {
  if (!("need" in entry)) return { ...entry, outcome: outcomeFrom(entry.outcome) }
  const { need, told, outcome, ...rest } = entry
  return { ...rest, priority: need, sent: told, outcome: outcomeFrom(outcome) }
}

export function stateFrom(json: string): SessionState {
  const { told, ...state } = JSON.parse(json) as SessionState & { readonly told?: Sent }
  return told === undefined ? state : { sent: told, ...state }
}

/** An item of a transcript. Only the user's own commands have changed. */
export function itemFrom(json: string): Item {
  const item = JSON.parse(json) as Item | (Extract<Item, { kind: "shell" }> & { readonly isTold: boolean })
  if (!("isTold" in item)) return item
  const { isTold, ...rest } = item
  return { ...rest, isSent: isTold }
}

export function replyFrom(json: string): StoredReply {
  const reply = JSON.parse(json) as StoredReply
  const usage = reply.cost.usage as Usage & { readonly fresh?: number }
  if (usage.fresh === undefined) return reply
  const { fresh, ...rest } = usage
  return { ...reply, cost: { ...reply.cost, usage: { ...rest, uncached: fresh } } }
}
