// The tools that every agent has: those that act, memory and introspection; and those of its host before them.
import { TOOLS } from "../profiles/incipit-tools.ts"
import type { Config } from "../sources/config-schema.ts"
import { ACTIONS } from "../tools/actions.ts"
import type { RunnableTool } from "../tools/answer.ts"
import { INTROSPECTION_TOOLS } from "../tools/introspection.ts"
import { MEMORY_TOOLS } from "../tools/memory-tools.ts"
import { taskWriteAction } from "../tools/task-write.ts"
import { workflowAdvance } from "../tools/workflow.ts"
import { feedSwitches } from "./feeds/feeds.ts"
import { type AgentTool, withActions } from "./toolbox.ts"

const ACTING = withActions(TOOLS, ACTIONS)
const ASKING = [...MEMORY_TOOLS, ...INTROSPECTION_TOOLS].map((tool) => ({
  ...tool,
  isRepeatable: tool.name !== "memory_write",
}))

/** The same objects each time: what was written of a tool is remembered by it. */
export function ownTools(
  hosts: readonly RunnableTool[] = [],
  config: Pick<Config, "feeds" | "tools"> = {},
): readonly AgentTool[] {
  const wanted: ReadonlySet<string> | undefined = config.tools && new Set(config.tools)
  // A step that is not told can not be said to be done, nor a task.
  const { tasks, workflow } = feedSwitches(config)
  const off = [...(workflow ? [] : [workflowAdvance.name]), ...(tasks ? [] : [taskWriteAction.name])]
  const isOn = ({ name }: AgentTool) => (wanted?.has(name) ?? true) && !off.includes(name)
  return [...hosts, ...[...ACTING, ...ASKING].filter(isOn)]
}
