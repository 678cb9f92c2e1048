// The readable price of a change: when it is sent, what that costs now, and what it costs a day after.
import { isInDollars, type Terms } from "../../agent/models/terms.ts"
import { thousands } from "../../base/text/figures.ts"
import type { ChangePrice, Extra, Impact } from "../../render/cache/change-price.ts"
import { painter } from "./colour.ts"
import type { Page } from "./page.ts"
import { cells, fitCell, wrap } from "./widths.ts"

/** The question and its result. */
export interface PriceResult {
  readonly what: string
  readonly terms: Terms
  readonly conversation: number
  readonly callsADay: number
  readonly price: Pick<ChangePrice, "atOnce" | "nextEpoch"> & Partial<ChangePrice>
}

const HOW = {
  append: "appended to the next message",
  wait: "waits until the prompt is rebuilt",
  rebuild: "the prompt is rebuilt",
} as const

export function priceView(result: PriceResult, page: Page): string {
  const { what, terms, conversation, callsADay, price } = result
  const paint = painter(page)
  const wrapped = (text: string) => wrap(text, page.columns)
  if (price.how === "none") return `${wrapped(`${what} does not change this prompt.`).join("\n")}\n`
  const about = `${what}, in a session with ${thousands(conversation)} tokens of conversation`
  const terse = `simulated for ${terms.model} at ${thousands(callsADay)} calls per day`
  return [
    ...wrapped(about).map((line) => line.replace(what, paint("bold", what))),
    ...wrapped(terse).map((line) => paint("dim", line)),
    "",
    ...priceTable(result, page),
    "",
    ...wrap(savedWords(result), page.columns - 2).map((line) => `  ${line}`),
    "",
  ].join("\n")
}

function priceTable({ terms, callsADay, price }: PriceResult, page: Page): readonly string[] {
  const paint = painter(page)
  const money = (extra: Extra, times: number) => moneyWords(extra, times, isInDollars(terms))
  const row = (title: string, { now, later }: Impact, note: string) => [
    title,
    money(now, 1),
    money(later, callsADay),
    note,
  ]
  const how = price.how === "none" ? undefined : price.how
  const rows = [
    ["", "now", "per day", ""],
    row("at once", price.atOnce, `${thousands(price.atOnce.rewritten)} tokens not read from the cache`),
    ...(price.asSent && how ? [row("as Incipit does it", price.asSent, HOW[how])] : []),
    row("at the rebuild", price.nextEpoch, "everything is written again anyway"),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((cell) => cells(cell[at] ?? ""))))
  const figures = ([title = "", now = "", day = ""]: readonly string[]) =>
    `  ${fitCell(title, widths[0] ?? 0)}  ${fitCell(now, widths[1] ?? 0, "right")}  ${fitCell(day, widths[2] ?? 0, "right")}`
  // If one note does not fit beside its figures, all go below them.
  const isBeside = rows.every((texts) => cells(`${figures(texts)}  ${texts[3]}`) <= page.columns)
  return rows.flatMap((texts, at) => {
    const [note = ""] = texts.slice(3)
    if (at === 0) return [paint("dim", figures(texts))]
    if (isBeside) return [`${figures(texts)}  ${note}`]
    return [figures(texts), ...wrap(note, page.columns - 4).map((line) => paint("dim", `    ${line}`))]
  })
}

/** The extra cost of sending a change at once instead of at the next epoch, when everything is rewritten anyway. */
function savedWords({ terms, price: { atOnce, nextEpoch } }: PriceResult): string {
  const isPriced = isInDollars(terms) && atOnce.now.usd !== null && nextEpoch.now.usd !== null
  const [early, late] = [atOnce, nextEpoch].map(({ now }) => (isPriced ? now.usd : now.units) ?? undefined)
  if (early === undefined || late === undefined)
    return "The saving from waiting for the next rebuild is unknown: a price is missing."
  const saved = early - late
  return `Waiting for the next rebuild saves ${saved > 0 ? sizeWords(saved, isPriced) : "nothing"}.`
}

/** The extra cost; in uncached tokens if no price is known or everything is free. */
function moneyWords({ units, usd }: Extra, times: number, isInUsd: boolean): string {
  const isPriced = isInUsd && usd !== null
  const amount = isPriced ? usd : units
  if (amount === undefined) return "unknown"
  return `${amount < 0 ? "-" : "+"}${sizeWords(Math.abs(amount * times), isPriced)}`
}

function sizeWords(size: number, isPriced: boolean): string {
  return isPriced ? `$${size.toFixed(4)}` : `${thousands(Math.round(size))} tok`
}
