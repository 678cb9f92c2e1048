// Definitions of the tools that OSA's published description names, for `{ name, builtin: true }`.
import type { Tool } from "../../core/model/inputs.ts"

const PATH = { type: "string", description: "Path of the file." }
const STATUS = { type: "string", enum: ["pending", "in_progress", "completed", "failed"] }

export const TOOLS: readonly Tool[] = [
  {
    name: "file_read",
    description: "Read a file.",
    parameters: object({ path: PATH }, ["path"]),
  },
  {
    name: "file_edit",
    description: "Replace one exact text in a file by another.",
    parameters: object(
      {
        path: PATH,
        old_string: { type: "string", description: "The text to replace; it must occur once." },
        new_string: { type: "string", description: "What stands there afterwards." },
      },
      ["path", "old_string", "new_string"],
    ),
  },
  {
    name: "task_write",
    description: "Write the list of tasks of this session, whole.",
    parameters: object(
      {
        tasks: {
          type: "array",
          description: "Every task, in order.",
          items: object({ id: { type: "string" }, title: { type: "string" }, status: STATUS }, ["title"]),
        },
      },
      ["tasks"],
    ),
  },
]

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false }
}
