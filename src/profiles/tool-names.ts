// What a tool is called: each system has its own name for the same thing, and a running agent has Incipit's.
// A layout speaks of a tool by the name under which it is registered here.
import type { Tool } from "../core/model/scope.ts"

/** Names for one thing in each line. */
const SAME: readonly (readonly string[])[] = [
  ["read", "file_read", "read_file"],
  ["edit", "file_edit"],
  ["shell", "bash", "exec"],
  ["list", "ls"],
]

/** The name of the registered tool that does what `name` does in the layout's own system: that one first. */
export function nameHere(tools: readonly Pick<Tool, "name">[], name: string): string | undefined {
  const others = SAME.find((names) => names.includes(name)) ?? []
  return [name, ...others].find((known) => tools.some((tool) => tool.name === known))
}
