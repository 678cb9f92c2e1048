// What our own agents' calls cost by day, session, person or model, from the record's sums. An operator gets those of all
// sessions; anybody else the sums over their own, made only of what they may see.
import type { CostKey } from "../../../base/cost-keys.ts"
import { byCodePoint } from "../../../base/order.ts"
import type { Sight } from "../../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { type CostReport, type CostRow, type CostSums, costs } from "../../../record/ask/cost.ts"
import { receiptOf } from "../../../record/ask/replay.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { isOffline, OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import type { ListedSession } from "../../api/sessions/own-sessions.ts"
import { callId } from "../agent/recorded-call.ts"
import type { CostsAsked } from "../page-source.ts"
import type { CallPlace, CostsBy, ShownCost, ShownCosts, ShownSums } from "../shown.ts"

type SummedBy = "day" | "session" | "person" | "model"

const KEYS: Readonly<Record<SummedBy, CostKey>> = {
  day: "day",
  session: "session",
  person: "user",
  model: "model",
}

/** A person sums only their own calls, so there is nobody to tell apart. */
export function waysOf(isOperator: boolean): readonly CostsBy[] {
  return isOperator ? ["owner", "day", "session", "person", "model"] : ["owner", "day", "session", "model"]
}

export type SessionTitle = Pick<ListedSession, "id" | "title" | "who">

export interface AgentCostsAsked extends Pick<CostsAsked, "since" | "until" | "timeZone"> {
  readonly by: SummedBy
  readonly ways: readonly CostsBy[]
  /** Undefined for all that is recorded. */
  readonly sights: readonly Sight[] | undefined
  /** Those that the reader finds, for titles. */
  readonly sessions: readonly SessionTitle[]
}

export async function agentCosts(store: RecordStore, asked: AgentCostsAsked): Promise<ShownCosts> {
  const { by, ways, sights, since, until, timeZone } = asked
  const reports: CostReport[] = []
  for (const sight of sights ?? [undefined])
    reports.push(await costs(store, { by: KEYS[by], since, until, timeZone, sight }))
  const rows = merged(
    by,
    reports.flatMap((report) => report.rows),
  )
  const total = reports.map((report) => shownSums(report.total)).reduce(added, NONE)
  const newest = await newestCalls(store, asked)
  const isFree = [...newest.values()].some(({ model }) => isOffline(model))
  return {
    ...{ by, ways, owners: [], total, isOpen: true },
    rows: rows.map((row) => titled(row, { ...asked, newest })),
    notes: isFree ? [OFFLINE_CALLS] : [],
  }
}

const NONE: ShownSums = {
  ...{ calls: 0, costUsd: 0, unpriced: 0 },
  usage: { uncached: 0, read: 0, written: 0, output: 0 },
}

function shownSums({ calls, unpriced, uncached, read, write, output, costUsd }: CostSums): ShownSums {
  return { calls, unpriced, costUsd, usage: { uncached, read, written: write, output } }
}

export function added(one: ShownSums, other: ShownSums): ShownSums {
  const calls = one.calls === null || other.calls === null ? null : one.calls + other.calls
  const isPriced = one.costUsd !== null || other.costUsd !== null
  return {
    calls,
    unpriced: one.unpriced + other.unpriced,
    costUsd: isPriced ? (one.costUsd ?? 0) + (other.costUsd ?? 0) : null,
    usage: {
      uncached: one.usage.uncached + other.usage.uncached,
      read: one.usage.read + other.usage.read,
      written: one.usage.written + other.usage.written,
      output: one.usage.output + other.usage.output,
    },
  }
}

type KeyedSums = ShownSums & { readonly key: string }

function merged(by: SummedBy, rows: readonly CostRow[]): readonly KeyedSums[] {
  const sums = [...Map.groupBy(rows, ({ key }) => key)].map(
    ([key, own]): KeyedSums => ({ key, ...own.map(shownSums).reduce(added) }),
  )
  return by === "day"
    ? sums.toSorted((one, other) => byCodePoint(one.key, other.key))
    : sums.toSorted(mostExpensiveFirst)
}

function mostExpensiveFirst(one: KeyedSums, other: KeyedSums): number {
  const tokens = ({ usage: { uncached, read, written, output } }: KeyedSums) =>
    uncached + read + written + output
  const cost = ({ costUsd }: KeyedSums) => Math.round((costUsd ?? 0) * 1e12)
  return cost(other) - cost(one) || tokens(other) - tokens(one) || byCodePoint(one.key, other.key)
}

interface Titles extends Pick<AgentCostsAsked, "by" | "sessions"> {
  readonly newest: ReadonlyMap<string, NewestCall>
}

function titled({ key, ...sums }: KeyedSums, { by, sessions, newest }: Titles): ShownCost {
  const session = by === "session" ? sessions.find(({ id }) => id === key) : undefined
  const { place = null } = newest.get(key) ?? {}
  const title = by === "session" ? (session?.title ?? "") : key
  return { key, title, ...sums, who: session === undefined ? null : personOf(session), newest: place }
}

function personOf({ who }: SessionTitle): string {
  return who.replace(/^person:/, "")
}

interface NewestCall {
  readonly place: CallPlace
  readonly model: string
}

const MOST_LOOKED_AT = 1_000

/** The newest call of each row, as far as it is among the newest of all. */
async function newestCalls(
  store: RecordStore,
  { by, sights, since = 0, until = Number.MAX_SAFE_INTEGER, timeZone, sessions }: AgentCostsAsked,
): Promise<ReadonlyMap<string, NewestCall>> {
  const people = new Map(sessions.map((session) => [session.id, personOf(session)]))
  const found = new Map<string, NewestCall>()
  for (const session of sights?.map((sight) => sight.session) ?? [undefined]) {
    const rows = await store.receipts.page({ session, limit: MOST_LOOKED_AT, withAsides: false })
    for (const receipt of rows.map(receiptOf)) {
      if (receipt.at < since || receipt.at >= until) continue
      const key = {
        day: () => localDay(receipt.at, timeZone),
        session: () => receipt.session,
        person: () => people.get(receipt.session),
        model: () => receipt.model,
      }[by]()
      if (key === undefined || found.has(key)) continue
      found.set(key, {
        place: { session: receipt.session, call: callId(receipt) },
        model: receipt.model,
      })
    }
  }
  return found
}
