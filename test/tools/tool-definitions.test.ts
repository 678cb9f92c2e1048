// One definition for each built-in tool: what the prompt says, who may call it, and the type of the input that `run` gets.
import { expect, expectTypeOf, onTestFinished, test } from "vitest"
import { z } from "zod"
import type { TASK_WRITE } from "../../src/profiles/incipit/tools/agent.ts"
import { READ } from "../../src/profiles/incipit/tools/files.ts"
import type { COST } from "../../src/profiles/incipit/tools/self.ts"
import { TOOLS } from "../../src/profiles/incipit/tools.ts"
import { openRecord } from "../../src/record/write/record.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { ACTING_TOOLS } from "../../src/tools/acting-tools.ts"
import { defineTool } from "../../src/tools/define-tool.ts"
import { MEMORY_TOOLS } from "../../src/tools/memory/memory-tools.ts"
import { INTROSPECTION_TOOLS } from "../../src/tools/self/introspection.ts"
import type { ToolInput } from "../../src/tools/tool-input.ts"
import { recordFile } from "../record/record-file.ts"
import { owner } from "./ask.ts"

const ALL = [...ACTING_TOOLS, ...MEMORY_TOOLS, ...INTROSPECTION_TOOLS]

test("each definition that the profile knows has a tool that acts on it", () => {
  const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name).sort()
  expect(names(ACTING_TOOLS)).toEqual(names(TOOLS))
})

test("the type of the input follows from the definition", () => {
  expectTypeOf<ToolInput<typeof READ.parameters>>().toEqualTypeOf<
    { readonly path: string } & {
      readonly from?: number | undefined
      readonly lines?: number | undefined
    }
  >()
  expectTypeOf<ToolInput<typeof TASK_WRITE.parameters>["status"]>().toEqualTypeOf<
    "open" | "working" | "done" | "dropped" | undefined
  >()
  expectTypeOf<
    NonNullable<ToolInput<typeof TASK_WRITE.parameters>["steps"]>[number]["done"]
  >().toEqualTypeOf<boolean>()
  expectTypeOf<ToolInput<typeof COST.parameters>["by"]>().toEqualTypeOf<
    "day" | "session" | "user" | "model" | "turn" | "section" | "file" | undefined
  >()
  const input = z.object({ number: z.int() })
  const facts = { name: "parcel", description: "Says where a parcel is." }
  const runs = [
    defineTool({ ...READ, run: ({ path }) => path }),
    // @ts-expect-error a path is a text, not a number
    defineTool({ ...READ, run: ({ path }) => path.toFixed() }),
    // @ts-expect-error the definition has no folder
    defineTool({ ...READ, run: ({ folder }) => String(folder) }),
    defineTool({ ...facts, input, run: ({ number }) => number.toFixed() }),
    // @ts-expect-error a number is no text
    defineTool({ ...facts, input, run: ({ number }) => number.trim() }),
  ]
  expect(runs.map(({ name }) => name)).toEqual(["read", "read", "read", "parcel", "parcel"])
})

test("a schema as people write it types the input, too: required fields, and the others as optional", () => {
  const tool = defineTool({
    name: "ring",
    description: "Rings the bell.",
    parameters: {
      type: "object",
      properties: { text: { type: "string" }, times: { type: "integer" } },
      required: ["text"],
    },
    run: (input) => {
      expectTypeOf(input.text).toEqualTypeOf<string>()
      expectTypeOf(input.times).toEqualTypeOf<number | undefined>()
      return input.text
    },
  })
  expect(tool.parameters).toEqual({
    type: "object",
    properties: { text: { type: "string" }, times: { type: "integer" } },
    required: ["text"],
  })
})

test("a wrong input is refused in words for the model, whichever way the schema is written", async () => {
  const facts = { name: "parcel", description: "Says where a parcel is.", run: () => "Here." }
  const ways = [
    defineTool({ ...facts, input: z.strictObject({ path: z.string() }) }),
    defineTool({ ...facts, parameters: READ.parameters }),
  ]
  const record = openRecord(recordFile())
  onTestFinished(() => record.close())
  const context = { ...owner, record, now: () => 0, timeZone: "UTC", counter: o200k }
  for (const { run } of ways) {
    await expect(run({ path: 1, x: 2 }, context)).rejects.toThrow(
      'The input is not valid: path: Invalid input: expected string, received number; input: Unrecognized key: "x".',
    )
    expect(await run({ path: "a" }, context)).toBe("Here.")
  }
})

test("only what does no more when it is run twice may be run again", () => {
  expect(ALL.filter(({ isRepeatable }) => isRepeatable !== true).map(({ name }) => name)).toEqual([
    ...["delegate", "edit", "instructions_write", "notify_user", "responsibility_remove", "schedule_write"],
    ...["shell", "task_write", "write", "memory_write"],
  ])
})

test("only what changes nothing may run in plan mode", () => {
  expect(ALL.filter(({ isReadOnly }) => isReadOnly !== true).map(({ name }) => name)).toEqual([
    ...["edit", "instructions_write", "notify_user", "responsibility_remove", "schedule_write", "shell"],
    ...["task_write", "workflow_advance", "write", "memory_write"],
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
