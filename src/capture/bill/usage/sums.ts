// Sums of calls: in all, and by day, session, client and model. Takes one call at a time and keeps none.
import { byCodePoint } from "../../../base/order.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { costOf, type Price } from "../../../render/cache/price.ts"
import type { CalledUsage, Client } from "../../call.ts"
import type { BillSum, KeyedSum, ModelPrice, SessionSum } from "../bill.ts"

/** What a call cost, and who says so. */
export interface PricedCall {
  readonly costUsd: number | null
  readonly price: Price | null
  /** Whether the cost is what the client says, because no price is known. */
  readonly isReported: boolean
}

/** The price that is published, else what the client itself says. */
export function pricedCall(call: CalledUsage, price: Price | null): PricedCall {
  const costUsd = costOf(call.usage, price)
  if (costUsd !== null) return { costUsd, price, isReported: false }
  const { reportedUsd } = call
  const isReported = reportedUsd !== undefined && Number.isFinite(reportedUsd) && reportedUsd >= 0
  return { costUsd: isReported ? reportedUsd : null, price: null, isReported }
}

const HOUR = 3_600_000

/** Looks a price up once for each model and hour: prices change at the start of a day. */
export function pricesByHour(
  priceOf: (model: string, at: number) => Price | null,
): (model: string, at: number) => Price | null {
  const known = new Map<string, Map<number, Price | null>>()
  return (model, at) => {
    const hours = known.get(model) ?? new Map<number, Price | null>()
    known.set(model, hours)
    const hour = Math.floor(at / HOUR)
    const found = hours.get(hour)
    if (found !== undefined) return found
    const price = priceOf(model, hour * HOUR)
    hours.set(hour, price)
    return price
  }
}

interface Sum {
  calls: number
  uncached: number
  read: number
  written: number
  output: number
  costUsd: number
  unpriced: number
  reported: number
  /** By number. */
  readonly sessions: Set<number>
}

interface Session {
  readonly sum: Sum
  readonly number: number
  readonly client: Client
  readonly name: string
  project: string | undefined
  from: number
  to: number
}

interface PriceSeen {
  readonly price: Price | null
  calls: number
  reported: number
}

export interface Sums {
  add(call: CalledUsage, priced: PricedCall): void
  readonly from: number | undefined
  readonly to: number | undefined
  total(): BillSum
  byDay(): readonly KeyedSum[]
  bySession(): readonly SessionSum[]
  byClient(): readonly KeyedSum[]
  byModel(): readonly KeyedSum[]
  prices(): readonly ModelPrice[]
  /** The client with most calls. */
  mainClient(): Client | undefined
}

export function createSums(timeZone: string): Sums {
  const all = newSum()
  const days = new Map<string, Sum>()
  const clients = new Map<string, Sum>()
  const models = new Map<string, Sum>()
  const sessions = new Map<string, Session>()
  const prices = new Map<string, PriceSeen>()
  const dayOf = daysByQuarter(timeZone)
  let from: number | undefined
  let to: number | undefined
  return {
    get from() {
      return from
    },
    get to() {
      return to
    },
    add(call, priced) {
      const session = sessionOf(sessions, call)
      session.project ??= call.project
      session.from = Math.min(session.from, call.at)
      session.to = Math.max(session.to, call.at)
      from = Math.min(from ?? call.at, call.at)
      to = Math.max(to ?? call.at, call.at)
      const kept = [sumAt(days, dayOf(call.at)), sumAt(clients, call.client), sumAt(models, call.model)]
      for (const sum of [all, session.sum, ...kept]) addCall(sum, session.number, call, priced)
      const seen = prices.get(call.model) ?? { price: priced.price, calls: 0, reported: 0 }
      seen.calls += 1
      if (priced.isReported) seen.reported += 1
      prices.set(call.model, seen)
    },
    total: () => shown(all),
    byDay: () => [...days].map(keyed).toSorted((one, other) => byCodePoint(one.key, other.key)),
    bySession: () =>
      [...sessions.values()]
        .map(({ sum, name, client, project, from: first, to: last }) => ({
          ...keyed([name, sum]),
          ...{ client, project, from: first, to: last },
        }))
        .toSorted(mostExpensiveFirst),
    byClient: () => [...clients].map(keyed).toSorted(mostExpensiveFirst),
    byModel: () => [...models].map(keyed).toSorted(mostExpensiveFirst),
    mainClient: () =>
      // Keys are the clients of calls.
      [...clients].toSorted(([, one], [, other]) => other.calls - one.calls)[0]?.[0] as Client | undefined,
    prices: () => [...prices].map(modelPrice).toSorted((one, other) => byCodePoint(one.model, other.model)),
  }
}

