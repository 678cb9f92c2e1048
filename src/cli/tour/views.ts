// What the tour shows behind an answer: the text sent, read, written and paid for; what each audience would see; what
// is waiting.

import { plural, thousands } from "../../base/text/figures.ts"
import type { Trust } from "../../base/trust.ts"
import { type Entry, isSeen, type Plan } from "../../core/model/plan.ts"
import type { Hit } from "../../memory/search.ts"
import { dollars } from "../../record/ask/log.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { costOf, inputOf, type Price, type Usage } from "../../render/cache/price.ts"
import { writePremium } from "../../render/cache/write-premium.ts"
import { type Paint, painter } from "../views/colour.ts"
import { hitPlace } from "../views/memory-view.ts"
import type { Page } from "../views/page.ts"
import { cells, fitCell, wrap } from "../views/widths.ts"

export interface TurnFigures {
  readonly plan: Plan
  readonly calls: number
  readonly usage: Usage
  /** The price of the answering model, or of the one that the offline model simulates. */
  readonly price: Price | null
  readonly rule: CacheRule
  /** The provider's figure; undefined if none was called. */
  readonly costUsd: number | null | undefined
}

export function turnFiguresView(figures: TurnFigures, page: Page): readonly string[] {
  const { plan, calls, usage } = figures
  const { tools, head, tail, conversation } = plan.budget
  const count = (kind: Entry["kind"]) =>
    plan.entries.filter((entry) => entry.kind === kind && isSeen(entry)).length
  const sent = [
    `${plural(count("section"), "section")} ${thousands(head.used + tail.used)}`,
    `${plural(count("tool"), "tool")} ${thousands(tools)}`,
    `conversation ${thousands(conversation)}`,
  ]
  const read = [
    `${thousands(usage.read)} read`,
    `${thousands(inputOf(usage) - usage.read - usage.uncached)} written`,
    `${thousands(usage.uncached)} uncached`,
  ]
  const premium = writePremium(usage, figures.rule)
  return facts(
    [
      ["sent", `${sent.join(", ")}: ${plural(tools + head.used + tail.used + conversation, "token")}`],
      ["cache", `${read.join(", ")}, in ${plural(calls, "call")}`],
      ["cost", billText(billOf(figures))],
      ...(premium === undefined ? [] : [["", premium] as const]),
    ],
    page,
  )
}

/** What calls cost, and what they would have cost without a cache. */
export interface Bill {
  readonly usd: number | null
  readonly withoutCacheUsd: number | null
  /** No provider was called. */
  readonly isSimulated: boolean
}

export function billOf({ usage, price, costUsd }: Pick<TurnFigures, "usage" | "price" | "costUsd">): Bill {
  return {
    usd: costUsd === undefined ? costOf(usage, price) : costUsd,
    withoutCacheUsd: costOf({ uncached: inputOf(usage), read: 0, write: {}, output: usage.output }, price),
    isSimulated: costUsd === undefined,
  }
}

export function billText({ usd, withoutCacheUsd, isSimulated }: Bill): string {
  if (usd === null) return "unknown: no price is known for this model"
  const without = withoutCacheUsd === null ? "" : `; without a cache ${dollars(withoutCacheUsd)}`
  return `${dollars(usd)}${isSimulated ? " simulated" : ""}${without}`
}

/** The sum is unknown if one of its parts is. */
export function sumOf(bills: readonly Bill[]): Bill {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce((all, value) => (all === null || value === null ? null : all + value), 0)
  return {
    usd: sum(bills.map(({ usd }) => usd)),
    withoutCacheUsd: sum(bills.map(({ withoutCacheUsd }) => withoutCacheUsd)),
    isSimulated: bills.some(({ isSimulated }) => isSimulated),
  }
}

/** Names beside their texts; long texts wrap below themselves. */
function facts(rows: readonly (readonly [string, string])[], { columns, colour }: Page): readonly string[] {
  const paint = painter({ colour })
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, text]) =>
    wrap(text, columns - width - 4).map(
      (line, at) => `  ${paint("dim", fitCell(at === 0 ? name : "", width))}  ${line}`,
    ),
  )
}

/** The hits of a search with the cost of loading each, then how many of them others would find. */
export function memoryView(
  hits: readonly Hit[],
  others: readonly { readonly trust: Trust; readonly count: number }[],
  page: Page,
): readonly string[] {
  if (hits.length === 0) return ["  nothing found in memory"]
  const shown = hits.slice(0, MAX_HITS)
  const size = Math.max(...shown.map(({ tokens }) => thousands(tokens).length))
  const left = hits.length - shown.length
  const found = others.map(({ trust, count }) => `${trust} ${thousands(count)}`).join(", ")
  const sum = hits.reduce((all, { tokens }) => all + tokens, 0)
  return [
    ...shown.map((hit) =>
      fitted(`  ${fitCell(thousands(hit.tokens), size, "right")} tokens  ${hitPlace(hit)}`, page),
    ),
    ...(left > 0 ? [`  and ${thousands(left)} more`] : []),
    ...indented(`${plural(sum, "token")} in total. Hits by trust: ${found}.`, page),
  ]
}

