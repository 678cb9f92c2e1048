// Names of tools: each system has its own name for the same tool, and a running agent uses Incipit's. A layout uses the
// name under which a tool is registered.
import type { Tool } from "../core/model/inputs.ts"

/** Each line lists the names of one tool. */
const SAME: readonly (readonly string[])[] = [
  ["read", "file_read", "read_file"],
  ["edit", "file_edit"],
  ["shell", "bash", "exec"],
  ["list", "ls"],
]

/** The name of the registered tool that does what `name` does in the layout's system. Prefers `name` itself. */
export function nameHere(tools: readonly Pick<Tool, "name">[], name: string): string | undefined {
  const others = SAME.find((names) => names.includes(name)) ?? []
  return [name, ...others].find((known) => tools.some((tool) => tool.name === known))
}
