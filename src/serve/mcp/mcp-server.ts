// The MCP server for one person: tools, resources, prompts and skills, over whatever they may see. Made again for every
// request over HTTP, and once for a connection over stdio.
import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from "@modelcontextprotocol/server"
import { isRecord } from "../../base/is-record.ts"
import { VERSION } from "../../base/version.ts"
import { o200k } from "../../tokens/o200k.ts"
import { INSTRUCTIONS } from "./definitions.ts"
import type { McpServing, McpView } from "./mcp-view.ts"
import { offerPrompts } from "./offers/prompts.ts"
import { offerResources } from "./offers/resources.ts"
import { offerSkills } from "./offers/skills.ts"
import { failureOf, resultOf } from "./result.ts"
import { standardSchema } from "./standard-schema.ts"
import { toldOf } from "./told-of-failure.ts"
import { badInput, type McpCall, type McpTool } from "./tools/mcp-tool.ts"
import { MCP_TOOLS } from "./tools/mcp-tools.ts"

/** More parts than any honest call has. */
const MOST_INPUT_PARTS = 100
const MOST_INPUT_CHARACTERS = 100_000

/** The list of tools only changes with the program. What is in a workspace may change at any time. */
const TOOLS_LAST_MS = 3_600_000

export function createIncipitServer(serving: McpServing): McpServer {
  const server = new McpServer(
    { name: "incipit", title: "Incipit", version: VERSION },
    {
      instructions: INSTRUCTIONS,
      maxToolInputElements: MOST_INPUT_PARTS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: true },
        prompts: { listChanged: true },
      },
      cacheHints: { "tools/list": { ttlMs: TOOLS_LAST_MS, cacheScope: "private" } },
    },
  )
  const view = serving.view()
  for (const tool of MCP_TOOLS) if (tool.isFor(view)) offerTool(server, tool, serving)
  offerResources(server, serving)
  offerPrompts(server, serving)
  offerSkills(server, serving)
  return server
}

function offerTool(server: McpServer, tool: McpTool, { view, failed }: McpServing): void {
  const { name, title, description, parameters, isReadOnly } = tool.definition
  server.registerTool(
    name,
    {
      ...{ title, description },
      inputSchema: standardSchema(parameters),
      outputSchema: standardSchema(tool.answer),
      annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
    },
    async (input, context) => {
      try {
        checkSize(input)
        return resultOf(name, await tool.run(input, callOf(server, view(), context)), o200k)
      } catch (error) {
        // Broken off, and nobody hears the answer.
        if (context.mcpReq.signal.aborted) return failureOf("cancelled")
        return failureOf(toldOf(error, failed))
      }
    },
  )
}

function checkSize(input: unknown): void {
  if (JSON.stringify(input).length > MOST_INPUT_CHARACTERS)
    throw badInput(`the input is longer than ${MOST_INPUT_CHARACTERS} characters`)
}

/** Since 2026-07-28, a client names itself with each request; before that, once for a connection. */
function nameIn(envelope: unknown): string | undefined {
  const info = isRecord(envelope) ? envelope[CLIENT_INFO_META_KEY] : undefined
  return isRecord(info) && typeof info.name === "string" ? info.name : undefined
}

function callOf(server: McpServer, view: McpView, { mcpReq }: ServerContext): McpCall {
  const token = mcpReq._meta?.progressToken
  return {
    view,
    client: nameIn(mcpReq.envelope) ?? server.server.getClientVersion()?.name,
    signal: mcpReq.signal,
    progress(done, total) {
      if (token === undefined || mcpReq.signal.aborted) return
      const params = { progressToken: token, progress: done, total }
      // A client that has gone needs no progress.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {})
    },
  }
}
