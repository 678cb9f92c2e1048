// Two layouts of one workspace side by side: their sections, what can be cached, and what a usual conversation costs.

import { isInDollars, type Terms } from "../../../agent/models/terms.ts"
import { sentence } from "../../../base/diagnostic.ts"
import { thousands } from "../../../base/text/figures.ts"
import type { Entry, Plan } from "../../../core/model/plan.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import { PLANNED_LAYOUT } from "../../../render/cache/cache-layouts.ts"
import { rehearse } from "../../../render/cache/rehearse.ts"
import { evenScenario } from "../../../render/cache/scenario.ts"
import { type Simulation, simulate } from "../../../render/cache/simulate.ts"
import { writePremium } from "../../../render/cache/write-premium.ts"
import { cacheTtl } from "../../../sources/config/defaults.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { isNarrow } from "../../views/page.ts"
import { cells, fitCell, wrap } from "../../views/widths.ts"
import { gatherPriced, type Priced } from "./priced.ts"
import { compileInput, type Input } from "./resolve.ts"

/** One side of the comparison. */
interface Side {
  readonly name: string
  readonly prompt: Prompt
  /** Share of tools and head before the first text that changes with the turn. */
  readonly cacheable: number
  readonly simulation: Simulation
  readonly terms: Terms
}

export async function compare(flags: FlagsOf<"build">, terminal: Terminal): Promise<number> {
  const other = { ...flags, profile: flags.compare ?? flags.profile }
  const priced = [await gatherPriced(flags, terminal), await gatherPriced(other, terminal)] as const
  const [left, right] = [sideOf(priced[0]), sideOf(priced[1])]
  print({ flags, terminal }, [left, right].map(reportOf), () => compareView(left, right, terminal))
  // Both sides read one workspace, so most diagnostics apply to both.
  const all = [left, right].flatMap(({ prompt }) => prompt.plan.diagnostics)
  const found = new Map(all.map((one) => [sentence(one), one]))
  printDiagnostics([...found.values()], terminal)
  return exitStatus([...found.values()], flags)
}

function sideOf({ input, terms }: Priced): Side {
  const { prompt } = compileInput(input)
  return {
    name: prompt.plan.profile,
    prompt,
    cacheable: cacheableShare(prompt.plan),
    simulation: simulation(input, terms),
    terms,
  }
}

function cacheableShare({ budget, blocks }: Plan): number {
  const head = blocks.filter(({ placement }) => placement === "head")
  const tools = budget.tools / budget.factor
  const all = head.reduce((sum, { tokens }) => sum + tokens, tools)
  const slow = head.reduce((sum, { tokens, pace }) => sum + (pace === "turn" ? 0 : tokens), tools)
  return all === 0 ? 0 : slow / all
}

function simulation(input: Input, { rule, price }: Terms): Simulation {
  const { profile, agent, session, turn, budget, workspace } = input
  const ttl = cacheTtl(workspace.config)
  const options = { profile, layout: PLANNED_LAYOUT, rule, counter: o200k, agent, session, turn, budget, ttl }
  return simulate(rehearse(evenScenario(), options), { rule, price })
}

function shownSections({ plan }: Prompt): readonly Entry[] {
  return plan.entries.filter(({ kind, spans }) => kind === "section" && spans.length > 0)
}

function compareView(left: Side, right: Side, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const priced = `Simulated for ${[...new Set([left, right].map(({ terms }) => terms.model))].join(" and ")}.`
  const notes = [priced, ...[left, right].flatMap(cacheNotes)].flatMap((note) => wrap(note, terminal.columns))
  const below = ["", ...notes.map((note) => paint("dim", note))]
  // One side goes under the other.
  if (isNarrow(terminal)) {
    const [above, under] = [left, right].map((side) => [
      paint("bold", side.name),
      ...sectionRows(side, terminal.columns),
      "",
      ...factLines(side, terminal.columns),
    ])
    return [...(above ?? []), "", ...(under ?? []), ...below]
  }
  const width = Math.floor((terminal.columns - 4) / 2)
  const beside = (a = "", b = "") => `${fitCell(a, width)}    ${fitCell(b, width)}`.trimEnd()
  const [before, after] = [sectionRows(left, width), sectionRows(right, width)]
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, at) =>
    beside(before[at], after[at]),
  )
  const [ours, theirs] = [factLines(left, width), factLines(right, width)]
  const facts = ours.map((line, at) => beside(line, theirs[at]))
  return [paint("bold", beside(left.name, right.name)), ...rows, "", ...facts, ...below]
}

/** Why so little is read although almost all of the head could be cached. */
function cacheNotes({ name, cacheable, simulation: { usage }, terms }: Side): readonly string[] {
  const premium = writePremium(usage, terms.rule)
  const notes = premium === undefined ? [] : [`${name}: ${premium}`]
  if (cacheable === 1) return notes
  return [
    ...notes,
    `${name} puts text that changes with every call, such as the clock, into the head. Everything after it, the whole conversation included, is never read from the cache.`,
  ]
}

function sectionRows({ prompt }: Side, width: number): readonly string[] {
  return shownSections(prompt).map((entry) => entryRow(entry, width))
}

function factLines(side: Side, width: number): readonly string[] {
  return factsOf(side).map(([name, value]) => cell(name, value, width))
}

function entryRow({ id, pace, tokens }: Entry, width: number): string {
  return cell(`${id} (${pace})`, thousands(tokens), width)
}

function cell(name: string, value: string, width: number): string {
  return `${fitCell(name, width - cells(value) - 1)} ${value}`
}

function factsOf(side: Side): readonly (readonly [string, string])[] {
  const { prompt, cacheable, simulation: found } = side
  const { head, tail } = prompt.plan.budget
  return [
    ["cached prefix, tokens", thousands(head.used)],
    ["turn context, tokens", thousands(tail.used)],
    ["cacheable share", `${Math.round(cacheable * 100)}%`],
    ["hit ratio (simulated)", found.hitRatio.toFixed(2)],
    [`${found.calls.length} calls (simulated)`, costWords(side)],
  ]
}

function costWords({ simulation: { inputUsd, units }, terms }: Side): string {
  return isInDollars(terms) && inputUsd !== null
    ? `$${inputUsd.toFixed(4)}`
    : `${thousands(Math.round(units))} tok`
}

function reportOf({ name, prompt, cacheable, simulation: { hitRatio, units, inputUsd }, terms }: Side) {
  return {
    profile: name,
    sections: shownSections(prompt).map(({ id, pace, tokens }) => ({ id, pace, tokens })),
    head: prompt.plan.budget.head.used,
    tail: prompt.plan.budget.tail.used,
    cacheable,
    simulated: { model: terms.model, hitRatio, units, inputUsd },
  }
}
