// Simulates two agents under providers' cache rules, with the same sections in several layouts: hit ratio and the cost
// of all input. Exits with 1 if a target is missed. Times nothing and calls no provider.
import { thousands } from "../src/base/text/figures.ts"
import {
  CACHE_LAYOUTS,
  type CacheRule,
  evenScenario,
  rehearse,
  ruleFor,
  type Simulation,
  simulate,
} from "../src/public/cache.ts"
import { o200k, type Profile, section, type Turn, tags, textContent } from "../src/public/incipit.ts"
import { lowerBound } from "../src/render/cache/lower-bound.ts"
import { fillerTool } from "../src/render/cache/rehearse.ts"
import { filler } from "../src/render/cache/scenario.ts"
import { checkTargets, machine, printTable, type Target } from "./measure/measure.ts"

/** Sections of a two-tier agent with eleven dynamic blocks: tokens, and for how many turns a text stays the same. */
const SLOW = { base: 1000, rules: 300, user: 80 } as const
const BLOCKS = {
  signal: { tokens: 60, turns: 1 },
  runtime: { tokens: 40, turns: 0 },
  environment: { tokens: 120, turns: 4 },
  memory: { tokens: 300, turns: 2 },
  tasks: { tokens: 120, turns: 3 },
  workflow: { tokens: 100, turns: 5 },
  communication: { tokens: 80, turns: 100 },
  bulletin: { tokens: 100, turns: 100 },
  templates: { tokens: 150, turns: 100 },
  machines: { tokens: 100, turns: 100 },
} as const

interface Case {
  readonly name: string
  readonly turns: number
  readonly steps: number
  readonly toolTokens: number
  readonly result: number
}

const CASES: readonly Case[] = [
  { name: "8 turns of 3 calls", turns: 8, steps: 3, toolTokens: 1500, result: 400 },
  { name: "30 turns of 6 calls, larger tools", turns: 30, steps: 6, toolTokens: 6000, result: 800 },
]
const MODELS = [
  "anthropic/claude-sonnet-4-6",
  "anthropic/claude-sonnet-5-5",
  "openai/gpt-5.6-sol",
  "openai/gpt-5.2",
  "google/gemini-2.5-pro",
]
/** The names of the layouts in the system that this scenario is taken from. */
const TITLES: Readonly<Record<string, string>> = {
  planned: "**Incipit**: turn text in the message, four breakpoints",
  "system-end": "turn text at the end of the system text, four breakpoints",
  "two-tier": "static base with a breakpoint, dynamic text after it, none in the conversation",
  "one-block": "all blocks as one system text, one breakpoint after it",
  unmarked: "all blocks as one system text, no breakpoint",
}

const facts = { priority: "required", trust: "public", cut: "whole" } as const

/** The clock changes with every call if text is built for every call; other blocks change from turn to turn. */
function wordsOf(id: keyof typeof BLOCKS, turn: Turn): string {
  const { tokens, turns } = BLOCKS[id]
  const index = Number(turn.id.replace("turn-", "")) - 1
  const version = turns === 0 ? turn.now : Math.floor(index / turns)
  return filler(`${id} ${version}.`, tokens, o200k)
}

const profile: Profile = {
  name: "two-tier agent",
  order: "paced",
  markup: tags,
  sections: [
    // In the order of the blocks before the split: turn text is mixed with slow text.
    section({
      id: "base",
      pace: "stable",
      ...facts,
      build: () => textContent(filler("Base.", SLOW.base, o200k)),
    }),
    ...(["signal", "runtime", "environment"] as const).map(turnSection),
    section({
      id: "rules",
      pace: "stable",
      ...facts,
      build: () => textContent(filler("Rules.", SLOW.rules, o200k)),
    }),
    ...(["memory", "tasks", "workflow"] as const).map(turnSection),
    section({
      id: "user",
      pace: "session",
      ...facts,
      build: () => textContent(filler("User.", SLOW.user, o200k)),
    }),
    ...(["communication", "bulletin", "templates", "machines"] as const).map(turnSection),
  ],
}

function turnSection(id: keyof typeof BLOCKS) {
  return section({ id, pace: "turn", ...facts, build: ({ turn }) => textContent(wordsOf(id, turn)) })
}

const audience = { trust: "full", situation: "dm", mode: "full" } as const

function callsOf(
  { turns, steps, toolTokens, result }: Case,
  layout: (typeof CACHE_LAYOUTS)[number],
  rule: CacheRule,
  model: string,
) {
  const tools = Array.from({ length: 10 }, (_, at) => fillerTool(`tool_${at}`, toolTokens / 10, o200k))
  return rehearse(evenScenario({ turns, steps, result }), {
    profile,
    layout,
    rule,
    counter: o200k,
    agent: { id: "main", files: [], tools, extensions: [] },
    session: { id: "s", files: [], audience, model },
    turn: { id: "turn-1", now: Date.UTC(2026, 10, 15), timeZone: "UTC" },
  })
}

console.log(`## What layouts cost, simulated: ${machine()}\n`)
const targets: Target[] = []
for (const one of CASES) {
  console.log(`### ${one.name}\n`)
  for (const model of MODELS) {
    const rule = ruleFor(model)
    const results = CACHE_LAYOUTS.map((layout) => {
      const calls = callsOf(one, layout, rule, model)
      return { name: layout.name, calls, simulation: simulate(calls, { rule }) }
    })
    const least = lowerBound(
      results.map(({ calls }) => calls),
      rule,
    )
    const ours = results.find(({ name }) => name === "planned")?.simulation
    const theirs = results.find(({ name }) => name === "two-tier")?.simulation
    if (ours === undefined || theirs === undefined) throw new Error("a layout is missing")
    console.log(`${model} (rule ${rule.id}, ${rule.date})\n`)
    printTable(
      ["layout", "hit ratio", "input cost in fresh tokens", "times Incipit's"],
      [
        ...results.map(({ name, simulation }) => rowOf(TITLES[name] ?? name, simulation, ours)),
        [
          "*the bound: no layout can cost less*",
          "",
          thousands(Math.round(least)),
          (least / ours.units).toFixed(2),
        ],
      ],
    )
    if (rule.lookup === "breakpoint" && model.startsWith("anthropic/"))
      targets.push(...targetsOf(one, model, ours, theirs, least))
  }
}
checkTargets(targets)

function rowOf(title: string, { hitRatio, units }: Simulation, ours: Simulation): string[] {
  return [title, hitRatio.toFixed(3), thousands(Math.round(units)), (units / ours.units).toFixed(2)]
}

function targetsOf(one: Case, model: string, ours: Simulation, theirs: Simulation, least: number): Target[] {
  const where = `${model}, ${one.name}`
  const cheaper = theirs.units / ours.units
  const near = ours.units / least
  const all = [
    {
      what: `${where}: cheaper than two-tier`,
      measured: cheaper,
      bound: "at least 3.5",
      holds: cheaper >= 3.5,
    },
    { what: `${where}: against the bound`, measured: near, bound: "at most 1.10", holds: near <= 1.1 },
    {
      what: `${where}: hit ratio`,
      measured: ours.hitRatio,
      bound: "at least 0.90",
      holds: ours.hitRatio >= 0.9,
    },
  ]
  return all
    .filter(({ what }) => one.turns >= 30 || !what.endsWith("hit ratio"))
    .map((target) => ({ ...target, measured: target.measured.toFixed(3) }))
}
