// The agent's tools: built-in ones, those of servers and those of the host. Their definitions go into the prompt; the
// right to call one is checked again at the call.
import type { Extension, Tool } from "../../core/model/scope.ts"
import type { Action } from "../../tools/action.ts"
import type { RunnableTool } from "../../tools/answer.ts"

/** A tool and its action. */
export interface AgentTool extends RunnableTool {
  /** May be run again after a crash. */
  readonly isRepeatable?: boolean
}

export interface Toolbox {
  /** The definitions for the prompt: all, or the active ones. */
  definitions(active?: readonly string[]): readonly Tool[]
  extensions(): readonly Extension[]
  tool(name: string): AgentTool | undefined
}

export interface ToolboxOptions {
  /** Of two with one name, the first counts. */
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

/** Joins definitions, which are prompt text and live in the profile, with their actions, which live in the tools. */
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
