// Conditional text is in the prompt only together with the section that it names, cut or not.
import { expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Content } from "../../../src/core/model/content.ts"
import type { Agent } from "../../../src/core/model/inputs.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import { chars, fileSection, makeAgent, makeFile, makeProfile, makeSession, makeTurn } from "../make.ts"

const lines = Array.from({ length: 40 }, (_, at) => `Rule ${at}.`).join("\n")
const withBase = (content: Content, facts: Parameters<typeof fileSection>[1] = {}) =>
  makeProfile([fileSection("base", { ...facts, build: () => content }), fileSection("rules")])
const textOf = (profile: Profile, agent: Agent, head = 2_000) =>
  createCompiler({ profile, counter: chars })
    .head(agent, makeSession(), { budget: { window: 10_000, reserve: 0, head } })
    .step(makeTurn()).text
const rules = makeAgent({ files: [makeFile({ role: "rules", text: "Rules." })] })

test("is kept with the section that it names, and left out without it", () => {
  const profile = withBase({ parts: [{ text: "Base." }, { text: " See the rules.", when: ["rules"] }] })
  expect(textOf(profile, rules)).toBe(
    "<base>\nBase. See the rules.\n</base>\n\n<rules>\nRules.\n</rules>\n\n",
  )
  expect(textOf(profile, makeAgent())).toBe("<base>\nBase.\n</base>\n\n")
})

test("is left out if the section contains only white space", () => {
  const profile = makeProfile([
    fileSection("base", {
      build: () => ({ parts: [{ text: "Base." }, { text: " See the rules.", when: ["rules"] }] }),
    }),
    fileSection("rules", { build: () => ({ parts: [{ text: " \n" }] }) }),
  ])
  expect(textOf(profile, makeAgent())).toBe("<base>\nBase.\n</base>\n\n")
})

test("is left out if the section was dropped", () => {
  const profile = withBase(
    { parts: [{ text: "Base." }, { text: " See the rules.", when: ["rules"] }] },
    { priority: "required" },
  )
  const long = makeAgent({ files: [makeFile({ role: "rules", text: "x".repeat(500) })] })
  expect(textOf(profile, long, 100)).toBe("<base>\nBase.\n</base>\n\n")
})

test("doesn't come back when its section is cut", () => {
  const parts = [{ text: "See the rules.\n", when: ["rules"] }, { text: lines }]
  const profile = withBase({ parts }, { cut: "lines" })
  expect(textOf(profile, makeAgent(), 100)).toBe(
    "<base>\nRule 0.\nRule 1.\nRule 2.\n[37 of 40 lines were left out here to fit the budget.]\n</base>\n\n",
  )
})

test("doesn't come back in a shorter form", () => {
  const short = [{ text: "Short." }, { text: " See the rules.", when: ["rules"] }]
  const profile = withBase({ parts: [{ text: lines }], shorter: [{ parts: short }] })
  expect(textOf(profile, makeAgent(), 100)).toBe("<base>\nShort.\n</base>\n\n")
})
