// Asks `/mcp` of a real gateway as one person, in the protocol of 2026-07-28: one request is one exchange.
import type { PageClient } from "../page/page-world.ts"

const VERSION = "2026-07-28"

const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** The whole answer: its status and its body, byte for byte. */
export function askMcp(who: PageClient, method: string, params: Readonly<Record<string, unknown>> = {}) {
  const name = params.name ?? params.uri
  const headers = {
    ...{
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
    },
    ...(name !== undefined && { "mcp-name": String(name) }),
  }
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }
  return who.post("/mcp", body, headers)
}

/** What a tool answered: its text, and its data. */
export async function callTool(who: PageClient, name: string, input: Readonly<Record<string, unknown>> = {}) {
  const answer = await askMcp(who, "tools/call", { name, arguments: input })
  const [, status = "", body = ""] = /^(\d+) (.*)$/s.exec(answer) ?? []
  if (status !== "200") throw new Error(answer)
  const { content, structuredContent, isError = false } = JSON.parse(body).result
  return { text: String(content[0].text), data: structuredContent, isError }
}
