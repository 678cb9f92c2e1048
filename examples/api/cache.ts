// Every name of `incipit/cache` in use: what a prompt cache does with a conversation, without calling a provider.
import { join } from "node:path"
import { attach, createCompiler, o200k, userMessage } from "incipit"
import {
  CACHE_LAYOUTS,
  CACHE_RULES,
  type Call,
  type ChangePriceOptions,
  callOf,
  costOf,
  evenScenario,
  planBreakpoints,
  priceOfChange,
  priceOfSwitch,
  type RehearseOptions,
  rehearse,
  ruleFor,
  type Scenario,
  simulate,
  verify,
} from "incipit/cache"
import { incipit } from "incipit/profiles"
import { priceFor } from "incipit/record"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"

const workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const [agent, session] = [gatherAgent(workspace).value, gatherSession(workspace).value]
const turn = { id: "turn-1", now: 0, timeZone: "UTC" }
const prompt = createCompiler({ profile: incipit }).head(agent, session).step(turn)
const messages = attach([userMessage("Does the boat run on Tuesday?")], prompt.tail)

// What is published about the model's cache, with its source and date.
const rule = ruleFor("anthropic/claude-sonnet-5-5")
console.log(
  rule.id,
  rule.minimum,
  rule.breakpoints,
  `one of ${CACHE_RULES.length > 10 ? "many" : "few"} rules`,
)

// Where the request is marked. The renderers do the same.
const breakpoints = planBreakpoints(prompt, messages, { rule })
console.log(breakpoints.map(({ why, ttl }) => `${why} ${ttl}`))

const call: Call = callOf(prompt, messages, { counter: o200k, breakpoints, rule, at: 0, output: 200 })
const again: Call = { ...call, at: 60_000 }

// Before it is sent: would the provider refuse it, and would it cache it?
console.log(verify(again, { rule, previous: call }))

const price = priceFor("anthropic/claude-sonnet-4-6", { at: Date.UTC(2026, 10, 1) })
const { calls, hitRatio } = simulate([call, again], { rule, price })
console.log(
  hitRatio,
  calls.map(({ usage }) => usage.read > 0),
)

// The price of the usage that a provider reported.
console.log(costOf({ uncached: 120, read: 4_000, write: { "5m": 300 }, output: 80 }, price) !== null)

// A conversation that was never held, to compare layouts with.
const scenario: Scenario = evenScenario({
  turns: 3,
  steps: 2,
  message: 60,
  answer: 150,
  result: 400,
  gapMs: 60_000,
  stepGapMs: 4_000,
})
for (const layout of CACHE_LAYOUTS) {
  const options: RehearseOptions = { profile: incipit, layout, rule, counter: o200k, agent, session, turn }
  const { units } = simulate(rehearse(scenario, options), { rule })
  console.log(layout.name, units > 0)
}

// What editing a file costs a running conversation, and what moving it to another model would.
const [layout = CACHE_LAYOUTS[0]] = CACHE_LAYOUTS
if (layout === undefined) throw new Error("there is a layout")
const running: ChangePriceOptions = {
  ...{ profile: incipit, layout, rule, counter: o200k, agent, session, turn, price },
  conversation: 20_000,
}
console.log(priceOfChange({ edits: [{ path: "SOUL.md", adds: 20 }] }, running).how)

const model = "openai/gpt-5.6-sol"
const next = { session: { ...session, model }, rule: ruleFor(model), price: priceFor(model) }
console.log(Object.keys(priceOfSwitch(running, next)))
