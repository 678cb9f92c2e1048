// What calls cost, by day, session, person, model, turn, section or file. Days and totals come from sums that outlive
// the events. A caller with limited sight gets sums over only the events that it may see. Every token has one kind, and
// a call without a known price is counted as unpriced, never as free.
import type { CostKey } from "../../base/cost-keys.ts"
import { byCodePoint } from "../../base/order.ts"
import {
  type CostAnswer,
  type CostFigures,
  type CostQuestion,
  QUARTER_MS,
} from "../../database/contract/record/costs.ts"
import type { Sight } from "../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { isOffline } from "../prices/offline-calls.ts"
import { localDay } from "./zone.ts"

/** What costs are summed by, and over which time. */
export interface CostOptions {
  readonly by: CostKey
  /** Milliseconds since 1970; widened to whole quarters of an hour, the resolution of the sums. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly timeZone: string
  readonly sight?: Sight | undefined
}

/** Tokens and dollars of several calls. */
export interface CostSums {
  /** Null for sections and files: a call has many of them. */
  readonly calls: number | null
  /** Calls without a known price; they are in no sum of dollars. For a section or file: parts of calls. */
  readonly unpriced: number
  readonly uncached: number
  readonly read: number
  readonly write: number
  readonly output: number
  /** Null if no call has a known price. */
  readonly costUsd: number | null
}

/** The costs of one day, session, model or another key. */
export interface CostRow extends CostSums {
  readonly key: string
}

/** Costs in rows, with their total. */
export interface CostReport {
  readonly by: CostKey
  /** After widening; absent if the range is open. */
  readonly since?: number
  readonly until?: number
  readonly timeZone: string
  /** Days in order, others by cost; unknown costs come first. */
  readonly rows: readonly CostRow[]
  readonly total: CostSums
  /** The turns with calls in the range, counting only those calls. */
  readonly turns: { readonly count: number; readonly averageUsd: number | null; readonly unpriced: number }
  /** Calls whose tokens are unknown, too. */
  readonly unmeasured: number
  /** Of all calls in the range, those of the offline model: free, with simulated cache figures. */
  readonly offline: number
}

/** Sums up what model calls cost: by day, session, user, model, turn, section or file. */
export async function costs(store: RecordStore, options: CostOptions): Promise<CostReport> {
  const { by, timeZone, sight } = options
  const { first, end } = rangeOf(options)
  const { rows, total, turns, unpricedCalls, unmeasured } = await store.costs({ by, first, end, sight })
  const models = by === "model" ? rows : (await store.costs({ by: "model", first, end, sight })).rows
  // Sections and files are parts of the input only.
  const isInput = by === "section" || by === "file"
  const keyed = rows.map(({ key, ...figures }) => withCost({ key, ...sums(figures, isInput) }))
  const all = total && sumsOf(withCost({ key: "", ...sums(total, isInput) }))
  return {
    by,
    ...(first !== undefined && { since: first * QUARTER_MS }),
    ...(end !== undefined && { until: end * QUARTER_MS }),
    timeZone,
    rows: by === "day" ? byDay(keyed, timeZone) : keyed.toSorted(mostExpensiveFirst),
    // From the calls: each unpriced call has several unpriced sections.
    total: all === undefined ? none(isInput) : isInput ? { ...all, unpriced: unpricedCalls } : all,
    turns: averageOf(turns),
    unmeasured,
    offline: models.reduce((sum, { key, calls }) => sum + (isOffline(key) ? calls : 0), 0),
  }
}

/** Whole quarters; the end is excluded. */
function rangeOf({ since, until }: CostOptions): Pick<CostQuestion, "first" | "end"> {
  return {
    first: since === undefined ? undefined : Math.floor(since / QUARTER_MS),
    end: until === undefined ? undefined : Math.ceil(until / QUARTER_MS),
  }
}

function sums(figures: CostFigures, isInput: boolean): CostSums {
  const { calls, unpriced, fresh, cacheRead, cacheWrite, output, costUsd } = figures
  return {
    ...{ calls: isInput ? null : calls, unpriced, uncached: fresh, read: cacheRead, write: cacheWrite },
    ...{ output, costUsd },
  }
}

function withCost(row: CostRow): CostRow {
  // For sections and files, the number of calls is unknown; only the number without a price is known.
  const isUnknown =
    row.calls === null ? row.unpriced > 0 && row.costUsd === 0 : row.calls > 0 && row.calls === row.unpriced
  return isUnknown ? { ...row, costUsd: null } : row
}

function sumsOf({ key, ...rest }: CostRow): CostSums {
  return rest
}

function none(isInput: boolean): CostSums {
  return { calls: isInput ? null : 0, unpriced: 0, uncached: 0, read: 0, write: 0, output: 0, costUsd: 0 }
}

/** If a clock changes within a quarter, which is very rare, that quarter belongs to the day of its start. */
function byDay(quarters: readonly CostRow[], timeZone: string): readonly CostRow[] {
  const days = Map.groupBy(quarters, ({ key }) => localDay(Number(key) * QUARTER_MS, timeZone))
  return [...days]
    .map(([day, rows]) => ({ key: day, ...sumsOf(rows.reduce(added)) }))
    .toSorted((one, other) => byCodePoint(one.key, other.key))
}

function added(one: CostRow, other: CostRow): CostRow {
  return withCost({
    key: one.key,
    calls: (one.calls ?? 0) + (other.calls ?? 0),
    unpriced: one.unpriced + other.unpriced,
    uncached: one.uncached + other.uncached,
    read: one.read + other.read,
    write: one.write + other.write,
    output: one.output + other.output,
    costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0),
  })
}

/** With equal cost, such as zero, by tokens. Sums that differ only by the order in which they were added are equal. */
function mostExpensiveFirst(one: CostRow, other: CostRow): number {
  const tokens = ({ uncached, read, write, output }: CostRow) => uncached + read + write + output
  const cost = ({ costUsd }: CostRow) => (costUsd === null ? Number.MAX_VALUE : Math.round(costUsd * 1e12))
  return cost(other) - cost(one) || tokens(other) - tokens(one) || byCodePoint(one.key, other.key)
}

/** Calls outside turns are in no average. */
function averageOf({ count, calls, unpriced, costUsd }: CostAnswer["turns"]): CostReport["turns"] {
  const isUnknown = count === 0 || unpriced === calls
  return { count, averageUsd: isUnknown ? null : costUsd / count, unpriced }
}
