// Definitions of Coop's own tools, for `{ name, builtin: true }`. Tools that read the records of all sessions are for
// the owner only; memory tools are for everyone with a memory menu.
import type { Tool } from "../../core/model/inputs.ts"

export const TOOLS: readonly Tool[] = [
  {
    name: "memory_search",
    description: "Find facts in memory. Each result has its path, its lines and what it takes in tokens.",
    parameters: object({ query: string("What to look for.") }, ["query"]),
    trust: "familiar",
  },
  {
    name: "memory_get",
    description: "Load a memory file, or some lines of one.",
    parameters: object(
      {
        path: string("Path as the menu or a search result has it."),
        from: integer("First line, from 1."),
        lines: integer("How many lines."),
      },
      ["path"],
    ),
    trust: "familiar",
  },
  {
    name: "coop_status",
    description: "How the gateway is: channels, active sessions, memory stores and the last errors.",
    parameters: object({}, []),
    trust: "full",
  },
  {
    name: "coop_logs",
    description: "Query the event log.",
    parameters: object(
      {
        session_id: string("Only events of this session."),
        user: string("Only events of this user."),
        level: { type: "string", enum: ["info", "warn", "error"] },
        event_type: string("Only events of this type, such as api_error."),
        since: string("How far back: 1h, 12h, today."),
        limit: integer("At most so many events."),
      },
      [],
    ),
    trust: "full",
  },
  {
    name: "coop_trace",
    description: "Everything that happened for one message: trust, prompt, model calls, tools, answer.",
    parameters: object({ turn: string("The message or turn.") }, ["turn"]),
    trust: "full",
  },
]

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false }
}

function string(description: string) {
  return { type: "string", description }
}

function integer(description: string) {
  return { type: "integer", minimum: 1, description }
}
