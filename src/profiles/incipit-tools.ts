// Definitions of the tools that the `incipit` profile knows by name, for `{ name, builtin: true }`.
import type { Tool } from "../core/scope.ts"

const PATH = { type: "string", description: "Path, absolute or from the working directory." }
const PATTERN = { type: "string", description: "What to look for." }

export const TOOLS: readonly Tool[] = [
  {
    name: "read",
    description: "Read a file. For a long one, give the first line and how many lines.",
    parameters: object(
      { path: PATH, from: integer("First line, from 1."), lines: integer("How many lines.") },
      ["path"],
    ),
    promptSnippet: "Read a file, whole or by lines",
  },
  {
    name: "write",
    description: "Create a file, or replace the whole of one.",
    parameters: object({ path: PATH, text: { type: "string" } }, ["path", "text"]),
    promptSnippet: "Create or replace a file",
  },
  {
    name: "edit",
    description: "Replace one exact piece of a file with another. The old text must occur once.",
    parameters: object({ path: PATH, old: { type: "string" }, new: { type: "string" } }, [
      "path",
      "old",
      "new",
    ]),
    promptSnippet: "Change an exact piece of a file",
  },
  {
    name: "list",
    description: "List a folder.",
    parameters: object({ path: PATH }, []),
    promptSnippet: "List a folder",
  },
  {
    name: "find",
    description: "Find files by a glob pattern.",
    parameters: object({ pattern: PATTERN, path: PATH }, ["pattern"]),
    promptSnippet: "Find files by name",
  },
  {
    name: "grep",
    description: "Search the contents of files with a regular expression.",
    parameters: object({ pattern: PATTERN, path: PATH }, ["pattern"]),
    promptSnippet: "Search in files",
  },
  {
    name: "shell",
    description: "Run a shell command and return what it prints.",
    parameters: object({ command: { type: "string" }, timeoutSeconds: integer("When to give up.") }, [
      "command",
    ]),
    promptSnippet: "Run a shell command",
  },
]

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false }
}

function integer(description: string) {
  return { type: "integer", minimum: 1, description }
}
