// The rows behind a bill, by day, session, client, model, owner or cause: for `--by`, and folded in the HTML file.

import { plural, thousands } from "../../../base/text/figures.ts"
import type { Bill, BillSum, KeyedSum, OwnerCost } from "../../../capture/bill/bill.ts"
import { ownerText } from "../../../capture/bill/misses/miss-text.ts"
import { clientTitle } from "../../../capture/client-title.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { BILL_KEYS, type BillKey } from "./bill-key.ts"
import { causeText, digitsFor, missText, money, periodText } from "./words.ts"

export interface BillTable {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Undefined if the rows do not add up to anything. */
  readonly total: readonly string[] | undefined
  /** Rows that there was no room for. */
  readonly left: number
}

/** More than anybody reads; `--json` has all. */
const MOST_ROWS = 200

const SUM_HEADS = ["calls", "uncached", "read", "written", "output", "cost"]

export function tableBy(bill: Bill, key: BillKey): BillTable {
  switch (key) {
    case "day":
      return sums({ title: "By day", key, rows: bill.byDay, bill, name: (row) => escapeHidden(row.key) })
    case "client":
      return sums({ title: "By client", key, rows: bill.byClient, bill, name: (row) => clientTitle(row.key) })
    case "model":
      return sums({ title: "By model", key, rows: bill.byModel, bill, name: (row) => escapeHidden(row.key) })
    case "session":
      return sessions(bill)
    case "owner":
      return owners(bill)
    case "cause":
      return causes(bill)
  }
}

/** All tables, for a page that folds them. */
export function allTables(bill: Bill): readonly BillTable[] {
  return [...BILL_KEYS.map((key) => tableBy(bill, key)), misses(bill)]
}

interface Rows {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly total?: readonly string[]
}

function limited({ title, heads, rows, total }: Rows): BillTable {
  return { title, heads, rows: rows.slice(0, MOST_ROWS), total, left: Math.max(0, rows.length - MOST_ROWS) }
}

interface Sums<Row extends KeyedSum> {
  readonly title: string
  readonly key: string
  readonly rows: readonly Row[]
  readonly bill: Bill
  readonly name: (row: Row) => string
}

function sums<Row extends KeyedSum>({ title, key, rows, bill, name }: Sums<Row>): BillTable {
  return limited({
    title,
    heads: [key, ...SUM_HEADS],
    rows: rows.map((row) => [name(row), ...figures(row, digitsFor(bill.costUsd))]),
    total: ["total", ...figures(bill, digitsFor(bill.costUsd))],
  })
}

function figures({ calls, tokens, costUsd, unpriced }: BillSum, digits: number): readonly string[] {
  const { uncached, read, written, output } = tokens
  const counts = [calls, uncached, read, written, output].map((value) => thousands(Math.round(value)))
  return [...counts, `${money(costUsd, digits)}${costUsd !== null && unpriced > 0 ? "+" : ""}`]
}

function sessions(bill: Bill): BillTable {
  return limited({
    title: "By session",
    heads: ["session", "client", "when", "folder", ...SUM_HEADS],
    rows: bill.bySession.map((row) => [
      escapeHidden(row.key),
      clientTitle(row.client),
      periodText(row.from, row.to, bill.timeZone),
      row.project === undefined ? "" : escapeHidden(row.project),
      ...figures(row, digitsFor(bill.costUsd)),
    ]),
    total: ["total", "", "", "", ...figures(bill, digitsFor(bill.costUsd))],
  })
}

function owners(bill: Bill): BillTable {
  return limited({
    title: "By owner",
    heads: ["owner", "tokens", "calls", "carried", "carried cost"],
    rows: bill.owners.map((owner) => [
      ownerName(owner),
      thousands(Math.round(owner.tokens)),
      thousands(owner.calls),
      thousands(Math.round(owner.carriedTokens)),
      money(owner.carriedUsd, digitsFor(bill.costUsd)),
    ]),
    total: ["total", "", "", "", money(bill.costUsd, digitsFor(bill.costUsd))],
  })
}

function ownerName(owner: OwnerCost): string {
  const { others, match, times, used } = owner
  const many = others === undefined ? "" : ` (${thousands(others)} others)`
  const ran = times === undefined || times < 2 ? "" : `, ${thousands(times)} times`
  const called = used === undefined ? "" : used === 0 ? ", never used" : `, used ${plural(used, "time")}`
  const doubt = match === "exact" ? "" : match === "one-of" ? " (one of several)" : " (inferred)"
  return `${ownerText(owner)}${many}${ran}${called}${doubt}`
}

function causes({ missGroups, missedUsd, costUsd }: Bill): BillTable {
  const all = (pick: (group: Bill["missGroups"][number]) => number) =>
    thousands(Math.round(missGroups.reduce((sum, group) => sum + pick(group), 0)))
  return limited({
    title: "By cause of misses",
    heads: ["cause", "misses", "tokens", "cost"],
    rows: missGroups.map((group) => [
      causeText(group),
      thousands(group.count),
      thousands(Math.round(group.tokens)),
      money(group.costUsd, digitsFor(costUsd)),
    ]),
    total: [
      "total",
      all(({ count }) => count),
      all(({ tokens }) => tokens),
      money(missedUsd, digitsFor(costUsd)),
    ],
  })
}

function misses({ misses: all, timeZone, costUsd }: Bill): BillTable {
  return limited({
    title: "Every miss",
    heads: ["when and what", "cause", "client", "tokens", "cost"],
    rows: all.map((miss) => [
      missText(miss, timeZone),
      miss.cause,
      clientTitle(miss.client),
      thousands(Math.round(miss.tokens)),
      money(miss.costUsd, digitsFor(costUsd)),
    ]),
  })
}
