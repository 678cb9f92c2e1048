// Adds up what each owner cost, call by call. The number of owners in memory is bounded: when there are too many, the
// cheapest of each kind and group become one owner for "others", so that sums stay whole.
import { byCodePoint } from "../../../base/order.ts"
import type { Owner } from "../../owner.ts"
import type { CostGroup, OwnerCost } from "../bill.ts"
import { groupOf, identityOf, isRepeated } from "./owner-identity.ts"

/** What one stretch of one call adds to its owner. */
export interface Charge {
  readonly owner: Owner
  /** Of the text, by our counter. */
  readonly tokens: number
  /** As the model counted them. */
  readonly sentTokens: number
  readonly costUsd: number | null
  /** Whether its text was not in a call before. */
  readonly isNew: boolean
}

export interface OwnerLedger {
  /** All charges until the next call belong to one call. */
  nextCall(): void
  charge(charge: Charge): void
  /** A tool result in a call; it is new if it was in no call before. */
  countResult(owner: Owner, isNew: boolean): void
  /** Most expensive first, at most this many and one for the others of each kind. */
  owners(most: number): readonly OwnerCost[]
}

interface Entry {
  readonly key: string
  readonly owner: Owner
  readonly group: CostGroup
  readonly isRepeated: boolean
  first: number | undefined
  last: number | undefined
  tokens: number
  carried: number
  calls: number
  dollars: number
  isPriced: boolean
  times: number
  sent: number
  others: number
  /** The last call that it was charged for, and its tokens there. */
  call: number
  inCall: number
  /** Whether it has become part of the others. */
  isGone: boolean
}

export function createOwnerLedger(mostInMemory: number): OwnerLedger {
  const entries = new Map<string, Entry>()
  const others = new Map<string, Entry>()
  // Owners of the same text are the same object in every call that has the text.
  let known = new WeakMap<Owner, Entry>()
  let call = 0
  const entryOf = (owner: Owner): Entry => {
    const seen = known.get(owner)
    if (seen !== undefined && !seen.isGone) return seen
    const key = identityOf(owner)
    const entry = entries.get(key) ?? newEntry(key, owner, groupOf(owner))
    entries.set(key, entry)
    known.set(owner, entry)
    return entry
  }
  return {
    nextCall() {
      call += 1
      if (entries.size <= mostInMemory) return
      fold(entries, others, Math.floor(mostInMemory / 2))
      known = new WeakMap()
    },
    charge: (charge) => addCharge(entryOf(charge.owner), charge, call),
    countResult(owner, isNew) {
      const entry = entryOf(owner)
      entry.sent += 1
      if (isNew) entry.times += 1
    },
    owners(most) {
      fold(entries, others, most)
      return [...entries.values(), ...others.values()].map(costOfEntry).toSorted(mostExpensiveFirst)
    },
  }
}

function newEntry(key: string, owner: Owner, group: CostGroup): Entry {
  return {
    ...{ key, owner, group, isRepeated: isRepeated(owner), first: undefined, last: undefined },
    ...{ tokens: 0, carried: 0, calls: 0, dollars: 0, isPriced: false, times: 0, sent: 0, others: 0 },
    ...{ call: -1, inCall: 0, isGone: false },
  }
}

function addCharge(entry: Entry, { owner, tokens, sentTokens, costUsd, isNew }: Charge, call: number): void {
  if (entry.call !== call) {
    entry.call = call
    entry.calls += 1
    entry.inCall = 0
  }
  entry.inCall += tokens
  if (!entry.isRepeated) entry.tokens = Math.max(entry.tokens, entry.inCall)
  else if (isNew) entry.tokens += tokens
  entry.carried += sentTokens
  if (costUsd !== null) {
    entry.dollars += costUsd
    entry.isPriced = true
  }
  if (owner.lines === undefined) return
  entry.first = Math.min(entry.first ?? owner.lines[0], owner.lines[0])
  entry.last = Math.max(entry.last ?? owner.lines[1], owner.lines[1])
}

/** Keeps the most expensive ones. */
function fold(entries: Map<string, Entry>, others: Map<string, Entry>, most: number): void {
  if (entries.size <= most) return
  const sorted = [...entries.values()].toSorted(
    (one, other) =>
      other.dollars - one.dollars || other.carried - one.carried || byCodePoint(one.key, other.key),
  )
  for (const entry of sorted.slice(most)) {
    const { owner, group } = entry
    const key = `${owner.kind}\n${group}`
    const other = others.get(key) ?? newEntry(key, { kind: owner.kind, match: "exact" }, group)
    others.set(key, other)
    other.tokens += entry.tokens
    other.carried += entry.carried
    // Owners of one call would count it more than once.
    other.calls = Math.max(other.calls, entry.calls)
    other.dollars += entry.dollars
    other.isPriced ||= entry.isPriced
    other.times += entry.times
    other.sent += entry.sent
    other.others += 1
    entry.isGone = true
    entries.delete(entry.key)
  }
}

function costOfEntry(entry: Entry): OwnerCost {
  const { owner, group, first, last, tokens, carried, calls, dollars, isPriced, times, sent, others } = entry
  const { kind, path, name, server, input, match } = owner
  const lines = first === undefined || last === undefined ? undefined : ([first, last] as const)
  return {
    ...{ kind, path, lines, name, server, input, match, group },
    ...{ tokens: Math.round(tokens), carriedTokens: Math.round(carried), calls },
    carriedUsd: isPriced ? dollars : null,
    ...(kind === "tool-result" && { times, sent }),
    ...(others > 0 && { others }),
  }
}

function mostExpensiveFirst(one: OwnerCost, other: OwnerCost): number {
  const difference = (other.carriedUsd ?? -1) - (one.carriedUsd ?? -1)
  return (
    difference || other.carriedTokens - one.carriedTokens || byCodePoint(identityOf(one), identityOf(other))
  )
}
