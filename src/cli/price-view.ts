// The readable price of a change: when it is told, what that costs now, and what it costs a day after.
import type { Extra, Impact } from "../render/change-price.ts"
import type { PriceResult } from "./price.ts"
import { cells, fitCell, painter, type Terminal, thousands } from "./terminal.ts"

const HOW = {
  update: "told in the next message",
  hold: "held until the next epoch",
  rebase: "the head can not stay",
} as const

export function priceView(result: PriceResult, terminal: Terminal): string {
  const { what, terms, conversation, callsADay, price } = result
  const paint = painter(terminal)
  const row = (title: string, impact: Impact, note: string) => [
    title,
    money(impact.now, 1),
    money(impact.later, callsADay),
    note,
  ]
  const rewritten = `${thousands(price.atOnce.rewritten)} tokens not read from the cache`
  const rows = [
    ["", "now", "a day", ""],
    row("at once", price.atOnce, rewritten),
    ...(price.asTold && price.how ? [row("as Incipit does it", price.asTold, HOW[price.how])] : []),
    row("at the next epoch", price.nextEpoch, "all is written anew then anyway"),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((cell) => cells(cell[at] ?? ""))))
  const line = (texts: readonly string[]) => {
    const [title = "", now = "", day = "", note = ""] = texts
    const figures = `${fitCell(now, widths[1] ?? 0, "right")}  ${fitCell(day, widths[2] ?? 0, "right")}`
    return fitCell(`  ${fitCell(title, widths[0] ?? 0)}  ${figures}  ${note}`, terminal.columns).trimEnd()
  }
  const saved = difference(price.atOnce.now, price.nextEpoch.now)
  return [
    `${paint("bold", what)}, in a session with ${thousands(conversation)} tokens of conversation`,
    paint("dim", `simulated for ${terms.model} at ${thousands(callsADay)} calls a day`),
    "",
    ...rows.map((texts, at) => (at === 0 ? paint("dim", line(texts)) : line(texts))),
    "",
    `  waiting for the next epoch saves ${money(saved, 1).replace("+", "")}`,
    "",
  ].join("\n")
}

function difference(a: Extra, b: Extra): Extra {
  return { units: a.units - b.units, usd: a.usd === null || b.usd === null ? null : a.usd - b.usd }
}

/** What it costs more; where no price is known, in fresh tokens. */
function money({ units, usd }: Extra, times: number): string {
  const sign = (usd ?? units) < 0 ? "-" : "+"
  if (usd === null) return `${sign}${thousands(Math.round(Math.abs(units * times)))} tok`
  return `${sign}$${Math.abs(usd * times).toFixed(4)}`
}
