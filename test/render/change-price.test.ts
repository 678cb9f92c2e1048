// What a change costs, and how a scenario is played.
import { describe, expect, test } from "vitest"
import { textContent } from "../../src/core/model/content.ts"
import { section } from "../../src/core/model/section.ts"
import { PLANNED_LAYOUT } from "../../src/render/cache/cache-layouts.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { type ChangePriceOptions, priceOfChange, priceOfSwitch } from "../../src/render/cache/change-price.ts"
import type { Price } from "../../src/render/cache/price.ts"
import { rehearse } from "../../src/render/cache/rehearse.ts"
import { evenScenario } from "../../src/render/cache/scenario.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../core/make.ts"

const facts = { priority: "required", trust: "public", cut: "whole" } as const
const profile = makeProfile([
  section({ id: "soul", pace: "stable", ...facts, build: () => textContent("so ".repeat(3000)) }),
  section({
    id: "skills",
    pace: "stable",
    ...facts,
    build: ({ agent }) => textContent((agent.skills ?? []).map(({ name }) => name).join("\n")),
  }),
  section({ id: "clock", pace: "turn", ...facts, build: ({ turn }) => textContent(`It is ${turn.now}.`) }),
])
const price: Price = {
  model: "m",
  estimated: false,
  input: 10,
  output: 50,
  read: 1,
  write: { "5m": 12.5 },
  source: "",
  date: "",
}
const options: ChangePriceOptions = {
  profile,
  layout: PLANNED_LAYOUT,
  rule: ruleFor("anthropic/claude-sonnet-4-6"),
  price,
  counter: o200k,
  agent: makeAgent({ tools: [] }),
  session: makeSession({ model: "anthropic/claude-sonnet-4-6" }),
  turn: makeTurn({ now: 42 }),
  budget: { window: 200_000, reserve: 4096, ratio: { factor: 1.53, exact: false } },
  conversation: 5000,
}
const tool = (description: string) => ({ name: "search", description, parameters: {} })

describe("the daily cost of a change", () => {
  test.each([1, 2, 3, 5, 8, 13])("more text never saves money: %i more words", (words) => {
    const change = { tools: { add: [tool("so ".repeat(words))], remove: [] } }
    const { atOnce, nextEpoch, asSent, how } = priceOfChange(change, options)
    expect(how).toBe("rebuild")
    const more = nextEpoch.later.units ?? 0
    expect(more).toBeGreaterThan(0)
    expect([atOnce.later.units, asSent.later.units]).toEqual([more, more])
  })

  test("twice the text costs twice as much, without rounding", () => {
    const later = (words: number) =>
      priceOfChange({ tools: { add: [tool("so ".repeat(words))], remove: [] } }, options).nextEpoch.later
        .units
    const [none = 0, some = 0, twice = 0] = [later(10), later(20), later(30)]
    expect(twice - some).toBeCloseTo(some - none, 6)
  })
})

test("a skill that already exists changes nothing", () => {
  const skill = { name: "tea", description: "Tea.", path: "tea/SKILL.md", trust: "public" } as never
  const agent = { ...options.agent, skills: [skill] }
  expect(priceOfChange({ skills: [skill] }, { ...options, agent }).how).toBe("none")
  expect(priceOfChange({ skills: [skill] }, options).how).not.toBe("none")
})

test("two models are compared in dollars only, and only if both have a price", () => {
  const session = makeSession({ model: "openai/gpt-5.6-sol" })
  const next = { session, rule: ruleFor("openai/gpt-5.6-sol"), price: { ...price, write: { "30m": 12.5 } } }
  const { now, later } = priceOfSwitch(options, next).atOnce
  expect([Object.keys(now), Object.keys(later), (now.usd ?? 0) > 0]).toEqual([["usd"], ["usd"], true])
  expect(priceOfSwitch(options, { ...next, price: null }).atOnce.now).toEqual({ usd: null })
})

test("without a cache, no epoch begins because of a cold one", () => {
  const calls = rehearse(evenScenario({ turns: 3, steps: 1 }), { ...options, rule: ruleFor("nobody/knows") })
  // The last call still contains the tail of the first turn.
  const first = calls[0]?.blocks.find(({ tier }) => tier === "messages")?.pieces[0]?.key
  const last = calls.at(-1)?.blocks.flatMap(({ pieces }) => pieces.map(({ key }) => key))
  expect(last).toContain(first)
})
