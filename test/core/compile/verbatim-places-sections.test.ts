// Verbatim markup with slots: a placed section goes where the text asks for it, exactly as built.
import { expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Part } from "../../../src/core/model/content.ts"
import { verbatim } from "../../../src/core/write/markup.ts"
import { chars, fileSection, makeAgent, makeFile, makeProfile, makeSession, makeTurn } from "../make.ts"

const agent = makeAgent({ files: [makeFile({ role: "rules", text: "Be brief." })] })

function compiled(parts: readonly Part[]) {
  const base = fileSection("base", { lead: "\n--\n", build: () => ({ parts }) })
  const profile = makeProfile([fileSection("rules", { lead: "" }), base], {
    order: "declared",
    markup: verbatim,
    window: 9_000,
  })
  return createCompiler({ profile, counter: chars }).head(agent, makeSession()).step(makeTurn())
}

test("a placed section is inside the text, with its own entry and untrimmed", () => {
  const prompt = compiled([{ text: "Before: " }, { slot: "rules" }, { text: "\n\nAfter. \n" }])
  expect(prompt.text).toBe("Before: Be brief.\n\nAfter. \n")
  expect(
    prompt.plan.entries.map(({ id, spans }) => [id, spans.map(({ start, end }) => [start, end])]),
  ).toEqual([
    ["rules", [[8, 17]]],
    [
      "base",
      [
        [0, 8],
        [17, 27],
      ],
    ],
  ])
})

test("the lead comes before the first text, and only once", () => {
  expect(compiled([{ slot: "rules" }, { text: " One." }, { slot: "none" }, { text: " Two." }]).text).toBe(
    "Be brief.\n--\n One. Two.",
  )
})

test("a profile's window is used if the caller gives no budget", () => {
  const { plan } = compiled([{ text: "Base." }])
  expect([plan.budget.window, plan.budget.reserve]).toEqual([9_000, 4_096])
})
