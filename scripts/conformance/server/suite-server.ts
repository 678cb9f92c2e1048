// What the suite wants a server to offer, as one server of the protocol's package. Where it is served is not known here.
import { McpServer } from "@modelcontextprotocol/server"
import { offerAskingTools, STATE } from "./offers/asking-tools.ts"
import { offerPrompts } from "./offers/prompts.ts"
import { offerResources } from "./offers/resources.ts"
import { type Changes, offerTools } from "./offers/tools.ts"

export function createSuiteServer(changes: Changes): McpServer {
  const server = new McpServer(
    { name: "incipit-conformance", version: "1" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: STATE.verify },
    },
  )
  offerTools(server, changes)
  offerAskingTools(server)
  offerResources(server)
  offerPrompts(server)
  return server
}
