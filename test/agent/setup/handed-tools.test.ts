// Tools that a program hands in: typed by their schema, checked before the model's input reaches them, and looked at
// when the agent is opened.
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { agentTools } from "../../../src/agent/setup/agent-tools.ts"
import { BUILT_IN_TOOL_NAMES } from "../../../src/profiles/incipit/tools.ts"
import { defineTool, type RunnableTool } from "../../../src/tools/define-tool.ts"
import { startAgent } from "../world/agent-world.ts"
import { call } from "../world/scripted-model.ts"

const parcel = defineTool({
  name: "parcel",
  description: "Says where a parcel is.",
  input: z.strictObject({ number: z.int(), slowly: z.boolean().default(false) }),
  trust: "familiar",
  run: ({ number, slowly }, { trust }) => `${number + 1} for ${trust}${slowly ? ", slowly" : ""}`,
})

test("a tool with a schema is offered as JSON Schema, gets what the schema says, and a wrong input is reported", async () => {
  const local = await startAgent({
    ...{ protocol: "anthropic", tools: [parcel] },
    answer: ({ calls }) =>
      calls === 1 ? [call("parcel", { number: 16 }), call("parcel", { number: "A" })] : [{ text: "Done." }],
  })
  onTestFinished(() => local.close())
  const results: string[] = []
  await local.agent.send("Where is it?", {
    tell: (event) => event.kind === "tool-finished" && results.push(`${event.isError}: ${event.text}`),
  })
  const offered: readonly Readonly<Record<string, unknown>>[] = local.exchanges[0]?.body.tools
  expect(offered.find(({ name }) => name === "parcel")).toMatchObject({
    description: "Says where a parcel is.",
    input_schema: {
      type: "object",
      properties: { number: { type: "integer" }, slowly: { type: "boolean", default: false } },
      required: ["number"],
      additionalProperties: false,
    },
  })
  expect(results.toSorted()).toEqual([
    "false: 17 for full",
    "true: The input is not valid: number: Invalid input: expected number, received string.",
  ])
})

test.each([
  ["some of the built-in ones", "tools: [read, memory_search]", ["memory_search", "parcel", "read"]],
  ["none of them", "tools: []", ["parcel"]],
])("the configuration leaves %s", async (_name, line, offered) => {
  const files = { "incipit.yaml": `profile: incipit\n${line}\n` }
  const local = await startAgent({ protocol: "anthropic", tools: [parcel], files, answer: () => [] })
  onTestFinished(() => local.close())
  expect(
    local.agent
      .tools()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(offered)
})

test("a name that is no tool is reported with its line, and with the one that was meant", async () => {
  const files = { "incipit.yaml": "profile: incipit\ntools: [read, shel]\n" }
  const opened = startAgent({ protocol: "anthropic", files, answer: () => [] })
  await expect(opened).rejects.toThrow(
    /^incipit\.yaml:2: tools\.1: must be delegate or .* or write, not "shel"; did you mean shell\?$/,
  )
})

test("the names that the configuration knows are those of all tools", () => {
  expect(
    agentTools()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(BUILT_IN_TOOL_NAMES)
})

test.each<[string, object, string]>([
  [
    "a name with a space",
    { name: "two words" },
    "a name has 1 to 64 characters: letters a to z, digits, _ and -",
  ],
  ["no description", { description: undefined }, "it has no description"],
  ["no schema", { parameters: undefined }, 'its parameters are not a JSON Schema with type "object"'],
  [
    "a schema of a text",
    { parameters: { type: "string" } },
    'its parameters are not a JSON Schema with type "object"',
  ],
  [
    "a trust that is none",
    { trust: "secret" },
    'its trust "secret" is not one of public, familiar, inner, full',
  ],
  ["nothing to run", { run: undefined }, "it has no function `run`"],
])("a tool with %s is refused when the agent is opened", async (_name, wrong, problem) => {
  // As a program without types could write it.
  const tool = { ...parcel, ...wrong } as RunnableTool
  const opened = startAgent({ protocol: "anthropic", answer: () => [], tools: [parcel, tool] })
  await expect(opened).rejects.toMatchObject({
    code: "bad-tool",
    message: `tool 2 of the program, "${tool.name}": ${problem}`,
  })
})
