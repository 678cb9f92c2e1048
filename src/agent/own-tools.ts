// The tools that every agent has: those that act, memory and introspection; and those of its host before them.
import { TOOLS } from "../profiles/incipit-tools.ts"
import { ACTIONS } from "../tools/actions.ts"
import type { RunnableTool } from "../tools/answer.ts"
import { INTROSPECTION_TOOLS } from "../tools/introspection.ts"
import { MEMORY_TOOLS } from "../tools/memory-tools.ts"
import { type AgentTool, withActions } from "./toolbox.ts"

export function ownTools(hosts: readonly RunnableTool[] = []): readonly AgentTool[] {
  const asking = [...MEMORY_TOOLS, ...INTROSPECTION_TOOLS].map((tool) => ({
    ...tool,
    isRepeatable: tool.name !== "memory_write",
  }))
  return [...hosts, ...withActions(TOOLS, ACTIONS), ...asking]
}
