// Definitions of the Moltis tools that its published description names, for `{ name, builtin: true }`. The argument
// schemas are ours, because the description has none.
import type { Tool } from "../../core/model/inputs.ts"

export const TOOLS: readonly Tool[] = [
  {
    name: "exec",
    description: "Run a shell command and return its output, its errors and its exit code.",
    parameters: object({ command: text("The command."), working_dir: text("Where it runs.") }, ["command"]),
  },
  {
    name: "browser",
    description: "Open an address in a browser and work with the page.",
    parameters: object({ action: text("What to do."), url: text("The address, for opening one.") }, [
      "action",
    ]),
  },
  {
    name: "memory_search",
    description: "Search the long-term memory for what was said and decided before.",
    parameters: object({ query: text("What to look for.") }, ["query"]),
  },
]

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false }
}

function text(description: string) {
  return { type: "string", description }
}
