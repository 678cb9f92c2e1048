// Where MCP is, and the shape of its refusals. Without the protocol itself, which is large.
import type { Refusal, RefusalBody } from "../http/surface.ts"

export const MCP_PREFIX = "/mcp"

/** Refusals of the server: clients look for JSON-RPC. */
export function refuseMcp({ code, message }: Pick<Refusal, "code" | "message">): RefusalBody {
  return { jsonrpc: "2.0", id: null, error: { code: -32_000, message, data: { code } } }
}
