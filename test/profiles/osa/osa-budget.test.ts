// The head's budget in the `osa` profiles, which calculate their own room: an explicit limit applies there too.
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { compileBefore, compileOsa, fillHome } from "./osa-folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const WINDOW = { window: 128_000, reserve: 4_096 }
const memory = Array.from({ length: 400 }, (_, at) => `## Deploy ${at}\nThe deploy script needs key ${at}.`)
const turn = { message: "Please fix the deploy script" }

test.each([
  ["after", compileOsa],
  ["before", compileBefore],
])("%s: the head stays within it while text can be cut", (_era, compile) => {
  fillHome(folder)
  folder.write("home/.osa/MEMORY.md", memory.join("\n\n"))
  const whole = compile(folder, { turn }).plan.budget.head.used
  const { budget, diagnostics } = compile(folder, { turn, budget: { ...WINDOW, head: whole - 2_000 } }).plan
  expect(budget.head.limit).toBe(whole - 2_000)
  expect(budget.head.used).toBeLessThanOrEqual(whole - 2_000)
  expect(diagnostics.map(({ code }) => code)).not.toContain("required-over-budget")
})

test.each([
  ["after", compileOsa],
  ["before", compileBefore],
])("%s: a diagnostic reports that required text alone exceeds it", (_era, compile) => {
  const { budget, diagnostics } = compile(folder, { turn, budget: { ...WINDOW, head: 500 } }).plan
  const finding = diagnostics.find(({ code }) => code === "required-over-budget")
  expect(finding).toMatchObject({ fit: "head", budget: 500 })
  expect(budget.head.limit).toBe(500)
})

test("without an explicit limit, the report has the profile's own", () => {
  fillHome(folder)
  const { head } = compileOsa(folder, { turn, budget: { window: 6_000, reserve: 4_096 } }).plan.budget
  expect(head.used).toBeLessThanOrEqual(head.limit)
})
