// The way in and out of `incipit mcp`, between streams of the test.
import { PassThrough } from "node:stream"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { expect, test } from "vitest"
import { lineTransport } from "../../../src/cli/commands/mcp/line-transport.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { createIncipitServer } from "../../../src/serve/mcp/mcp-server.ts"
import type { McpView } from "../../../src/serve/mcp/mcp-view.ts"
import { type Answer, INITIALIZE, MODERN } from "./stdio-client.ts"

const KEY = 'a "quoted" \\ key-0123456789'

function open(view: Partial<McpView>) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = lineTransport({ input, output, secrets: createSecrets([KEY]) })
  const reader = { user: "bo", situation: "dm", trust: "familiar", scopes: ["read"], from: {} }
  const whole = { reader, now: () => 0, timeZone: "UTC", ...view } as McpView
  serveStdio(() => createIncipitServer({ view: () => whole, failed: () => {} }), { transport })
  const ask = (id: string, method: string, params: object) =>
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  const answers = async () => {
    input.end()
    await transport.ended
    return String(output.read())
      .trim()
      .split("\n")
      .map((line): Answer => JSON.parse(line))
  }
  return { ask, answers }
}

test("a client is known by the name it gives, once for a connection or with each request", async () => {
  const asked: unknown[] = []
  const view: Partial<McpView> = {
    async ownSession(client) {
      asked.push(client)
      return undefined
    },
  }
  const trace = { name: "trace", arguments: {} }
  const old = open(view)
  old.ask("1", "initialize", INITIALIZE)
  old.ask("2", "tools/call", trace)
  await old.answers()
  const modern = open(view)
  const _meta = {
    ...MODERN,
    "io.modelcontextprotocol/clientInfo": { name: "codex-mcp-client", version: "1" },
  }
  modern.ask("1", "tools/call", { ...trace, _meta })
  await modern.answers()
  expect(asked).toEqual(["test", "codex-mcp-client"])
})

test("no key of the environment goes out, and an id comes back as it was", async () => {
  const { ask, answers } = open({
    ownSession: async () => {
      throw new Error("unused")
    },
    memory: async (use) =>
      use({
        by: "bo",
        memory: {
          search: () => ({
            status: "ok",
            hits: [{ path: "a.md", lines: [1, 1], heading: KEY, tokens: 1, text: KEY }],
          }),
        },
      } as never),
  })
  ask("1", "initialize", INITIALIZE)
  ask(KEY, "tools/call", { name: "memory", arguments: { do: "search", query: KEY } })
  const [, found] = await answers()
  expect(found.id).toBe(KEY)
  expect(JSON.stringify(found.result)).toContain("[redacted")
  expect(JSON.stringify(found.result)).not.toContain("key-0123456789")
})

test("what is written has no characters that cannot be seen, and says the same", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = lineTransport({ input, output, secrets: createSecrets([]) })
  const name = "\u007f\u0080\u009b31m\u00a0\u001b\u202eevil\u2066\u2028\u200b\u{e0041}é😀\n"
  await transport.send({ jsonrpc: "2.0", id: 1, result: { name } })
  const written = String(output.read())
  expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(JSON.parse(written).result).toEqual({ name })
})
