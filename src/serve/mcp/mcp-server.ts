// The MCP server for one person: tools, resources, prompts and skills, over whatever they may see. Made again for every
// request over HTTP, and once for a connection over stdio.
import { type CallToolResult, McpServer, type ServerContext } from "@modelcontextprotocol/server"
import { IncipitError } from "../../base/error.ts"
import { VERSION } from "../../base/version.ts"
import { o200k } from "../../tokens/o200k.ts"
import { SurfaceError } from "../talk/surface-error.ts"
import { INSTRUCTIONS } from "./definitions.ts"
import type { McpView } from "./mcp-view.ts"
import { offerPrompts } from "./offers/prompts.ts"
import { offerResources } from "./offers/resources.ts"
import { offerSkills } from "./offers/skills.ts"
import { failureOf, resultOf } from "./result.ts"
import { standardSchema } from "./standard-schema.ts"
import type { McpCall, McpTool } from "./tools/mcp-tool.ts"
import { MCP_TOOLS } from "./tools/mcp-tools.ts"

/** More parts than any honest call has. */
const MOST_INPUT_PARTS = 100
const MOST_INPUT_CHARACTERS = 100_000

/** The list of tools only changes with the program. What is in a workspace may change at any time. */
const TOOLS_LAST_MS = 3_600_000

/** `failed` hears of failures whose reason the caller doesn't get. */
export function createIncipitServer(view: McpView, failed: (error: unknown) => void): McpServer {
  const server = new McpServer(
    { name: "incipit", title: "Incipit", version: VERSION },
    {
      instructions: INSTRUCTIONS,
      maxToolInputElements: MOST_INPUT_PARTS,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: true }, prompts: { listChanged: true } },
      cacheHints: { "tools/list": { ttlMs: TOOLS_LAST_MS, cacheScope: "private" } },
    },
  )
  for (const tool of MCP_TOOLS) if (tool.isFor(view)) offerTool(server, tool, { view, failed })
  offerResources(server, view)
  offerPrompts(server, view)
  offerSkills(server, view)
  return server
}

interface Offering {
  readonly view: McpView
  readonly failed: (error: unknown) => void
}

function offerTool(server: McpServer, tool: McpTool, { view, failed }: Offering): void {
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
        return resultOf(name, await tool.run(input, callOf(server, view, context)), o200k)
      } catch (error) {
        return answerTo(error, failed)
      }
    },
  )
}

function checkSize(input: unknown): void {
  if (JSON.stringify(input).length > MOST_INPUT_CHARACTERS)
    throw new IncipitError("bad-argument", `the input is longer than ${MOST_INPUT_CHARACTERS} characters`)
}

/** A mistake of the caller is said; the reason of anything else may name what they may not see. */
function answerTo(error: unknown, failed: Offering["failed"]): CallToolResult {
  if (error instanceof IncipitError && SAID.has(error.code)) return failureOf(error.message)
  if (error instanceof SurfaceError) return failureOf(error.message)
  failed(error)
  return failureOf("This cannot be answered now. The operator's log has the reason.")
}

const SAID: ReadonlySet<string> = new Set(["bad-argument", "no-memory", "no-record", "not-recorded"])

function callOf(server: McpServer, view: McpView, { mcpReq }: ServerContext): McpCall {
  const token = mcpReq._meta?.progressToken
  return {
    view,
    client: server.server.getClientVersion()?.name,
    signal: mcpReq.signal,
    progress(done, total) {
      if (token === undefined) return
      const params = { progressToken: token, progress: done, total }
      // A client that has gone needs no progress.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {})
    },
  }
}
