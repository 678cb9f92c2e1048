// `--tools FILE` in each form that such lists come in: the tools are the same, and what is left out is said.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { readTools } from "../../../src/cli/command-line/tools-file.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-tools-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

function read(value: unknown) {
  const path = join(folder, "tools.json")
  writeFileSync(path, JSON.stringify(value))
  const { tools, diagnostics } = readTools(path, incipit)
  return { tools, says: diagnostics.map((one) => sentence(one).replace(`${path}: `, "")) }
}

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
const PLAIN = { name: "weather", description: "Says what the weather is.", parameters: SCHEMA }
const { parameters: _schema, ...WITHOUT } = PLAIN
const MCP = {
  ...WITHOUT,
  title: "Weather",
  inputSchema: SCHEMA,
  outputSchema: SCHEMA,
  annotations: { readOnlyHint: true },
}

test.each([
  ["our own", [PLAIN]],
  ["OpenAI's chat completions", [{ type: "function", function: { ...PLAIN, strict: true } }]],
  ["OpenAI's responses", [{ type: "function", ...PLAIN, strict: true }]],
  ["Anthropic's", [{ ...WITHOUT, input_schema: SCHEMA, cache_control: { type: "ephemeral" } }]],
  ["Anthropic's, with its type", [{ ...WITHOUT, type: "custom", input_schema: SCHEMA }]],
  ["MCP's list", [MCP]],
  ["the result of tools/list", { tools: [MCP], nextCursor: "2" }],
  ["the answer to tools/list", { jsonrpc: "2.0", id: 1, result: { tools: [MCP] } }],
  ["a whole request", { model: "m", messages: [], tools: [{ ...WITHOUT, input_schema: SCHEMA }] }],
])("%s form", (_form, value) => {
  expect(read(value)).toEqual({ tools: [PLAIN], says: [] })
})

test("a tool without description or parameters, as OpenAI writes them", () => {
  const bare = { type: "function", name: "now", description: null, parameters: null }
  const tools = [{ name: "now", description: "", parameters: { type: "object", properties: {} } }]
  expect(read([bare])).toEqual({ tools, says: [] })
})

test("unknown keys are ignored, and said once for each key", () => {
  const odd = { ...PLAIN, desciption: "Typed in a hurry.", owner: "me" }
  expect(read([odd, { ...odd, name: "tides" }])).toEqual({
    tools: [PLAIN, { ...PLAIN, name: "tides" }],
    says: [
      `"desciption" of the tool "weather" and 1 more is ignored: it is no part of a tool's definition that is known here.`,
      `"owner" of the tool "weather" and 1 more is ignored: it is no part of a tool's definition that is known here.`,
    ],
  })
})

test("a tool that only the provider knows is left out, and said", () => {
  expect(read([{ type: "web_search_20250305", name: "web_search", max_uses: 5 }, PLAIN])).toEqual({
    tools: [PLAIN],
    says: [
      '"web_search" is a tool of the provider, which alone knows its definition. It is left out, and not counted.',
    ],
  })
})

test.each([
  ["a text", "tools", "neither a JSON array nor an object with an array of tools"],
  ["an object without a list", { tool: [] }, "neither a JSON array nor an object with an array of tools"],
  ["a name as a tool", ["read"], "tool 1: not an object"],
  ["no name", [{ description: "x" }], "tool 1: name: is missing"],
  [
    "an unknown built-in tool",
    [{ name: "fly", builtin: true }],
    'tool 1: the profile incipit has no tool "fly"',
  ],
  ["parameters that are a list", [PLAIN, { ...PLAIN, parameters: [] }], "tool 2: parameters: "],
])("not a list of tools: %s", (_what, value, problem) => {
  expect(() => read(value)).toThrow(problem)
})
