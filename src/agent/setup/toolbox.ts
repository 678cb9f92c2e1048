// The agent's tools: built-in ones, those of servers and those of the host. Their definitions go into the prompt; the
// right to call one is checked again at the call.
import type { Extension, Tool } from "../../core/model/inputs.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"

export interface Toolbox {
  /** The definitions for the prompt: all, or the active ones. */
  definitions(active?: readonly string[]): readonly Tool[]
  extensions(): readonly Extension[]
  tool(name: string): RunnableTool | undefined
  /**
   * Before a turn: starts MCP servers that were approved or configured since; `again`: also those that were given up.
   */
  refresh(options?: { readonly again?: boolean }): Promise<void>
}

export interface ToolboxOptions extends Pick<Toolbox, "refresh"> {
  /** Of two with one name, the first counts. */
  readonly own: () => readonly RunnableTool[]
  /** What servers offer now. */
  readonly served: () => {
    readonly tools: readonly RunnableTool[]
    readonly extensions: readonly Extension[]
  }
}

export function createToolbox({ own, served, refresh }: ToolboxOptions): Toolbox {
  const all = () => firstOfEach([...own(), ...served().tools])
  return {
    definitions(active) {
      const tools = all()
      return active === undefined ? tools : tools.filter(({ name }) => active.includes(name))
    },
    extensions: () => served().extensions,
    tool: (name) => all().find((tool) => tool.name === name),
    refresh,
  }
}

function firstOfEach(tools: readonly RunnableTool[]): readonly RunnableTool[] {
  return tools.filter((tool, at) => tools.findIndex(({ name }) => name === tool.name) === at)
}
