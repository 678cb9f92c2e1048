// The readable result of a simulation: layouts side by side, then the calls of the first one as bars.
import { isInDollars, type Terms } from "../../agent/models/terms.ts"
import { plural, thousands } from "../../base/text/figures.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import type { Call } from "../../render/cache/call.ts"
import { inputOf, type Price } from "../../render/cache/price.ts"
import type { SimulatedCall, Simulation } from "../../render/cache/simulate.ts"
import { writePremium } from "../../render/cache/write-premium.ts"
import { type Paint, painter } from "./colour.ts"
import type { Page } from "./page.ts"
import { cells, fitCell, oneLine, wrap } from "./widths.ts"

export interface Simulated {
  readonly layout: string
  readonly simulation: Simulation
  readonly calls: readonly Call[]
}

/** Everything that the command found out. */
export interface SimulateResult {
  readonly terms: Terms
  readonly simulated: readonly Simulated[]
  /**
   * The least that any layout could cost, in uncached tokens; undefined for recorded calls, which have only one layout.
   */
  readonly boundUnits: number | undefined
}

export function simulateView(result: SimulateResult, page: Page): string {
  const paint = painter(page)
  const lines = [
    ...headingLines(result, page.columns, paint),
    "",
    ...layoutTable(result, page.columns, paint),
    "",
    ...callChart(result, page.columns, paint),
  ]
  return `${lines.map((line) => oneLine(line.trimEnd())).join("\n")}\n`
}

function headingLines({ terms, simulated }: SimulateResult, width: number, paint: Paint): readonly string[] {
  const calls = simulated[0]?.calls ?? []
  const minutes = ((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)) / 60_000
  const { rule, price } = terms
  const known =
    rule.date === "" ? "no known cache rule, so nothing is cached" : `cache rule ${rule.id} of ${rule.date}`
  const said = `${known}, ${priceWords(price)}${isUnmarked(calls, rule) ? `; ${UNMARKED}` : ""}`
  return [
    // Painted after wrapping: colour codes take no room.
    ...wrap(
      `Simulated: ${plural(calls.length, "call")}${calls.length > 1 ? ` in ${minutes.toFixed(0)} min` : ""} to ${terms.model}`,
      width,
    ).map((line) =>
      line.replace("Simulated", paint("bold", "Simulated")).replace(terms.model, paint("bold", terms.model)),
    ),
    ...wrap(said, width).map((line) => paint("dim", line)),
  ]
}

const UNMARKED = "no call has a cache breakpoint, and this provider caches nothing without one"

/** Recorded with a provider that needs no breakpoints, or by a client that set none. */
function isUnmarked(calls: readonly Call[], { lookup, implicit }: CacheRule): boolean {
  const isMarked = calls.some(({ blocks }) => blocks.some(({ breakpoint }) => breakpoint !== undefined))
  return lookup === "breakpoint" && !implicit && !isMarked
}

function priceWords(price: Price | null): string {
  if (price === null) return "price unknown"
  const known = `$${price.input} in and $${price.output} out per million tokens`
  return price.estimated ? `${known}, an estimate from ${price.model}` : known
}

const COLUMNS = ["layout", "hit", "read", "written", "uncached", "input cost", "relative"]
/** The columns to drop first on a narrow terminal; the chart below shows them too. */
const DROPPED_FIRST = ["uncached", "written", "read"]
const BOUND_NOTE = "bound: the least that any layout of these texts could cost, with perfect foresight"

