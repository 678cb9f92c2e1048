// Profiles in JavaScript have no type checker: what a section must say about itself is checked when it is compiled.
import { expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import { compile, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import { section } from "../../../src/core/model/section.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeSession, makeTurn } from "../make.ts"

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
  [{ priority: undefined, trust: undefined, cut: undefined }, undefined],
  [{ trust: "everyone" }, 'has the trust "everyone"; use public, familiar, inner, full'],
  [{ pace: undefined }, "has no pace; use stable, session, turn"],
  [{ pace: "slow" }, 'has the pace "slow"; use stable, session, turn'],
  [{ priority: "urgent" }, 'has the priority "urgent"; use required, high, medium, low'],
  [{ need: "low" }, 'has the key "need", which is now called priority'],
  [{ freshness: "hold" }, 'has the key "freshness", which is now called onChange'],
  [{ prioritiy: "low" }, 'has an unknown key "prioritiy"; did you mean priority?'],
  [{ colour: "red" }, 'has an unknown key "colour"'],
  [{ cut: "middle" }, 'has the cut "middle"; use whole, lines, ends, headings, menu'],
  [{ onChange: "hold" }, 'has the onChange "hold"; use append, wait, rebuild'],
  [{ onChange: "always" }, 'has the onChange "always"; use append, wait, rebuild'],
  [{ pace: "session", onChange: "step" }, 'has the onChange "step"; use append, wait, rebuild'],
  [{ pace: "turn", onChange: "append" }, 'has the onChange "append"; use turn, step, always'],
  [{ pace: "turn", onChange: "always" }, undefined],
  [{ build: "Hello." }, "has no function `build`"],
])("%j", (change, problem) => {
  if (problem === undefined) return expect(() => compiled(change)).not.toThrow()
  expect(() => compiled(change)).toThrow(
    new IncipitError("bad-section", `the section "who" of the profile "brief" ${problem}`),
  )
})

test.each<[unknown, string]>([
  [undefined, "the profile is missing; it is an object with a name and a list of sections"],
  [{ sections: [] }, "the profile has no name"],
  [{ name: "brief" }, 'the profile "brief" has no list of sections'],
  [
    { name: "brief", sections: [], markup: "xml" },
    'the markup of the profile "brief" must be tags or headings from incipit, or an object like them',
  ],
  [
    { name: "brief", sections: [], order: "fast" },
    'the profile "brief" has the order "fast"; use paced, declared',
  ],
])("the profile %j", (profile, problem) => {
  // As JavaScript would pass it.
  const create = () => createCompiler({ profile: profile as Profile, counter: o200k })
  expect(create).toThrow(new IncipitError("bad-profile", problem))
})

test("a profile needs only a name and sections", () => {
  const sections = [section({ id: "who", pace: "stable", build: () => "Be brief." })]
  const input = { agent: makeAgent(), session: makeSession(), turn: makeTurn() }
  const short = compile({ name: "brief", sections }, input, { counter: o200k })
  const long = compile({ name: "brief", order: "paced", markup: tags, sections }, input, { counter: o200k })
  expect(short).toEqual(long)
  expect(short.text).toBe("<who>\nBe brief.\n</who>\n\n")
})
