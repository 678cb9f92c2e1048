// Profiles in JavaScript have no type checker: what a section must say about itself is checked when it is compiled.
import { expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

const SPEC = { id: "who", pace: "stable", priority: "high", trust: "inner", cut: "whole", onChange: "wait" }

function compiled(change: Readonly<Record<string, unknown>>): void {
  const spec: unknown = { ...SPEC, build: () => undefined, ...change }
  // As JavaScript would pass it.
  const profile = { name: "brief", order: "paced", markup: tags, sections: [spec] } as Profile
  createCompiler({ profile, counter: o200k })
}

test.each([
  [{}, undefined],
  [{ onChange: undefined }, undefined],
  [{ trust: undefined }, "has no trust; use public, familiar, inner, full"],
  [{ trust: "everyone" }, 'has the trust "everyone"; use public, familiar, inner, full'],
  [{ pace: "slow" }, 'has the pace "slow"; use stable, session, turn'],
  [{ priority: "urgent" }, 'has the priority "urgent"; use required, high, medium, low'],
  [
    { priority: undefined, need: "low" },
    "has no priority; use required, high, medium, low; it was called need in 0.1",
  ],
  [{ cut: undefined }, "has no cut; use whole, lines, ends, headings, menu"],
  [{ onChange: "hold" }, 'has the onChange "hold"; use append, wait, rebuild, turn, step, always'],
])("%j", (change, problem) => {
  if (problem === undefined) return expect(() => compiled(change)).not.toThrow()
  expect(() => compiled(change)).toThrow(`the section "who" of the profile "brief" ${problem}`)
})
