// `incipit simulate`: what a conversation would read from a provider's cache and cost, laid out in several ways.
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { IncipitError } from "../core/error.ts"
import { bound } from "../render/bound.ts"
import type { Call } from "../render/call.ts"
import { LAYOUTS, type Layout } from "../render/layouts.ts"
import { rehearse } from "../render/rehearse.ts"
import { evenScenario, type Scenario } from "../render/scenario.ts"
import { type Simulation, simulate } from "../render/simulate.ts"
import { o200k } from "../tokens/o200k.ts"
import { type Terms, termsOf } from "./cache-terms.ts"
import type { FlagValues, Invocation } from "./commands.ts"
import { printFindings, statusOf } from "./findings.ts"
import { gatherFromFlags, type Input } from "./resolve.ts"
import { simulateView } from "./simulate-view.ts"
import { readTrace, writeCalls } from "./trace-file.ts"

export interface Simulated {
  readonly layout: string
  readonly simulation: Simulation
  readonly calls: readonly Call[]
}

/** Everything that the command found out. */
export interface SimulateResult {
  readonly terms: Terms
  readonly simulated: readonly Simulated[]
  /** The least that any layout could cost, in fresh tokens; not known for recorded calls, which have but one layout. */
  readonly boundUnits: number | undefined
}

export async function run({ words, flags, terminal }: Invocation): Promise<number> {
  const input = await gatherFromFlags(flags, terminal)
  const { config } = input.workspace
  const terms = await termsOf(input.session.model ?? config.model, config, terminal.now())
  const path = words[0] === undefined ? undefined : resolve(terminal.cwd, words[0])
  const trace = path === undefined ? undefined : readTrace(path)
  const result =
    trace?.kind === "calls"
      ? { terms, simulated: [recorded(trace.calls, terms, flags)], boundUnits: undefined }
      : rehearsed(trace?.scenario ?? evenScenario(), input, terms, flags)
  if (typeof flags.save === "string") save(resolve(terminal.cwd, flags.save), result)
  terminal.out(
    flags.json === true ? `${JSON.stringify(report(result), null, 2)}\n` : simulateView(result, terminal),
  )
  printFindings(input.diagnostics, terminal)
  return statusOf(input.diagnostics, flags)
}

function recorded(calls: readonly Call[], terms: Terms, flags: FlagValues): Simulated {
  return { layout: "recorded", calls, simulation: simulate(calls, optionsOf(terms, flags)) }
}

function rehearsed(scenario: Scenario, input: Input, terms: Terms, flags: FlagValues): SimulateResult {
  const { profile, agent, session, turn, budget, workspace } = input
  const ttl = workspace.config.cache?.ttl ?? "5m"
  const play = (layout: Layout) =>
    rehearse(scenario, {
      profile,
      layout,
      rule: terms.rule,
      counter: o200k,
      agent,
      session,
      turn,
      budget,
      ttl,
    })
  const simulated = chosenLayouts(flags).map((layout) => {
    const calls = play(layout)
    return { layout: layout.name, calls, simulation: simulate(calls, optionsOf(terms, flags)) }
  })
  // Without marks and without kept tails: just the texts that each call needs.
  const texts = simulated.find(({ layout }) => layout === "unmarked")?.calls ?? play(layoutNamed("unmarked"))
  return { terms, simulated, boundUnits: bound(texts, terms.rule) }
}

function optionsOf({ rule, price }: Terms, flags: FlagValues) {
  const { capacity } = flags
  return { rule, price, ...(typeof capacity === "string" && { capacity: wholeNumber("capacity", capacity) }) }
}

function chosenLayouts({ layout }: FlagValues): readonly Layout[] {
  return typeof layout === "string" ? [layoutNamed(layout)] : LAYOUTS
}

function layoutNamed(name: string): Layout {
  const layout = LAYOUTS.find((one) => one.name === name)
  if (layout === undefined) throw new Error(`no layout "${name}"`)
  return layout
}

export function wholeNumber(flag: string, text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new IncipitError("bad-argument", `--${flag} is "${text}", which is not a whole number`)
  return value
}

function save(path: string, { simulated }: SimulateResult): void {
  try {
    writeFileSync(path, writeCalls(simulated[0]?.calls ?? []))
  } catch (error) {
    throw new IncipitError("unwritable-file", `can not write ${path}`, { cause: error })
  }
}

function report({ terms, simulated, boundUnits }: SimulateResult) {
  return {
    simulated: true,
    model: terms.model,
    rule: { id: terms.rule.id, source: terms.rule.source, date: terms.rule.date },
    price: terms.price,
    boundUnits: boundUnits ?? null,
    layouts: simulated.map(({ layout, simulation: { rule: _, ...rest } }) => ({ layout, ...rest })),
  }
}
