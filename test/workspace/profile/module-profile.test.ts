// A profile from a module, which no type checks: what it lacks is named before anything is compiled.
import { expect, test } from "vitest"
import { tags } from "../../../src/core/write/markup.ts"
import { profileIn } from "../../../src/workspace/profile/module-profile.ts"

const spec = { id: "rules", pace: "stable", trust: "public", cut: "whole", build: () => undefined }
const load = (section: object) =>
  profileIn({ default: { name: "mine", markup: tags, sections: [section] } }, "./mine.mjs")

test("a section with a priority is taken as it is", () => {
  expect(load({ ...spec, priority: "low" }).sections).toEqual([{ ...spec, priority: "low" }])
})

// Without a priority its text would fit into no share of the budget, and be left out of every prompt.
test.each([
  [{}, 'the section "rules" has no `priority` of required, high, medium, low'],
  [{ priority: "urgent" }, 'the section "rules" has no `priority` of required, high, medium, low'],
  [{ need: "low" }, 'the section "rules" has `need`, which is now written `priority`'],
])("a section with %j is refused with a reason", (facts, problem) => {
  expect(() => load({ ...spec, ...facts })).toThrow(
    `./mine.mjs exports a profile that cannot be used: ${problem}`,
  )
})
