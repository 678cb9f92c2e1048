// A real MCP server that files what a person answers, and does not say it back.
import { writeFileSync } from "node:fs"
import { acceptedContent, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const [file = ""] = process.argv.slice(2)
const NAME = { type: "object" as const, properties: { name: { type: "string" as const } } }

serveStdio(() => {
  const server = new McpServer({ name: "filing", version: "1" })
  const add = (name: string, it: ReturnType<typeof inputRequired.elicit>) =>
    server.registerTool(name, {}, ({ mcpReq: { inputResponses } }) => {
      if (inputResponses === undefined) return inputRequired({ inputRequests: { it } })
      const content = acceptedContent(inputResponses, "it")
      const { kind, ...rest } = inputResponse(inputResponses, "it")
      writeFileSync(file, content ? JSON.stringify(content) : "action" in rest ? String(rest.action) : kind)
      return { content: [{ type: "text", text: "filed, thank you" }] }
    })
  add("file", inputRequired.elicit({ message: "For the file.", requestedSchema: NAME }))
  add("pay", inputRequired.elicitUrl({ message: "To pay.", url: "https://pay.example.org/1" }))
  return server
})
