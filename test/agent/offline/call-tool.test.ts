// Custom tools with the offline model: called by name in a message, or by a script.
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { type OfflineOptions, offlineModel } from "../../../src/agent/offline/offline.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { defineTool, type RunnableTool } from "../../../src/tools/define-tool.ts"

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number(), b: z.number().default(1) }),
  run: ({ a, b }) => String(a + b),
})
const bell = defineTool({
  name: "ring-bell",
  description: "Rings.",
  parameters: { type: "object", properties: {} },
  run: () => "Rung.",
})

async function opened(options: OfflineOptions = {}, tools: readonly RunnableTool[] = [add, bell]) {
  const agent = await openAgent({ profile: incipit, model: offlineModel(options), tools })
  onTestFinished(() => agent.close())
  return agent
}

/** The answer to one message, after the label and the introduction. */
async function answerTo(message: string, tools?: readonly RunnableTool[]): Promise<string> {
  const { text } = await (await opened({}, tools)).send(message)
  return text.split("\n\n").slice(1).join("\n\n")
}

test.each([
  ['call add {"a": 2, "b": 3}', "add returned:\n> 5"],
  ['Please call add {"a": 2}', "add returned:\n> 3"],
  ['call add {\n  "a": 2\n}', "add returned:\n> 3"],
  ["call ring-bell", "ring-bell returned:\n> Rung."],
  ['call ring-bell and also call add {"a": 1}', "ring-bell returned:\n> Rung.\n\nadd returned:\n> 2"],
  [
    'call add {"a": "two"}',
    "add reported a failure: The input is not valid: a: Invalid input: expected number, received string.",
  ],
  ["call add {a: 2}", 'The input of add must be a JSON object: call add {"key": "value"}.'],
  ["call subtract {}", 'There is no tool "subtract" here. I have: add, ring-bell.'],
])("%s", async (message, answer) => {
  expect(await answerTo(message)).toBe(answer)
})

test("without any tool, it says so", async () => {
  expect(await answerTo("call add {}", [])).toBe('There is no tool "add" here, and no other one.')
})

test("a call of somebody is not about a tool, and help shows how to call one", async () => {
  expect(await answerTo("call Bob")).toMatchInlineSnapshot(`
    "I answer by fixed rules, and none of them fits. Examples of what I understand:
    - what time is it?
    - hello
    - who are you?
    - which skills do you have?
    - call add {"a": ..., "b": ...}
    - call ring-bell"
  `)
})

test("a script calls tools, reads their results and answers", async () => {
  const seen: unknown[] = []
  const agent = await opened({
    script: (view) => {
      seen.push(view)
      const { message, results } = view
      if (message !== "Add it up.") return undefined
      if (results.length === 0) return [{ name: "add", input: { a: 1 } }, { name: "ring-bell" }]
      if (results.length === 2) return [{ name: "add", input: { a: "x" } }]
      return results.map(({ text }) => text).join(" | ")
    },
  })
  const { text, steps } = await agent.send("Add it up.")
  const failed = "The input is not valid: a: Invalid input: expected number, received string."
  expect({ text, steps }).toEqual({ text: `2 | Rung. | ${failed}`, steps: 3 })
  expect(seen).toEqual(
    [0, 2, 3].map((count) => ({
      ...{ message: "Add it up.", tools: ["add", "ring-bell"] },
      results: [
        { name: "add", text: "2", isError: false },
        { name: "ring-bell", text: "Rung.", isError: false },
        { name: "add", text: failed, isError: true },
      ].slice(0, count),
    })),
  )
})

test("what a script leaves to the rules is answered by them", async () => {
  const agent = await opened({ script: () => undefined })
  expect((await agent.send("call ring-bell")).text).toContain("> Rung.")
})
