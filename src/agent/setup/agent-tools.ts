// The tools of every agent: first those of its host, then those that act, memory and introspection.
import type { Config } from "../../sources/config/config-schema.ts"
import { ACTING_TOOLS } from "../../tools/acting-tools.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import { MEMORY_TOOLS } from "../../tools/memory/memory-tools.ts"
import { INTROSPECTION_TOOLS } from "../../tools/self/introspection.ts"
import { type ToolNeeds, toolSelection } from "../../workspace/agent-tools.ts"

const select = toolSelection<RunnableTool>({
  acting: ACTING_TOOLS,
  remembering: MEMORY_TOOLS,
  asking: INTROSPECTION_TOOLS,
})

export function agentTools(
  hosts: readonly RunnableTool[] = [],
  config: Pick<Config, "feeds" | "tools" | "memory"> = {},
  needs: ToolNeeds = {},
): readonly RunnableTool[] {
  return [...hosts, ...select(config, needs)]
}
