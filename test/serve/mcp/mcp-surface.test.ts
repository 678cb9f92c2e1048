// MCP servers behind the real server: who calls, what is refused, and how streams end.
import { McpServer } from "@modelcontextprotocol/server"
import { expect, test, vi } from "vitest"
import { z } from "zod"
import type { SurfaceCall } from "../../../src/serve/http/surface.ts"
import { type McpSurfaceOptions, mcpSurface } from "../../../src/serve/mcp/mcp-surface.ts"
import { openTestGateway } from "../gateway.ts"

const MODERN = "2026-07-28"

/** The least that a request of 2026-07-28 has. */
const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

function whoServer({ caller }: SurfaceCall) {
  const server = new McpServer(
    { name: "who", version: "1" },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.registerTool("who", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: caller.user ?? "the owner" }],
  }))
  return server
}

async function openMcp(options: Partial<McpSurfaceOptions> = {}) {
  const surface = mcpSurface({ factory: whoServer, scopes: ["talk"], ...options })
  const gateway = await openTestGateway({ surfaces: [surface] })
  const { secret, id } = await gateway.token()
  const bearer = { authorization: `Bearer ${secret}` }
  const accept = "application/json, text/event-stream"
  const post = (body: string, headers: Record<string, string> = {}, path = "/mcp") =>
    fetch(`${gateway.url}${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", accept, ...bearer, ...headers },
    })
  const ask = (method: string, params: Record<string, unknown> = {}) => {
    const name = params.name === undefined ? {} : { "mcp-name": String(params.name) }
    const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }
    return post(JSON.stringify(body), { "mcp-protocol-version": MODERN, "mcp-method": method, ...name })
  }
  const revoke = () => gateway.store.tokens.revoke(id)
  return { ...gateway, surface, bearer, post, ask, revoke }
}

const REFUSED = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.null(),
  error: z.object({ code: z.number(), message: z.string() }),
})

const CALL = { name: "who", arguments: {} }
const OLD_CALL = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL })

test("a tool knows who calls, in the protocol of 2026-07-28 and in those of 2025", async () => {
  const { ask, post } = await openMcp()
  const modern = await (await ask("tools/call", CALL)).json()
  expect(modern).toMatchObject({ id: 1, result: { content: [{ type: "text", text: "bo" }] } })
  const old = await (await post(OLD_CALL, { "mcp-protocol-version": "2025-11-25" })).text()
  const [, data = ""] = /^event: message\ndata: (.*)\n\n$/.exec(old) ?? []
  expect(JSON.parse(data)).toEqual({
    ...{ jsonrpc: "2.0", id: 1 },
    result: { content: [{ type: "text", text: "bo" }] },
  })
})

test("a client that follows changes is told no more once its token is revoked", async () => {
  let isFollowed = false
  const { ask, revoke } = await openMcp({
    limits: { checkMs: 10 },
    follow: () => {
      isFollowed = true
      return () => {
        isFollowed = false
      }
    },
  })
  const listen = () => ask("subscriptions/listen", { notifications: { toolsListChanged: true } })
  const stream = await listen()
  await vi.waitUntil(() => isFollowed, { timeout: 60_000 })
  await revoke()
  await stream.text().catch(() => "broken off")
  await vi.waitUntil(() => !isFollowed, { timeout: 60_000 })
  expect((await listen()).status).toBe(401)
})

test("refusals are JSON-RPC errors with the status that the protocol wants", async () => {
  const { post, url, bearer } = await openMcp({ limits: { bodyBytes: 1_000 } })
  const answers = await Promise.all([
    post(OLD_CALL, { authorization: "Bearer inc_wrong" }),
    post(OLD_CALL, {}, "/mcp/other"),
    ...["GET", "DELETE", "PUT"].map((method) => fetch(`${url}/mcp`, { method, headers: bearer })),
    post(OLD_CALL, { accept: "application/json" }),
    post(OLD_CALL, { "content-type": "text/plain" }),
    post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { text: "x".repeat(1_000) } })),
    post("{"),
  ])
  const seen = await Promise.all(
    answers.map(async (answer) => {
      const { error, ...rest } = REFUSED.parse(await answer.json())
      return [answer.status, rest, error.code, error.message]
    }),
  )
  expect(seen).toMatchInlineSnapshot(`
    [
      [
        401,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "This token isn't valid here. \`incipit token list\` shows the tokens with their expiry.",
      ],
      [
        404,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "The MCP server is at /mcp.",
      ],
      [
        405,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Method not allowed.",
      ],
      [
        405,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Method not allowed.",
      ],
      [
        405,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Method not allowed.",
      ],
      [
        406,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Not Acceptable: Client must accept both application/json and text/event-stream",
      ],
      [
        415,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Unsupported Media Type: Content-Type must be application/json",
      ],
      [
        413,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32000,
        "Payload Too Large: Request body must not exceed 1000 bytes",
      ],
      [
        400,
        {
          "id": null,
          "jsonrpc": "2.0",
        },
        -32700,
        "Parse error: Invalid JSON",
      ],
    ]
  `)
})
