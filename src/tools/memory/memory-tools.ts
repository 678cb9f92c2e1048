// The tools with which an agent uses its memory: find, read and add, each within the caller's trust.
import type { RunnableTool } from "../define-tool.ts"
import { memoryGetTool } from "./memory-get.ts"
import { memorySearchTool } from "./memory-search.ts"
import { memoryWriteTool } from "./memory-write.ts"

/** The tools `memory_search`, `memory_get` and `memory_write`. */
export const MEMORY_TOOLS: readonly RunnableTool[] = [memorySearchTool, memoryGetTool, memoryWriteTool]
