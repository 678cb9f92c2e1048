// Definitions of pi's built-in tools. The description is the line that pi's prompt has for each.
import type { Tool } from "../../core/model/inputs.ts"

const PATH = { type: "string", description: "Path, absolute or from the working directory." }
const FOLDER = { type: "string", description: "Where to look. Default: the working directory." }
const PATTERN = { type: "string", description: "What to look for." }

export const TOOLS: readonly Tool[] = [
  {
    name: "read",
    description: "Read file contents",
    parameters: object(
      { path: PATH, offset: integer("First line, from 1."), limit: integer("How many lines.") },
      ["path"],
    ),
  },
  {
    name: "bash",
    description: "Execute bash commands (ls, grep, find, etc.)",
    parameters: object({ command: { type: "string" }, timeout: integer("Seconds.") }, ["command"]),
  },
  {
    name: "edit",
    description: "Make surgical edits to files (find exact text and replace)",
    parameters: object({ path: PATH, oldText: { type: "string" }, newText: { type: "string" } }, [
      "path",
      "oldText",
      "newText",
    ]),
  },
  {
    name: "write",
    description: "Create or overwrite files",
    parameters: object({ path: PATH, content: { type: "string" } }, ["path", "content"]),
  },
  {
    name: "grep",
    description: "Search the contents of files for a pattern",
    parameters: object({ pattern: PATTERN, path: FOLDER }, ["pattern"]),
  },
  {
    name: "find",
    description: "Find files whose path matches a pattern",
    parameters: object({ pattern: PATTERN, path: FOLDER }, ["pattern"]),
  },
  {
    name: "ls",
    description: "List what is in a directory",
    parameters: object({ path: FOLDER }, []),
  },
]

/** Lines for a running agent's tools that pi doesn't have and that have no snippet. */
export const OF_AN_AGENT: Readonly<Record<string, string>> = {
  memory_search: "Find facts in long-term memory",
  memory_get: "Read a part of a memory file",
  memory_write: "Add one fact to long-term memory",
  incipit_status: "See how the agent is doing",
  incipit_logs: "Query the agent's event log",
  incipit_trace: "See everything that happened for one message",
  incipit_explain: "See why the prompt says what it says",
  incipit_cost: "See what tokens and money went into",
}

/** Active unless the host says otherwise. */
export const ACTIVE: readonly string[] = ["read", "bash", "edit", "write"]

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false }
}

function integer(description: string) {
  return { type: "integer", minimum: 1, description }
}
