// Captured calls as the simulator takes them.
import { expect, test } from "vitest"
import { createToSimulatedCall } from "../../../src/capture/split/simulated-call.ts"
import { createSplitter } from "../../../src/capture/split/splitter.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { simulate } from "../../../src/render/cache/simulate.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

const mark = { cache_control: { type: "ephemeral" } } as const
const PARAGRAPH = `${"The keeper writes down what the lamp did. ".repeat(60)}\n\n`
const USAGE = { uncached: 0, read: 0, write: {}, output: 7 }

function calls(model: string, systems: readonly string[]) {
  const split = createSplitter({ counter: o200k })
  const toCall = createToSimulatedCall({ counter: o200k })
  return systems.map((system, at) => {
    const messages = Array.from({ length: at + 1 }, (_, turn) => ({
      role: "user",
      content: turn === at ? [{ type: "text", text: `Turn ${turn}.`, ...mark }] : `Turn ${turn}.`,
    }))
    const request = { model, system: [{ type: "text", text: system, ...mark }], messages }
    const one = split(request, "anthropic")
    const total = one.parts.reduce((sum, { tokens }) => sum + tokens, 0)
    return { call: toCall({ at: at * 1000, model, usage: USAGE }, one), total }
  })
}

test("a conversation that grows reads all that was written before", () => {
  const model = "claude-sonnet-5-5"
  const all = calls(model, [PARAGRAPH.repeat(3), PARAGRAPH.repeat(3), PARAGRAPH.repeat(3)])
  const { calls: rows } = simulate(
    all.map(({ call }) => call),
    { rule: ruleFor(model) },
  )
  expect(rows.map(({ usage }) => usage.read)).toEqual([0, all[0]?.total, all[1]?.total])
  expect(rows.map(({ usage }) => usage.uncached + usage.read + (usage.write["5m"] ?? 0))).toEqual(
    all.map(({ total }) => total),
  )
})

test("a provider that finds prefixes itself reads up to the paragraph that changed", () => {
  const model = "gpt-5.5"
  const [first, second] = [PARAGRAPH.repeat(6), `${PARAGRAPH.repeat(4)}Another end.`]
  const all = calls(model, [first, second])
  const { calls: rows } = simulate(
    all.map(({ call }) => call),
    { rule: ruleFor(model) },
  )
  const shared = o200k.count(PARAGRAPH) * 4
  expect(rows[1]?.usage.read).toBe(Math.floor(shared / 128) * 128)
})