function layoutTable(result: SimulateResult, width: number, paint: Paint): readonly string[] {
  const { simulated, boundUnits } = result
  const rate = dollarsPerUnit(result)
  const against = simulated[0]?.simulation.units ?? 0
  // Dollars are units times one rate, so comparisons hold for both columns.
  const cost = (units: number) => [costWords(units, rate), against === 0 ? "" : (units / against).toFixed(2)]
  const rows = simulated.map(({ layout, simulation: { hitRatio, usage, units } }) => [
    layout,
    hitRatio.toFixed(2),
    thousands(usage.read),
    thousands(inputOf(usage) - usage.read - usage.uncached),
    thousands(usage.uncached),
    ...cost(units),
  ])
  const bound = boundUnits === undefined ? [] : [["bound", "", "", "", "", ...cost(boundUnits)]]
  const line = tableLine([COLUMNS, ...rows, ...bound], width)
  const notes = boundUnits === undefined ? [] : wrap(BOUND_NOTE, width - 2).map((note) => `  ${note}`)
  return [
    paint("dim", line(COLUMNS)),
    ...rows.map(line),
    ...[...bound.map(line), ...notes, ...premiumNotes(result, width)].map((text) => paint("dim", text)),
  ]
}

/** The layouts that cost more than no cache at all, and why. */
function premiumNotes({ simulated, terms }: SimulateResult, width: number): readonly string[] {
  const texts = simulated.flatMap(({ layout, simulation: { usage } }) => {
    const text = writePremium(usage, terms.rule)
    return text === undefined ? [] : [{ layout, text }]
  })
  const groups = Map.groupBy(texts, ({ text }) => text)
  return [...groups].flatMap(([text, those]) =>
    wrap(`${those.map(({ layout }) => layout).join(", ")}: ${text}`, width - 2).map((line) => `  ${line}`),
  )
}

/** Writes rows with as many columns as fit. */
function tableLine(all: readonly (readonly string[])[], width: number): (row: readonly string[]) => string {
  const widths = COLUMNS.map((_, at) => Math.max(...all.map((row) => cells(row[at] ?? ""))))
  const shown = new Set(COLUMNS.keys())
  const taken = () => [...shown].reduce((sum, at) => sum + 2 + (widths[at] ?? 0), 0)
  for (const name of DROPPED_FIRST) if (taken() > width) shown.delete(COLUMNS.indexOf(name))
  return (row) =>
    [...shown]
      .map((at) => `  ${fitCell(row[at] ?? "", widths[at] ?? 0, at === 0 ? "left" : "right")}`)
      .join("")
}

/**
 * Undefined if a kind of token has no price, if all are free, or if long calls have a separate rate: then only units
 * can be compared.
 */
function dollarsPerUnit({ terms, simulated }: SimulateResult): number | undefined {
  const { price } = terms
  if (price === null || !isInDollars(terms)) return undefined
  const from = price.longer?.[0]?.above ?? Number.POSITIVE_INFINITY
  const isKnown = simulated.every(
    ({ simulation: { inputUsd, calls } }) =>
      inputUsd !== null && calls.every(({ usage }) => inputOf(usage) <= from),
  )
  return isKnown ? price.input / 1e6 : undefined
}

function costWords(units: number, rate: number | undefined): string {
  return rate === undefined ? `${thousands(Math.round(units))} tok` : `$${(units * rate).toFixed(4)}`
}

const MAX_BARS = 40

function callChart({ simulated }: SimulateResult, width: number, paint: Paint): readonly string[] {
  const first = simulated[0]
  if (first === undefined || first.simulation.calls.length === 0) return []
  const { calls } = first.simulation
  const most = Math.max(1, ...calls.map(({ usage }) => inputOf(usage)))
  const shown = evenly(calls, MAX_BARS)
  const room = Math.max(10, Math.min(60, width - 20))
  const some = shown.length < calls.length ? ` (${shown.length} of ${calls.length})` : ""
  return [
    ...wrap(`${first.layout}, call by call: █ read  ▓ written  ░ uncached${some}`, width - 2).map(
      (line) => `  ${line}`,
    ),
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
  const written = inputOf(usage) - usage.read - usage.uncached
  const ends = [usage.read, usage.read + written, inputOf(usage)].map((tokens) => Math.round(tokens * scale))
  const [read = 0, kept = 0, all = 0] = ends
  return paint("green", "█".repeat(read)) + paint("yellow", "▓".repeat(kept - read)) + "░".repeat(all - kept)
}