function newSum(): Sum {
  const figures = {
    calls: 0,
    uncached: 0,
    read: 0,
    written: 0,
    output: 0,
    costUsd: 0,
    unpriced: 0,
    reported: 0,
  }
  return { ...figures, sessions: new Set() }
}

function sumAt(sums: Map<string, Sum>, key: string): Sum {
  const known = sums.get(key)
  if (known !== undefined) return known
  const sum = newSum()
  sums.set(key, sum)
  return sum
}

/** Two clients may use the same name. */
function sessionOf(sessions: Map<string, Session>, call: CalledUsage): Session {
  const { client, session: name, project, at } = call
  const key = `${client}\n${name}`
  const known = sessions.get(key)
  if (known !== undefined) return known
  const session = { sum: newSum(), number: sessions.size, client, name, project, from: at, to: at }
  sessions.set(key, session)
  return session
}

function addCall(sum: Sum, session: number, { usage }: CalledUsage, priced: PricedCall): void {
  sum.calls += 1
  sum.uncached += usage.uncached
  sum.read += usage.read
  for (const ttl in usage.write) sum.written += usage.write[ttl] ?? 0
  sum.output += usage.output
  if (priced.costUsd === null) sum.unpriced += 1
  else sum.costUsd += priced.costUsd
  if (priced.isReported) sum.reported += 1
  sum.sessions.add(session)
}

const QUARTER = 900_000

/** The clocks of all time zones differ by whole quarters of an hour, and asking for a day is slow. */
function daysByQuarter(timeZone: string): (at: number) => string {
  const days = new Map<number, string>()
  return (at) => {
    const quarter = Math.floor(at / QUARTER)
    const known = days.get(quarter)
    if (known !== undefined) return known
    const day = localDay(quarter * QUARTER, timeZone)
    days.set(quarter, day)
    return day
  }
}

function shown({
  calls,
  uncached,
  read,
  written,
  output,
  costUsd,
  unpriced,
  reported,
  sessions,
}: Sum): BillSum {
  return {
    ...{ calls, sessions: sessions.size, tokens: { uncached, read, written, output } },
    ...{ costUsd: calls > 0 && unpriced === calls ? null : costUsd, unpriced, reported },
  }
}

function keyed([key, sum]: readonly [string, Sum]): KeyedSum {
  return { key, ...shown(sum) }
}

/** With equal cost, by tokens. */
function mostExpensiveFirst(one: KeyedSum, other: KeyedSum): number {
  const tokens = ({ tokens: { uncached, read, written, output } }: KeyedSum) =>
    uncached + read + written + output
  return (
    (other.costUsd ?? -1) - (one.costUsd ?? -1) ||
    tokens(other) - tokens(one) ||
    byCodePoint(one.key, other.key)
  )
}

function modelPrice([model, { price, calls, reported }]: readonly [string, PriceSeen]): ModelPrice {
  if (price === null) return { model, calls, kind: reported > 0 ? "client" : "unknown" }
  const { source, date, estimated } = price
  return { model, calls, kind: estimated ? "similar" : "list", source, date }
}
