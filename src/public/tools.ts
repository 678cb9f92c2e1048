// `incipit/tools`: tools for the agent itself, with their definitions and what they may tell whom. Needs Node.
export type { RunnableTool } from "../tools/answer.ts"
export type { Asker, ToolContext } from "../tools/asker.ts"
export { defineTool, type ToolDefinition } from "../tools/define-tool.ts"
export { explainer } from "../tools/explain.ts"
export { INTROSPECTION_TOOLS } from "../tools/introspection.ts"
export { MEMORY_TOOLS } from "../tools/memory-tools.ts"
