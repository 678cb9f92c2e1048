// The tools of the MCP server, in the order in which they are listed.
import { billTool } from "./bill.ts"
import { compileTool } from "./compile.ts"
import { costTool } from "./cost.ts"
import { explainTool } from "./explain.ts"
import { logsTool } from "./logs.ts"
import type { McpTool } from "./mcp-tool.ts"
import { memoryTool } from "./memory.ts"
import { traceTool } from "./trace.ts"

export const MCP_TOOLS: readonly McpTool[] = [
  memoryTool,
  explainTool,
  traceTool,
  costTool,
  logsTool,
  compileTool,
  billTool,
]
