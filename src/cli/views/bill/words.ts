// The words and figures that every form of a bill shares: names of clients and groups, causes as sentences, money, days.
import { clockFace } from "../../../base/clock-face.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { BillMiss, CostGroup, MissGroup } from "../../../capture/bill/bill.ts"
import { missFacts } from "../../../capture/bill/misses/miss-text.ts"
import { escapeHidden } from "../../../record/ask/log.ts"

export const GROUP_TITLES: Readonly<Record<CostGroup, string>> = {
  "tool-results": "tool results",
  output: "model output",
  conversation: "conversation",
  client: "the client itself",
  instructions: "instruction files",
  files: "other files",
  mcp: "MCP servers",
  skills: "skills",
  hooks: "hooks",
  "not-recorded": "not recorded",
}

/** Cents, with separators; in a bill of less than a dollar, hundredths of them. A little is never nothing. */
export function money(usd: number | null, digits = 2): string {
  if (usd === null) return "unknown"
  const size = Math.abs(usd)
  const sign = usd < 0 ? "−" : ""
  const least = 10 ** -digits
  if (size > 0 && size < least / 2) return `${sign}<$${least.toFixed(digits)}`
  const [whole = "0", cents = ""] = size.toFixed(digits).split(".")
  return `${sign}$${thousands(Number(whole))}.${cents}`
}

/** So that every figure of a bill has the same number of digits. */
export function digitsFor(total: number | null): number {
  return total !== null && total > 0 && total < 1 ? 4 : 2
}

/** `2.04M`, `182k`, `4,120`. */
export function tokenText(tokens: number): string {
  if (tokens >= 999_500) return `${(tokens / 1e6).toFixed(tokens >= 99.95e6 ? 0 : 2)}M`
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : thousands(Math.round(tokens))
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** `9–15 Nov`, `28 Oct–3 Nov`, `15 Nov`; with years if there are two. */
export function periodText(from: number, to: number, timeZone: string): string {
  const [first, last] = [clockFace(from, timeZone), clockFace(to, timeZone)]
  const month = ({ month: at }: { readonly month: number }) => MONTHS[at - 1] ?? ""
  if (first.year !== last.year)
    return `${first.day} ${month(first)} ${first.year}–${last.day} ${month(last)} ${last.year}`
  if (first.month !== last.month) return `${first.day} ${month(first)}–${last.day} ${month(last)}`
  return first.day === last.day ? `${last.day} ${month(last)}` : `${first.day}–${last.day} ${month(last)}`
}

/** `Tue 10 Nov 14:02`. */
function momentText(at: number, timeZone: string): string {
  const { year, month, day, hour, minute } = clockFace(at, timeZone)
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]
  return `${weekday} ${day} ${MONTHS[month - 1]} ${two(hour)}:${two(minute)}`
}

/** Every day from one to the other, as keys. */
export function daysBetween(first: string, last: string): readonly string[] {
  const [start, end] = [Date.parse(first), Date.parse(last)]
  const count = Math.max(0, Math.round((end - start) / DAY_MS)) + 1
  return Number.isNaN(count)
    ? []
    : Array.from({ length: count }, (_, at) => new Date(start + at * DAY_MS).toISOString().slice(0, 10))
}

export function weekdayOf(day: string): string {
  return WEEKDAYS[new Date(Date.parse(day)).getUTCDay()] ?? ""
}

/** `15 Nov`. */
export function dayText(day: string): string {
  return `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ""}`
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}

/** The lifetime of a cache as an adjective: `5-minute`, `1-hour`. */
function ttlText(ms: number | undefined): string {
  if (ms === undefined) return ""
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000}-hour ` : `${Math.round(ms / MINUTE_MS)}-minute `
}

/** What happened so often, in one line: `29 pauses longer than the 5-minute cache`. */
export function causeText({ cause, count, costliest, names }: MissGroup): string {
  const what = names.length === 0 ? "" : `: ${names.map(escapeHidden).join(", ")}`
  const many = (one: string, more: string) => `${thousands(count)} ${count === 1 ? one : more}`
  switch (cause) {
    case "expired":
      return `${plural(count, "pause")} longer than the ${ttlText(costliest.ttlMs)}cache`
    case "model-changed":
      return many("model switch in mid-session", "model switches in mid-session")
    case "tools-changed":
      return `${many("tool list that changed", "tool lists that changed")}${what}`
    case "text-changed":
      return `${plural(count, "edit")} of text before the conversation${what}`
    case "messages-changed":
      return `${many("conversation that was rewritten", "conversations that were rewritten")}${what}`
    case "settings-changed":
      return `${plural(count, "setting")} that changed${what}`
    case "compacted":
      return many("compacted conversation", "compacted conversations")
    case "look-back":
      return `${many("step", "steps")} with more blocks than the provider looks back`
    case "evicted":
      return `${many("miss", "misses")} of an unchanged prompt, dropped by the provider`
    case "unknown":
      return `${many("miss", "misses")} of unknown cause; requests not recorded`
  }
}

/** The costliest miss of a group: when, and what is known about it. Money and tokens are shown beside it. */
export function missText(miss: BillMiss, timeZone: string): string {
  return [momentText(miss.at, timeZone), ...missFacts(miss)].join(", ")
}
