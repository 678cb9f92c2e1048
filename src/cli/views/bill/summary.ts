// A bill in the order and the words in which people read it. Terminal, Markdown and HTML are made from this, so they say
// the same. Everything that comes from a client's files has its invisible characters written out here.
import { bytesText } from "../../../base/data-size.ts"
import { percent, plural, thousands } from "../../../base/text/figures.ts"
import type { Advice, Bill, BillSum, GroupCost, KeyedSum } from "../../../capture/bill/bill.ts"
import { clientTitle } from "../../../capture/client-title.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { isOffline, OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import {
  causeText,
  daysBetween,
  dayText,
  digitsFor,
  GROUP_TITLES,
  missText,
  money,
  periodText,
  tokenText,
  weekdayOf,
} from "./words.ts"

export interface BillSummary {
  /** `Claude Code, 9–15 Nov`. */
  readonly title: string
  /** `31 sessions, 1,412 calls, claude-opus-5-5`. */
  readonly facts: string
  /** Dollars, or tokens if no price is known. */
  readonly spent: string
  readonly cached: string
  readonly priceNotes: readonly string[]
  readonly days: readonly DayMark[]
  /** One row for each client, if there are several. */
  readonly clients: readonly ClientRow[]
  readonly where: readonly WhereRow[]
  readonly twice: { readonly spent: string; readonly rows: readonly TwiceRow[] }
  readonly advice: readonly AdviceRow[]
  /** What is exact, what is estimated, and what would make it exact. */
  readonly exactness: readonly string[]
  readonly reading: string
}

export interface DayMark {
  readonly label: string
  /** Of the largest day, from 0 to 1. */
  readonly height: number
  readonly hasCalls: boolean
  readonly spent: string
}

export interface ClientRow {
  readonly name: string
  readonly sessions: string
  readonly calls: string
  readonly spent: string
  readonly cached: string
  /** Of all, from 0 to 1. */
  readonly share: number
}

export interface WhereRow {
  readonly name: string
  readonly spent: string
  readonly share: number
  readonly percent: string
  /** The most important first; there may not be room for all. */
  readonly notes: readonly string[]
}

export interface TwiceRow {
  readonly text: string
  readonly tokens: string
  readonly spent: string
  /** The one miss, or the costliest of several. */
  readonly detail: string
  /** Empty for the one miss, whose figures the row has. */
  readonly detailSpent: string
}

export interface AdviceRow {
  readonly isWorth: boolean
  readonly text: string
  readonly command: string | undefined
  readonly saves: string
}

export function summaryOf(bill: Bill): BillSummary {
  const digits = digitsFor(bill.costUsd)
  return {
    title: titleOf(bill),
    facts: factsOf(bill),
    spent: spentOf(bill, digits),
    cached: `${cachedOf(bill)} from the cache`,
    priceNotes: priceNotes(bill),
    days: daysOf(bill, digits),
    clients: bill.byClient.length > 1 ? bill.byClient.map((row) => clientRow(row, bill, digits)) : [],
    where: bill.groups.filter(({ share }) => share > 0).map((group) => whereRow(group, bill, digits)),
    twice: { spent: money(bill.missedUsd, digits), rows: twiceRows(bill, digits) },
    advice: bill.advice.map((advice) => adviceRow(advice, digits)),
    exactness: exactnessOf(bill),
    reading: readingText(bill),
  }
}

function titleOf({ byClient, from, to, timeZone }: Bill): string {
  const [only, second] = byClient
  const who =
    only === undefined ? "" : second === undefined ? clientTitle(only.key) : plural(byClient.length, "client")
  return from === undefined || to === undefined ? who : `${who}, ${periodText(from, to, timeZone)}`
}

function factsOf({ sessions, calls, byModel }: Bill): string {
  const [first, ...others] = byModel
  const models =
    first === undefined
      ? []
      : [
          others.length === 0
            ? escapeHidden(first.key)
            : `${escapeHidden(first.key)} and ${others.length} more`,
        ]
  return [plural(sessions, "session"), plural(calls, "call"), ...models].join(", ")
}

/** With a plus if some calls have no price. */
function spentOf(sum: BillSum, digits: number): string {
  if (sum.costUsd === 0 && sum.unpriced === 0) return "free"
  if (sum.costUsd === null) return `${tokenText(allTokens(sum))} tokens`
  return `${money(sum.costUsd, digits)}${sum.unpriced > 0 ? "+" : ""}`
}

function allTokens({ tokens }: BillSum): number {
  return tokens.uncached + tokens.read + tokens.written + tokens.output
}

function cachedOf({ tokens }: BillSum): string {
  return percent(tokens.read, tokens.uncached + tokens.read + tokens.written)
}

/** Clients that people mostly use on a subscription. */
const SUBSCRIBED: ReadonlySet<string> = new Set(["claude-code", "codex", "gemini-cli", "opencode"])

function priceNotes({ costUsd, unpriced, reported, prices, byClient, byModel }: Bill): readonly string[] {
  const isSubscribed = byClient.some(({ key }) => SUBSCRIBED.has(key))
  const named = (kind: (typeof prices)[number]["kind"]) =>
    prices.filter((price) => price.kind === kind).map(({ model }) => escapeHidden(model))
  const [unknown, similar] = [named("unknown"), named("similar")]
  return [
    ...(costUsd === null || byModel.every(({ key }) => isOffline(key))
      ? []
      : [`at API list prices${isSubscribed ? "; on a subscription, read the shares" : ""}`]),
    ...(byModel.some(({ key }) => isOffline(key)) ? [OFFLINE_CALLS] : []),
    ...(unpriced === 0
      ? []
      : [`${plural(unpriced, "call")} without a known price not included (${few(unknown)})`]),
    ...(similar.length === 0 ? [] : [`price of a similar model used for ${few(similar)}`]),
    ...(reported === 0 ? [] : [`${plural(reported, "call")} at the price that the client reports`]),
  ]
}

