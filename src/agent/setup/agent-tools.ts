// The tools of every agent: first those of its host, then those that act, memory and introspection.
import type { Trust } from "../../base/trust.ts"
import { TASK_WRITE, WORKFLOW_ADVANCE } from "../../profiles/incipit/tools/agent.ts"
import { EXPLAIN } from "../../profiles/incipit/tools/self.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { System } from "../../sources/systems/system.ts"
import { ACTING_TOOLS } from "../../tools/acting-tools.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import { MEMORY_TOOLS } from "../../tools/memory/memory-tools.ts"
import { INTROSPECTION_TOOLS } from "../../tools/self/introspection.ts"
import { feedSwitches } from "../feeds/feeds.ts"
import type { Keeping } from "../storage/keeping.ts"

/** Strangers do not need them, and every call pays for each definition. */
const OF_THE_KNOWN: Trust = "familiar"
const LOOKING = INTROSPECTION_TOOLS.map((tool) => ({ ...tool, trust: OF_THE_KNOWN }))
/** For when no memory store is open to strangers, which is the default. */
const REMEMBERING_OF_THE_KNOWN = MEMORY_TOOLS.map((tool) => ({ ...tool, trust: OF_THE_KNOWN }))

/** These answer from the record. `incipit_explain` answers from the prompt. */
const OF_THE_RECORD = INTROSPECTION_TOOLS.map(({ name }) => name).filter((name) => name !== EXPLAIN.name)

/** What has tools only if it is there. */
export type ToolNeeds = Pick<System, "withoutTools"> & Partial<Pick<Keeping, "memory" | "record">>

/** Returns the same objects each time: renderers cache a tool's text by its object. */
export function agentTools(
  hosts: readonly RunnableTool[] = [],
  config: Pick<Config, "feeds" | "tools" | "memory"> = {},
  { withoutTools = [], memory = true, record = true }: ToolNeeds = {},
): readonly RunnableTool[] {
  const wanted: ReadonlySet<string> | undefined = config.tools && new Set(config.tools)
  // Tasks and workflow steps that are not in the prompt cannot be marked as done.
  const { tasks, workflow } = feedSwitches(config)
  const off = [
    ...withoutTools,
    ...(memory ? [] : MEMORY_TOOLS.map(({ name }) => name)),
    ...(record ? [] : OF_THE_RECORD),
    ...(workflow ? [] : [WORKFLOW_ADVANCE.name]),
    ...(tasks ? [] : [TASK_WRITE.name]),
  ]
  const isOn = ({ name }: RunnableTool) => (wanted?.has(name) ?? true) && !off.includes(name)
  const isOpen = Object.values(config.memory?.stores ?? {}).includes("public")
  const remembering = isOpen ? MEMORY_TOOLS : REMEMBERING_OF_THE_KNOWN
  return [...hosts, ...[...ACTING_TOOLS, ...remembering, ...LOOKING].filter(isOn)]
}
