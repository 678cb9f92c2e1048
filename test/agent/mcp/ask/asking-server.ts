// The tools that ask, as a program on stdin and stdout. `new`: refuses the older protocols.
import { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { addAskingTools } from "./asking-tools.ts"

serveStdio(
  () => {
    const server = new McpServer({ name: "asking", version: "1" })
    addAskingTools(server)
    return server
  },
  process.argv[2] === "new" ? { legacy: "reject" } : {},
)
