// An MCP server on stdin and stdout that speaks the protocol of 2026-07-28 and refuses the handshake of older ones.
import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

serveStdio(
  () => {
    const server = new McpServer({ name: "new", version: "1" }, { instructions: "No handshake." })
    server.registerTool("ask", {}, () => ({ content: [{ type: "text", text: "yes" }] }))
    server.registerTool("grow", {}, () => {
      server.registerTool("grown", {}, () => ({ content: [] }))
      return { content: [{ type: "text", text: "done" }] }
    })
    return server
  },
  { legacy: "reject" },
)
