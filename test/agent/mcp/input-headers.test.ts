// Inputs that a server of the newer protocol wants in headers as well, which it compares with the body.
import { fromJsonSchema } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openHttp, openStateless } from "./mcp-over-http.ts"
import { enterWorld, textResult, type World } from "./mcp-world.ts"

let world: World
beforeEach(() => {
  world = enterWorld()
})
afterEach(() => world.leave())

const marked = (type: string, header: unknown) => ({ type, "x-mcp-header": header })
const schema = (properties: Readonly<Record<string, object>>) => ({ type: "object", properties })

const SAILING = schema({
  port: marked("string", "Port"),
  crew: marked("integer", "Crew"),
  night: marked("boolean", "Night"),
  ship: schema({ name: marked("string", "Ship") }),
  cargo: { type: "string" },
})

test("marked inputs are sent in headers as they are in the body, wherever they stand", async () => {
  const http = await openStateless((server) => {
    server.registerTool("sail", { inputSchema: fromJsonSchema(SAILING) }, () => textResult("sailed") as never)
  })
  const mcp = world.open({ web: { url: http.url, tools: { "*": "allow" } } })
  await mcp.settled
  const input = { port: " Öregrund", crew: 3, night: false, ship: { name: "Gull" }, cargo: "herring" }
  // The server refuses headers that are missing or differ.
  expect(await world.run(mcp, "sail", input)).toContain("\nsailed\n")
  const sent = (http.headers.at(-1) ?? {}) as Readonly<Record<string, string>>
  expect(Object.entries(sent).filter(([name]) => name.startsWith("mcp-param-"))).toEqual([
    ["mcp-param-port", `=?base64?${Buffer.from(" Öregrund").toString("base64")}?=`],
    ["mcp-param-crew", "3"],
    ["mcp-param-night", "false"],
    ["mcp-param-ship", "Gull"],
  ])
  await world.run(mcp, "sail", { port: "Visby", ship: {} })
  expect(Object.keys(http.headers.at(-1) ?? {}).filter((name) => name.startsWith("mcp-param-"))).toEqual([
    "mcp-param-port",
  ])
  await mcp.close()
  await http.close()
})

const WRONG: Readonly<Record<string, object>> = {
  empty: schema({ a: marked("string", "") }),
  spaced: schema({ a: marked("string", "My Port") }),
  broken: schema({ a: marked("string", "Port\r\nHost") }),
  listed: schema({ a: { type: "array", items: marked("string", "Port") } }),
  object: schema({ a: marked("object", "Port") }),
  number: schema({ a: marked("number", "Port") }),
  twice: schema({ a: marked("string", "Port"), b: marked("string", "port") }),
  either: { ...schema({}), anyOf: [schema({ a: marked("string", "Port") })] },
}

test("a tool whose marks the protocol forbids is left out, and the others stay", async () => {
  const tools = Object.entries({ ...WRONG, right: SAILING }).map(([name, inputSchema]) => ({
    name,
    inputSchema,
  }))
  const http = await openStateless(({ server }) => {
    server.registerCapabilities({ tools: {} })
    server.setRequestHandler("tools/list", () => ({ tools }) as never)
  })
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  expect(mcp.tools().map(({ name }) => name)).toEqual(["right"])
  expect(world.troubles()).toMatchInlineSnapshot(`
    [
      "warn web: the tool "broken" marks an input for a header without a valid name; it was left out",
      "warn web: the tool "either" marks a header where no single input is; it was left out",
      "warn web: the tool "empty" marks an input for a header without a valid name; it was left out",
      "warn web: the tool "listed" marks a header where no single input is; it was left out",
      "warn web: the tool "number" marks an input for a header that isn't a text, an integer or a boolean; it was left out",
      "warn web: the tool "object" marks an input for a header that isn't a text, an integer or a boolean; it was left out",
      "warn web: the tool "spaced" marks an input for a header without a valid name; it was left out",
      "warn web: the tool "twice" sends two inputs in the same header, "port"; it was left out",
    ]
  `)
  await mcp.close()
  await http.close()
})

test("a server of the older protocol knows no such marks: its tools are used without headers", async () => {
  const http = await openHttp((server) => {
    server.registerTool(
      "ask",
      { inputSchema: fromJsonSchema(WRONG.twice ?? {}) },
      () => textResult("yes") as never,
    )
  })
  const mcp = world.open({ web: { url: http.url, tools: { "*": "allow" } } })
  await mcp.settled
  expect(await world.run(mcp, "ask", { a: "x" })).toContain("\nyes\n")
  expect(Object.keys(http.headers.at(-1) ?? {}).filter((name) => name.startsWith("mcp-param-"))).toEqual([])
  await mcp.close()
  await http.close()
})
