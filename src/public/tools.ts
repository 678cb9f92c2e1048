// `incipit/tools`: tools for the agent itself, with their definitions and access rules. Needs Node.
export { defineTool, type Run, type RunnableTool, type ToolDefinition } from "../tools/define-tool.ts"
export { MEMORY_TOOLS } from "../tools/memory/memory-tools.ts"
export type { Caller, ToolContext } from "../tools/tool-context.ts"