function few(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ")
}

/** Of a longer period, only days with calls are drawn: a single wrong date could make it thousands of years. */
const MOST_DAYS = 1000

/** From the start of a period of a week, so that its days without calls show. */
function daysOf({ byDay, since, from, to, timeZone }: Bill, digits: number): readonly DayMark[] {
  if (from === undefined || to === undefined) return []
  const first = since !== undefined && to - since < 8 * 86_400_000 ? since : from
  const sums = new Map(byDay.map((row) => [row.key, row]))
  const size = (row: KeyedSum | undefined) => row?.costUsd ?? 0
  // Unknown or free.
  const inTokens = byDay.every(({ costUsd }) => costUsd === null || costUsd === 0)
  const height = (row: KeyedSum | undefined) => (inTokens ? (row ? allTokens(row) : 0) : size(row))
  const days =
    to - first < MOST_DAYS * 86_400_000
      ? daysBetween(localDay(first, timeZone), localDay(to, timeZone))
      : byDay.slice(-MOST_DAYS).map(({ key }) => key)
  const most = byDay.reduce((max, row) => Math.max(max, height(row)), 0)
  return days.map((day) => {
    const row = sums.get(day)
    return {
      label: days.length <= 7 ? weekdayOf(day) : dayText(day),
      height: most === 0 ? 0 : height(row) / most,
      hasCalls: row !== undefined,
      spent: row === undefined ? "" : spentOf(row, digits),
    }
  })
}

function clientRow(row: KeyedSum, bill: Bill, digits: number): ClientRow {
  const share =
    bill.costUsd === null
      ? allTokens(row) / Math.max(1, allTokens(bill))
      : (row.costUsd ?? 0) / (bill.costUsd || 1)
  return {
    name: clientTitle(row.key),
    sessions: thousands(row.sessions),
    calls: thousands(row.calls),
    spent: spentOf(row, digits),
    cached: cachedOf(row),
    share,
  }
}

function whereRow(group: GroupCost, { byClient }: Bill, digits: number): WhereRow {
  const [only, second] = byClient
  const isOne = only !== undefined && second === undefined
  const own = isOne ? `${clientTitle(only.key)} itself` : "the clients themselves"
  return {
    name: group.group === "client" ? own : GROUP_TITLES[group.group],
    spent: group.costUsd === null ? "" : money(group.costUsd, digits),
    share: group.share,
    percent: percent(group.share, 1).replace("under ", "<"),
    notes: notesOf(group, isOne, digits),
  }
}

function notesOf(
  { group, items, count, used }: GroupCost,
  isOne: boolean,
  digits: number,
): readonly string[] {
  const named = items
    .slice(0, 3)
    .map(
      ({ name, costUsd }) => `${escapeHidden(name)}${costUsd === null ? "" : ` ${money(costUsd, digits)}`}`,
    )
  switch (group) {
    case "output":
    case "conversation":
      return []
    case "client":
      return [isOne ? "its own prompt and tools" : "their own prompts and tools"]
    case "not-recorded":
      return ["in no file here"]
    case "skills":
      return used === undefined ? named : [`${thousands(count)} listed, ${thousands(used)} used`]
    case "mcp":
      return used === undefined || used >= count
        ? named
        : [`${count - used} of ${count} never used`, ...named]
    default:
      return named
  }
}

function twiceRows({ missGroups, timeZone }: Bill, digits: number): readonly TwiceRow[] {
  return missGroups.map((group) => {
    const { count, costliest } = group
    const text = missText(costliest, timeZone)
    return {
      text: causeText(group),
      tokens: tokenText(group.tokens),
      spent: money(group.costUsd, digits),
      detail: count === 1 ? text : `costliest: ${text}, ${tokenText(costliest.tokens)} tokens`,
      detailSpent: count === 1 ? "" : money(costliest.costUsd, digits),
    }
  })
}

function adviceRow({ text, command, savesUsd }: Advice, digits: number): AdviceRow {
  return {
    isWorth: savesUsd > 0,
    // After "Not worth it:".
    text: escapeHidden(savesUsd > 0 ? text : text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())),
    command: command === undefined ? undefined : escapeHidden(command),
    saves: savesUsd > 0 ? `−${money(savesUsd, digits)}` : `+${money(-savesUsd, digits)}`,
  }
}

function exactnessOf({ calls, exact, estimatedCalls, estimated }: Bill): readonly string[] {
  if (calls === 0) return []
  if (exact) return [calls === 1 ? "The call is exact." : `All ${thousands(calls)} calls are exact.`]
  const counts = `${plural(calls - estimatedCalls, "call")} exact, ${thousands(estimatedCalls)} estimated.`
  return [
    `${counts} Tokens are exact for all; what is estimated is whose they were.`,
    ...estimated.map(
      ({ client, calls: count, why, fix }) =>
        `${plural(count, "call")} of ${clientTitle(client)}: ${sentenceEnd(escapeHidden(why))} To make the next ones exact: ${escapeHidden(fix)}`,
    ),
  ]
}

function sentenceEnd(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function readingText({ reading }: Pick<Bill, "reading">): string {
  const { bytes, files, usageMs, detailMs, duplicates } = reading
  const seconds = (usageMs + detailMs) / 1000
  const twice = duplicates === 0 ? "" : ` ${plural(duplicates, "call")} found twice counted once.`
  const time = seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))
  return `Read ${bytesText(bytes)} in ${plural(files, "file")} in ${time} s.${twice} Nothing was changed or sent anywhere.`
}
