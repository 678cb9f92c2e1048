// What the definitions cost: little, counted from what a client is really told, and the table adds up.
import { expect, test } from "vitest"
import { definitionCosts } from "../../../src/serve/mcp/definition-costs.ts"
import { DEFINITIONS } from "../../../src/serve/mcp/definitions.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { warmIncipit } from "../../cli/run.ts"
import { openPageWorld } from "../page/page-world.ts"
import { askMcp } from "./mcp-caller.ts"

/** Each token is paid with every call of everybody who uses the server. */
const MOST_TOKENS = 900

test("they take fewer than 900 tokens", () => {
  expect(definitionCosts().total).toBeLessThan(MOST_TOKENS)
})

test("what is counted is what a client is told", async () => {
  const { operator } = await openPageWorld({ scripts: [] })
  const { result } = JSON.parse((await askMcp(operator, "tools/list")).slice(4))
  const { tools } = definitionCosts()
  for (const { name, description, inputSchema } of result.tools) {
    const told = o200k.count(JSON.stringify({ name, description, input_schema: inputSchema }))
    expect(tools).toContainEqual({ name, tokens: told })
  }
  expect(result.tools.length).toBeGreaterThan(5)
  expect(tools.map(({ name }) => name)).toEqual(DEFINITIONS.map(({ name }) => name))
})

test("the table adds up, and so does the JSON", () => {
  const { stdout } = warmIncipit(["mcp", "--cost"])
  const rows = stdout.split("\n").flatMap((line) => {
    const [, name, tokens] = /^(\w+) +([\d,]+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(tokens?.replaceAll(",", ""))] as const]
  })
  const total = rows.at(-1)
  expect(total?.[0]).toBe("total")
  expect(rows.slice(0, -1).reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(total?.[1])
  expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80)
  const json = JSON.parse(warmIncipit(["mcp", "--cost", "--json"]).stdout)
  expect(json).toEqual(definitionCosts())
  expect(json.total).toBe(total?.[1])
})
