// The readable result of a simulation: layouts side by side, then the calls of the first one as bars.
import { inputOf, type Price } from "../render/price.ts"
import type { SimulatedCall } from "../render/simulate.ts"
import type { SimulateResult } from "./simulate.ts"
import { cells, fitCell, type Paint, painter, plural, type Terminal, thousands, wrap } from "./terminal.ts"

export function simulateView(result: SimulateResult, terminal: Terminal): string {
  const paint = painter(terminal)
  const lines = [
    ...heading(result, terminal.columns, paint),
    "",
    ...layoutTable(result, paint),
    "",
    ...callChart(result, terminal.columns, paint),
  ]
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`
}

function heading({ terms, simulated }: SimulateResult, width: number, paint: Paint): readonly string[] {
  const calls = simulated[0]?.calls ?? []
  const minutes = ((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)) / 60_000
  const { rule, price } = terms
  const known =
    rule.date === ""
      ? "no cache rule is known for it: nothing is cached"
      : `cache rule ${rule.id} of ${rule.date}`
  const said = `${known}, ${priceWords(price)}`
  return [
    `${paint("bold", "Simulated")}: ${plural(calls.length, "call")} in ${minutes.toFixed(0)} min to ${paint("bold", terms.model)}`,
    ...wrap(said, width).map((line) => paint("dim", line)),
  ]
}

function priceWords(price: Price | null): string {
  if (price === null) return "price unknown"
  const known = `$${price.input} in and $${price.output} out per million tokens`
  return price.estimated ? `${known}, an estimate from ${price.model}` : known
}

const COLUMNS = ["layout", "hit", "read", "written", "fresh", "input cost", "times"]

function layoutTable({ terms, simulated, boundUnits }: SimulateResult, paint: Paint): readonly string[] {
  const first = simulated[0]
  if (first === undefined) return []
  const against = first.simulation.units
  const rows = simulated.map(({ layout, simulation }) => [
    layout,
    simulation.hitRatio.toFixed(2),
    thousands(simulation.usage.read),
    thousands(inputOf(simulation.usage) - simulation.usage.read - simulation.usage.fresh),
    thousands(simulation.usage.fresh),
    costWords(simulation.units, simulation.inputUsd),
    against === 0 ? "" : `${(simulation.units / against).toFixed(2)}`,
  ])
  const bound =
    boundUnits === undefined
      ? []
      : [
          [
            "bound",
            "",
            "",
            "",
            "",
            costWords(boundUnits, dollars(boundUnits, terms.price)),
            against === 0 ? "" : (boundUnits / against).toFixed(2),
          ],
        ]
  const all = [COLUMNS, ...rows, ...bound]
  const widths = COLUMNS.map((_, at) => Math.max(...all.map((row) => cells(row[at] ?? ""))))
  const line = (row: readonly string[]) =>
    `  ${row.map((text, at) => fitCell(text, widths[at] ?? 0, at === 0 ? "left" : "right")).join("  ")}`
  return [
    paint("dim", line(COLUMNS)),
    ...rows.map(line),
    ...bound.map((row) => paint("dim", line(row))),
    ...(boundUnits === undefined
      ? []
      : [paint("dim", "  bound: the least that any layout of these texts could cost, knowing the future")]),
  ]
}

function dollars(units: number, price: Price | null): number | null {
  return price === null ? null : (units * price.input) / 1e6
}

/** Where no price is known, in fresh tokens. */
function costWords(units: number, usd: number | null): string {
  return usd === null ? `${thousands(Math.round(units))} tok` : `$${usd.toFixed(4)}`
}

const MOST_BARS = 40

function callChart({ simulated }: SimulateResult, width: number, paint: Paint): readonly string[] {
  const first = simulated[0]
  if (first === undefined || first.simulation.calls.length === 0) return []
  const { calls } = first.simulation
  const most = Math.max(1, ...calls.map(({ usage }) => inputOf(usage)))
  const shown = evenly(calls, MOST_BARS)
  const room = Math.max(10, Math.min(60, width - 20))
  return [
    `  ${first.layout}, call by call: █ read  ▓ written  ░ fresh${shown.length < calls.length ? ` (${shown.length} of ${calls.length})` : ""}`,
    ...shown.map(({ call, at }) => {
      const label = fitCell(String(at + 1), 5, "right")
      return `${label} ${bar(call, room / most, paint)} ${paint("dim", thousands(inputOf(call.usage)))}`
    }),
  ]
}

function evenly(calls: readonly SimulatedCall[], most: number) {
  const all = calls.map((call, at) => ({ call, at }))
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, index) =>
    Math.round((index * (all.length - 1)) / (most - 1)),
  ).flatMap((at) => all[at] ?? [])
}

function bar({ usage }: SimulatedCall, scale: number, paint: Paint): string {
  const written = inputOf(usage) - usage.read - usage.fresh
  const ends = [usage.read, usage.read + written, inputOf(usage)].map((tokens) => Math.round(tokens * scale))
  const [read = 0, kept = 0, all = 0] = ends
  return paint("green", "█".repeat(read)) + paint("yellow", "▓".repeat(kept - read)) + "░".repeat(all - kept)
}
