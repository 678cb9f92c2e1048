// Two layouts of one workspace side by side: their sections, what can be cached, and what a usual conversation costs.
import type { Entry, Plan } from "../core/plan.ts"
import type { Prompt } from "../core/prompt.ts"
import { LAYOUTS } from "../render/layouts.ts"
import { rehearse } from "../render/rehearse.ts"
import { evenScenario } from "../render/scenario.ts"
import { type Simulation, simulate } from "../render/simulate.ts"
import { o200k } from "../tokens/o200k.ts"
import { type Terms, termsOf } from "./cache-terms.ts"
import type { FlagValues } from "./commands.ts"
import { type Compiled, compileFromFlags, type Input } from "./resolve.ts"
import { cells, fitCell, painter, type Terminal, thousands } from "./terminal.ts"

/** One side of the comparison. */
interface Side {
  readonly name: string
  readonly prompt: Prompt
  /** Of tools and head, the share that stands before the first text that moves with the turn. */
  readonly cacheable: number
  readonly simulation: Simulation | undefined
}

export async function compare(flags: FlagValues, terminal: Terminal): Promise<number> {
  const sides: Side[] = []
  for (const profile of [flags.profile, flags.compare]) {
    const own = { ...flags, ...(typeof profile === "string" && { profile }) }
    sides.push(await sideOf(await compileFromFlags(own, terminal), terminal))
  }
  const [left, right] = sides
  if (left === undefined || right === undefined) return 2
  terminal.out(
    flags.json === true
      ? `${JSON.stringify(sides.map(reportOf), null, 2)}\n`
      : `${view(left, right, terminal).join("\n")}\n`,
  )
  return 0
}

async function sideOf({ prompt, input }: Compiled, terminal: Terminal): Promise<Side> {
  const { config } = input.workspace
  const model = input.session.model ?? config.model
  const terms = model === undefined ? undefined : await termsOf(model, config, terminal.now())
  return {
    name: prompt.plan.profile,
    prompt,
    cacheable: cacheableShare(prompt.plan),
    simulation: terms && simulation(input, terms),
  }
}

function cacheableShare({ budget, blocks }: Plan): number {
  const head = blocks.filter(({ placement }) => placement === "head")
  const tools = budget.tools / budget.factor
  const all = head.reduce((sum, { tokens }) => sum + tokens, tools)
  const slow = head.reduce((sum, { tokens, pace }) => sum + (pace === "turn" ? 0 : tokens), tools)
  return all === 0 ? 0 : slow / all
}

function simulation(input: Input, { rule, price }: Terms): Simulation | undefined {
  const [layout] = LAYOUTS
  const { profile, agent, session, turn, budget } = input
  return (
    layout &&
    simulate(
      rehearse(evenScenario(), { profile, layout, rule, counter: o200k, agent, session, turn, budget }),
      {
        rule,
        price,
      },
    )
  )
}

function shown({ plan }: Prompt): readonly Entry[] {
  return plan.entries.filter(({ kind, spans }) => kind === "section" && spans.length > 0)
}

function view(left: Side, right: Side, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const width = Math.max(24, Math.floor((terminal.columns - 4) / 2))
  const beside = (a: string, b: string) => `${fitCell(a, width)}    ${fitCell(b, width)}`.trimEnd()
  const [before, after] = [left, right].map(({ prompt }) => shown(prompt).map((entry) => rowOf(entry, width)))
  const rows = Array.from({ length: Math.max(before?.length ?? 0, after?.length ?? 0) }, (_, at) =>
    beside(before?.[at] ?? "", after?.[at] ?? ""),
  )
  const facts = factsOf(left).map(([name, value], at) => {
    const other = factsOf(right)[at]?.[1] ?? ""
    return beside(cell(name, value, width), cell(name, other, width))
  })
  return [paint("bold", beside(left.name, right.name)), ...rows, "", ...facts]
}

function rowOf({ id, pace, tokens }: Entry, width: number): string {
  return cell(`${id} (${pace})`, thousands(tokens), width)
}

function cell(name: string, value: string, width: number): string {
  return `${fitCell(name, width - cells(value) - 1)} ${value}`
}

function factsOf({ prompt, cacheable, simulation: found }: Side): readonly (readonly [string, string])[] {
  const { head, tail } = prompt.plan.budget
  const usd = found?.inputUsd
  return [
    ["head, model's tokens", thousands(head.used)],
    ["tail, model's tokens", thousands(tail.used)],
    ["head that can be cached", `${Math.round(cacheable * 100)}%`],
    ["hit ratio, simulated", found === undefined ? "no model" : found.hitRatio.toFixed(2)],
    ["24 calls, simulated", usd === undefined ? "no model" : usd === null ? "unknown" : `$${usd.toFixed(4)}`],
  ]
}

function reportOf({ name, prompt, cacheable, simulation: found }: Side) {
  return {
    profile: name,
    sections: shown(prompt).map(({ id, pace, tokens }) => ({ id, pace, tokens })),
    head: prompt.plan.budget.head.used,
    tail: prompt.plan.budget.tail.used,
    cacheable,
    simulated:
      found === undefined ? null : { hitRatio: found.hitRatio, units: found.units, inputUsd: found.inputUsd },
  }
}
