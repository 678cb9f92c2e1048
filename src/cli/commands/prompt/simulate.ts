// `incipit simulate`: what a conversation would read from a provider's cache and cost, in several layouts.
import { closeSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { type Terms, termsOf } from "../../../agent/models/terms.ts"
import { canonicalJson } from "../../../base/digest.ts"
import { IncipitError } from "../../../base/error.ts"
import { unwritable } from "../../../base/system-error.ts"
import { CACHE_LAYOUTS, type CacheLayout } from "../../../render/cache/cache-layouts.ts"
import { type Call, timesFactor, withTtl } from "../../../render/cache/call.ts"
import { lowerBound } from "../../../render/cache/lower-bound.ts"
import { rehearse } from "../../../render/cache/rehearse.ts"
import { evenScenario, type Scenario } from "../../../render/cache/scenario.ts"
import { simulate } from "../../../render/cache/simulate.ts"
import { cacheTtl } from "../../../sources/config/defaults.ts"
import { factorFor } from "../../../tokens/factor.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { openOutput } from "../../command-line/output-file.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { type Simulated, type SimulateResult, simulateView } from "../../views/simulate-view.ts"
import { gatherPriced } from "./priced.ts"
import type { Input } from "./resolve.ts"
import { readTrace, writeCalls } from "./trace-file.ts"

export async function run({ words, flags, terminal }: Invocation<"simulate">): Promise<number> {
  const { input, terms } = await gatherPriced(flags, terminal)
  const { config } = input.workspace
  const path = words[0] === undefined ? undefined : resolve(terminal.cwd, words[0])
  const trace = path === undefined ? undefined : readTrace(path)
  const { factor } = factorFor(terms.model)
  if (trace?.kind === "scenario")
    await checkModels(trace.scenario, terms, (model) => termsOf(model, config, terminal.now()))
  const result =
    trace?.kind === "calls"
      ? {
          terms,
          simulated: [recorded(timesFactor(trace.calls, factor), terms, flags)],
          boundUnits: undefined,
        }
      : rehearsed(trace?.scenario ?? evenScenario(), input, terms, flags)
  if (flags.save !== undefined) save(resolve(terminal.cwd, flags.save), result, factor)
  terminal.out(
    flags.json ? `${JSON.stringify(simulateReport(result), null, 2)}\n` : simulateView(result, terminal),
  )
  printDiagnostics(input.diagnostics, terminal)
  return exitStatus(input.diagnostics, flags)
}

/** A run has one rule and one price. */
async function checkModels(
  { turns }: Scenario,
  terms: Terms,
  termsFor: (model: string) => Promise<Terms>,
): Promise<void> {
  for (const [at, { model }] of turns.entries()) {
    if (model === undefined || isAlike(terms, await termsFor(model))) continue
    throw new IncipitError(
      "bad-trace",
      `turn ${at + 1} uses ${model}, which differs from ${terms.model} in cache rule, price or token count; \`incipit price --switch\` shows what a switch costs`,
    )
  }
}

function isAlike(a: Terms, b: Terms): boolean {
  const ratesOf = ({ price }: Terms) => {
    if (price === null) return null
    const { input, output, read, write, longer } = price
    return { input, output, read, write, longer }
  }
  const facts = [a, b].map((terms) =>
    canonicalJson([terms.rule.id, ratesOf(terms), factorFor(terms.model).factor]),
  )
  return facts[0] === facts[1]
}

function recorded(calls: readonly Call[], terms: Terms, flags: FlagsOf<"simulate">): Simulated {
  if (flags.layout !== undefined)
    throw new IncipitError(
      "bad-argument",
      "--layout only works with a scenario: recorded calls already have a layout",
    )
  const kept = flags.ttl === undefined ? calls : withTtl(calls, flags.ttl)
  return { layout: "recorded", calls: kept, simulation: simulate(kept, optionsOf(terms, flags)) }
}

function rehearsed(
  scenario: Scenario,
  input: Input,
  terms: Terms,
  flags: FlagsOf<"simulate">,
): SimulateResult {
  const { profile, agent, session, turn, budget, workspace } = input
  const ttl = flags.ttl ?? cacheTtl(workspace.config)
  const play = (layout: CacheLayout) =>
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
  // The bound covers all layouts, whichever is shown.
  const played = CACHE_LAYOUTS.map((layout) => ({ layout: layout.name, calls: play(layout) }))
  const simulated = played
    .filter(({ layout }) => flags.layout === undefined || flags.layout === layout)
    .map((one) => ({ ...one, simulation: simulate(one.calls, optionsOf(terms, flags)) }))
  const boundUnits = lowerBound(
    played.map(({ calls }) => calls),
    terms.rule,
  )
  return { terms, simulated, boundUnits }
}

function optionsOf({ rule, price }: Terms, { capacity }: FlagsOf<"simulate">) {
  return { rule, price, capacity }
}

/** In counted tokens, which are the same for every model. */
function save(path: string, { simulated }: SimulateResult, factor: number): void {
  try {
    const file = openOutput(path)
    writeFileSync(file, writeCalls(simulated[0]?.calls ?? [], factor))
    closeSync(file)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function simulateReport({ terms, simulated, boundUnits }: SimulateResult) {
  return {
    simulated: true,
    model: terms.model,
    rule: { id: terms.rule.id, source: terms.rule.source, date: terms.rule.date },
    price: terms.price,
    boundUnits: boundUnits ?? null,
    layouts: simulated.map(({ layout, simulation: { rule: _, ...rest } }) => ({ layout, ...rest })),
  }
}
