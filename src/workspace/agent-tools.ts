// Which of the built-in tools an agent has, and with which trust. `build` asks with their definitions alone, because what
// the tools do takes long to load; the running agent asks with the tools themselves.
import type { Trust } from "../base/trust.ts"
import type { Tool } from "../core/model/inputs.ts"
import { TASK_WRITE, WORKFLOW_ADVANCE } from "../profiles/incipit/tools/agent.ts"
import { EXPLAIN } from "../profiles/incipit/tools/self.ts"
import { BUILT_IN_TOOLS, type BuiltInTools } from "../profiles/incipit/tools.ts"
import type { Config } from "../sources/config/config-schema.ts"
import { feedSwitches } from "../sources/config/feed-switches.ts"
import type { System } from "../sources/systems/system.ts"

/** What has tools only if it is there. */
export interface ToolNeeds extends Pick<System, "withoutTools"> {
  readonly memory?: boolean
  readonly record?: boolean
}

export type SelectTools<T> = (
  config?: Pick<Config, "feeds" | "tools" | "memory">,
  needs?: ToolNeeds,
) => readonly T[]

/** Strangers do not need them, and every call pays for each definition. */
const OF_THE_KNOWN: Trust = "familiar"

/** Selects from one set of tools, the same objects each time: renderers cache a tool's text by its object. */
export function toolSelection<T extends Tool>({
  acting,
  remembering,
  asking,
}: BuiltInTools<T>): SelectTools<T> {
  const looking = asking.map((tool) => ({ ...tool, trust: OF_THE_KNOWN }))
  /** For when no memory store is open to strangers, which is the default. */
  const rememberingOfTheKnown = remembering.map((tool) => ({ ...tool, trust: OF_THE_KNOWN }))
  return (config = {}, needs = {}) => {
    const wanted: ReadonlySet<string> | undefined = config.tools && new Set(config.tools)
    const off = toolsOff(config, needs)
    const isOpen = Object.values(config.memory?.stores ?? {}).includes("public")
    const all = [...acting, ...(isOpen ? remembering : rememberingOfTheKnown), ...looking]
    return all.filter(({ name }) => (wanted?.has(name) ?? true) && !off.includes(name))
  }
}

const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name)
const OF_MEMORY = namesOf(BUILT_IN_TOOLS.remembering)
/** These answer from the record. `incipit_explain` answers from the prompt. */
const OF_THE_RECORD = namesOf(BUILT_IN_TOOLS.asking).filter((name) => name !== EXPLAIN.name)

function toolsOff(
  config: Pick<Config, "feeds">,
  { withoutTools = [], memory = true, record = true }: ToolNeeds,
): readonly string[] {
  // Tasks and workflow steps that are not in the prompt cannot be marked as done.
  const { tasks, workflow } = feedSwitches(config)
  return [
    ...withoutTools,
    ...(memory ? [] : OF_MEMORY),
    ...(record ? [] : OF_THE_RECORD),
    ...(workflow ? [] : [WORKFLOW_ADVANCE.name]),
    ...(tasks ? [] : [TASK_WRITE.name]),
  ]
}

/** The definitions of a running agent's tools, without those of its host, of hooks and of MCP servers. */
export const agentToolDefinitions: SelectTools<Tool> = toolSelection(BUILT_IN_TOOLS)
