// Whose tool it is: the client's own, or one of an MCP server, by the names that clients give such tools. Pure.
import type { Owner } from "../owner.ts"

/** `mcp__server__tool`, and `mcp_server_tool` of one client, where the name of a server has no underscore. */
const MCP_TOOL = /^mcp__(.+?)(?:__|\.)(.+)$|^mcp_([^_]+)_(.+)$/
/** A group of tools that has a server's name. */
const MCP_SERVER = /^mcp__(.+?)(?:__)?$/

/** `servers`: the names that the client's settings have, for clients that put nothing else before a tool's name. */
export function toolOwner(tool: string, servers: readonly string[] = []): Owner {
  const [, server, name, other, rest] = MCP_TOOL.exec(tool) ?? []
  if (server !== undefined && name !== undefined) return { kind: "mcp-tool", server, name, match: "exact" }
  if (other !== undefined && rest !== undefined)
    return { kind: "mcp-tool", server: other, name: rest, match: "exact" }
  const [, group] = MCP_SERVER.exec(tool) ?? []
  if (group !== undefined) return { kind: "mcp-tool", server: group, match: "exact" }
  const own = servers.find((one) => tool.startsWith(`${one}_`))
  if (own === undefined) return { kind: "tool", name: tool, match: "exact" }
  return { kind: "mcp-tool", server: own, name: tool.slice(own.length).replace(/^_+/, ""), match: "exact" }
}