const MAX_HITS = 4

export interface AudiencePlan {
  readonly who: string
  readonly plan: Plan
}

/** Below this width there is no room for the situation. */
const MIN_WITH_SITUATION = 64

/** The sections that differ between audiences, with their tokens. */
export function audiencesView(audiences: readonly AudiencePlan[], page: Page): readonly string[] {
  const paint = painter(page)
  const ids = new Set(audiences.flatMap(({ plan }) => plan.entries.filter(isInHead).map(({ id }) => id)))
  const row = (title: string, cell: (plan: Plan) => string) => [
    title,
    ...audiences.map(({ plan }) => cell(plan)),
  ]
  const differing = [...ids]
    .map((id) => row(id, (plan) => cellOf(plan, id)))
    .filter(([, ...texts]) => new Set(texts).size > 1)
  const heads = [
    ["", ...audiences.map(({ who }) => who)],
    row("section", ({ audience: { trust, situation } }) =>
      page.columns < MIN_WITH_SITUATION ? trust : `${trust}, ${situation}`,
    ),
  ]
  const sums = [
    row("all tools", ({ entries }) => thousands(entries.filter(isSent).length)),
    row("all tokens", ({ budget }) => thousands(budget.head.used)),
  ]
  const rows = [...differing, ...sums]
  const line = columnsOf([...heads, ...rows], page)
  return [
    ...heads.map((texts) => paint("dim", line(texts))),
    ...rows.map(line),
    ...audiences.flatMap((audience) => withheldLines(audience, page, paint)),
  ].map((text) => text.trimEnd())
}

/** Leaves out text that changes with every turn. */
function isInHead({ kind, pace, tokens }: Entry): boolean {
  return kind === "section" && pace !== "turn" && tokens > 0
}

function isSent({ kind, outcome }: Entry): boolean {
  return kind === "tool" && outcome.kind !== "withheld"
}

function cellOf({ entries }: Plan, id: string): string {
  const entry = entries.find((one) => one.kind === "section" && one.id === id)
  if (entry === undefined) return "-"
  if (entry.outcome.kind === "withheld") return "withheld"
  return entry.tokens > 0 ? thousands(entry.tokens) : "-"
}

function withheldLines({ who, plan }: AudiencePlan, page: Page, paint: Paint): readonly string[] {
  const files = plan.hidden.filter(({ why }) => why === "trust").map(({ path }) => path)
  if (files.length === 0) return []
  return indented(`withheld from ${who}: ${files.join(", ")}`, page).map((text) => paint("yellow", text))
}

/** Lays out rows: the first column gets the width that the others leave. */
function columnsOf(rows: readonly (readonly string[])[], { columns }: Page) {
  const gap = columns < MIN_WITH_SITUATION ? 1 : 2
  const [first = 0, ...sizes] = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => cells(row[at] ?? ""))),
  )
  const most = Math.floor((columns - 2 - MIN_NAME) / Math.max(1, sizes.length)) - gap
  const widths = sizes.map((size) => Math.min(size, most))
  const own = Math.min(
    first,
    widths.reduce((room, size) => room - size - gap, columns - 2),
  )
  return (texts: readonly string[]) =>
    `  ${texts.map((text, at) => (at === 0 ? fitCell(text, own) : fitCell(text, widths[at - 1] ?? 0, "right"))).join(" ".repeat(gap))}`
}

const MIN_NAME = 11

/** Sections of the head whose text has changed since the model got it. */
export function waitingChangesView(plan: Plan, page: Page): readonly string[] {
  const head = plan.entries.filter(
    (entry) => entry.kind === "section" && entry.pace !== "turn" && isSeen(entry),
  )
  const waiting = head.filter(({ sent, current }) => sent !== current)
  const others = head.length - waiting.length
  const rest =
    head.reduce((sum, { tokens }) => sum + tokens, 0) - waiting.reduce((sum, { tokens }) => sum + tokens, 0)
  const rows = [
    ["section", "tokens", "what the model has"],
    ...waiting.map(({ id, tokens }) => [id, thousands(tokens), "the text before the change"]),
    [plural(others, waiting.length === 0 ? "section" : "other"), thousands(rest), "the current text"],
  ]
  const size = (at: number) => Math.max(...rows.map((row) => cells(row[at] ?? "")))
  const [name, tokens] = [size(0), size(1)]
  return rows.flatMap(([id = "", count = "", text = ""], at) => {
    const start = `  ${fitCell(id, name)}  ${fitCell(count, tokens, "right")}  `
    const lines = wrap(text, page.columns - cells(start)).map((part, index) =>
      index === 0 ? start + part : " ".repeat(cells(start)) + part,
    )
    return at === 0 ? lines.map((line) => painter(page)("dim", line)) : lines
  })
}

export function indented(text: string, { columns }: Page): readonly string[] {
  return wrap(text, columns - 2).map((line) => `  ${line}`)
}

function fitted(text: string, { columns }: Page): string {
  return fitCell(text, Math.min(columns, cells(text)))
}
