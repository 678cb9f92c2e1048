// What the prompt says of a tool and what the tool takes are written in two places, and are the same.
import { expect, test } from "vitest"
import { byCodePoint } from "../../src/base/order.ts"
import { TOOLS } from "../../src/profiles/incipit/tools.ts"
import { ACTIONS } from "../../src/tools/actions.ts"

test("each definition has an action of its name, and takes what the action takes", () => {
  const defined = TOOLS.map(({ name, parameters }) => [name, parameters] as const)
  const acting = ACTIONS.map(({ name, parameters }) => [name, parameters] as const)
  expect(ACTIONS.map(({ name }) => name)).toEqual(ACTIONS.map(({ name }) => name).toSorted(byCodePoint))
  expect(defined.toSorted(([a], [b]) => byCodePoint(a, b))).toEqual(acting)
})

test("only what does no more when it is run twice may be run again", () => {
  expect(ACTIONS.filter(({ isRepeatable }) => isRepeatable).map(({ name }) => name)).toEqual([
    "find",
    "grep",
    "list",
    "read",
    "workflow_advance",
  ])
})

test("who may call which", () => {
  const byTrust = Object.groupBy(TOOLS, ({ trust = "public" }) => trust)
  expect(Object.entries(byTrust).map(([trust, tools]) => [trust, tools?.map(({ name }) => name)])).toEqual([
    ["familiar", ["read", "list", "find", "grep", "task_write", "notify_user", "workflow_advance"]],
    [
      "full",
      ["write", "edit", "shell", "schedule_write", "instructions_write", "responsibility_remove", "delegate"],
    ],
  ])
})

test("texts of the prompt are ASCII, and guidelines name no tool but their own", () => {
  const names = TOOLS.map(({ name }) => name)
  for (const { name, promptSnippet = "", promptGuidelines = [] } of TOOLS) {
    expect([promptSnippet, ...promptGuidelines].join("")).toMatch(/^[ -~]+$/)
    const others = names.filter((other) => other !== name && other.includes("_"))
    expect(promptGuidelines.filter((line) => others.some((other) => line.includes(other)))).toEqual([])
  }
})
