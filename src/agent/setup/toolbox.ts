// The tools that an agent has: built-in ones, those of servers and of the host. Their definitions go into the prompt;
// who may call which is decided again when one is called.
import type { Extension, Tool } from "../../core/model/scope.ts"
import type { Action } from "../../tools/action.ts"
import type { RunnableTool } from "../../tools/answer.ts"

/** A tool with its doing. */
export interface AgentTool extends RunnableTool {
  /** After a crash it may be run again. */
  readonly isRepeatable?: boolean
}

export interface Toolbox {
  /** In the prompt: all, or those that are switched on. */
  definitions(active?: readonly string[]): readonly Tool[]
  extensions(): readonly Extension[]
  tool(name: string): AgentTool | undefined
}

export interface ToolboxOptions {
  /** Later ones do not take the place of earlier ones of the same name. */
  readonly own: () => readonly AgentTool[]
  /** What servers offer now. */
  readonly served: () => { readonly tools: readonly AgentTool[]; readonly extensions: readonly Extension[] }
}

export function createToolbox({ own, served }: ToolboxOptions): Toolbox {
  const all = () => firstOfEach([...own(), ...served().tools])
  return {
    definitions(active) {
      const tools = all()
      return active === undefined ? tools : tools.filter(({ name }) => active.includes(name))
    },
    extensions: () => served().extensions,
    tool: (name) => all().find((tool) => tool.name === name),
  }
}

function firstOfEach(tools: readonly AgentTool[]): readonly AgentTool[] {
  return tools.filter((tool, at) => tools.findIndex(({ name }) => name === tool.name) === at)
}

/** Definitions are text of the prompt and stand in the profile; what they do stands in the tools. */
export function withActions(definitions: readonly Tool[], actions: readonly Action[]): readonly AgentTool[] {
  return actions.flatMap((action) => {
    const definition = definitions.find(({ name }) => name === action.name)
    return definition === undefined
      ? []
      : [
          {
            ...definition,
            isRepeatable: action.isRepeatable,
            isReadOnly: action.isReadOnly,
            run: action.run,
          },
        ]
  })
}
