// Plans that 0.1.0 recorded are read in today's words, so that a turn before an update can be compared with one after it.
import { expect, test } from "vitest"
import { diff } from "../../../src/core/read/diff.ts"
import { report } from "../../../src/core/read/report.ts"
import { reportOfPlan } from "../../../src/record/ask/replay.ts"
import { planFrom } from "../../../src/record/ask/stored-plan.ts"
import { samplePrompt } from "../../render/sample.ts"

/** The plan of a step as today's version records it. */
function plan() {
  const { sections, budget, ...rest } = report(samplePrompt())
  return JSON.parse(JSON.stringify({ budget, report: { ...rest, runs: [sections] } }))
}

const EARLIER: Readonly<Record<string, string>> = {
  included: "kept",
  truncated: "cut",
  unchanged: "told",
  unused: "absent",
}

/** Renames what 0.1.0 called something else. */
function inEarlierWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEarlierWords)
  if (typeof value !== "object" || value === null) return value
  const names: Readonly<Record<string, string>> = { priority: "need", sent: "told" }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "level")
      .map(([name, item]) => {
        if (name === "kind" && typeof item === "string") return [name, EARLIER[item] ?? item]
        return [names[name] ?? name, inEarlierWords(item)]
      }),
  )
}

test("a plan of 0.1.0 is the same as today's, and differs in nothing", () => {
  const [earlier, now] = [planFrom(inEarlierWords(plan())), planFrom(plan())]
  if (earlier === undefined || now === undefined) throw new Error("it cannot be read")
  expect(earlier).toEqual(now)
  expect(now).toEqual(plan())
  const reports = [earlier, now].map(reportOfPlan)
  const [before, after] = reports
  expect(before && after && diff(before, after)).toEqual({
    ...{ added: [], removed: [], changed: [], moved: [], first: undefined },
    tools: { added: [], removed: [], changed: [] },
  })
})

test("what a damaged text held is left out, and without its structure there is no plan", () => {
  const whole = plan()
  const { runs, tools, blocks } = whole.report
  const damaged = { ...whole, report: { ...whole.report, tools: [null, ...tools], diagnostics: null } }
  expect(planFrom(damaged)).toEqual({ ...whole, report: { ...whole.report, diagnostics: [] } })
  expect([tools.length > 0, runs[0].length > 0, blocks.length > 0]).toEqual([true, true, true])
  const without = ["runs", "blocks", "tools"].map((name) => ({
    ...whole,
    report: { ...whole.report, [name]: null },
  }))
  const holes = ["runs", "blocks"].map((name) => ({ ...whole, report: { ...whole.report, [name]: [null] } }))
  expect([...without, ...holes, { ...whole, report: null }, null].map(planFrom)).toEqual(
    Array(7).fill(undefined),
  )
})
