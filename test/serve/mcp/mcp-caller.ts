// Asks `/mcp` of a real gateway as one person, in the protocol of 2026-07-28: one request is one exchange.
import type { PageClient } from "../page/page-world.ts"

const VERSION = "2026-07-28"

const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export function requestOf(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: number | string = 1,
): Posted {
  const name = params.name ?? params.uri
  const headers = {
    ...{
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
    },
    ...(name !== undefined && { "mcp-name": String(name) }),
  }
  return { headers, body: { jsonrpc: "2.0", id, method, params: { ...params, _meta: META } } }
}

/** The whole answer: its status and its body, byte for byte. */
export function askMcp(who: PageClient, method: string, params: Readonly<Record<string, unknown>> = {}) {
  const { headers, body } = requestOf(method, params)
  return who.post("/mcp", body, headers)
}

/** The same of any gateway. */
export function askAs(url: string, who: Readonly<Record<string, string>>) {
  return async (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { headers, body } = requestOf(method, params)
    const init = { method: "POST", headers: { ...headers, ...who }, body: JSON.stringify(body) }
    const response = await fetch(`${url}/mcp`, init)
    return `${response.status} ${await response.text()}`
  }
}

/** What a tool answered: its text, and its data. */
export async function callTool(who: PageClient, name: string, input: Readonly<Record<string, unknown>> = {}) {
  const answer = await askMcp(who, "tools/call", { name, arguments: input })
  const [, status = "", body = ""] = /^(\d+) (.*)$/s.exec(answer) ?? []
  if (status !== "200") throw new Error(answer)
  const { content, structuredContent, isError = false } = JSON.parse(body).result
  return { text: String(content[0].text), data: structuredContent, isError }
}
