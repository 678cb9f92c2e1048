// The agent's tools: built-in ones, those of servers and those of the host. Their definitions go into the prompt; the
// right to call one is checked again at the call.
import type { Extension, Tool } from "../../core/model/inputs.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"

export interface Toolbox {
  /** The definitions for the prompt: all, or the active ones. */
  definitions(active?: readonly string[]): readonly Tool[]
  extensions(): readonly Extension[]
  tool(name: string): RunnableTool | undefined
}

export interface ToolboxOptions {
  /** Of two with one name, the first counts. */
  readonly own: () => readonly RunnableTool[]
  /** What servers offer now. */
  readonly served: () => {
    readonly tools: readonly RunnableTool[]
    readonly extensions: readonly Extension[]
  }
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

function firstOfEach(tools: readonly RunnableTool[]): readonly RunnableTool[] {
  return tools.filter((tool, at) => tools.findIndex(({ name }) => name === tool.name) === at)
}
