// Definitions of the tools with which an agent asks about itself. `src/tools/self/` has what they do.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { EVENT_TYPES, type EventType, LEVELS } from "../../../base/event-types.ts"
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, oneOf, text } from "./schema.ts"

const SINCE = text("A duration (1h, 12h, 7d), today, yesterday, or a date.")
const MAX_EVENTS = 500
export const DEFAULT_EVENTS = 50
// The keys of the table are the types. Requests to the server concern its operator: naming them here would cost tokens
// with every call.
const TYPES = (Object.keys(EVENT_TYPES) as readonly EventType[]).filter((type) => type !== "request_answered")

export const STATUS = {
  name: "incipit_status",
  description:
    "Shows the status: last message and errors of each channel, active sessions, memory, the last errors, the record itself.",
  parameters: object({}),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const LOGS = {
  name: "incipit_logs",
  description:
    "Looks up what happened: messages, model calls, tools, errors. Newest first. Use it to find out why something failed.",
  parameters: object({
    session_id: text("Only events of this session."),
    level: oneOf("Only events of this level and above.", LEVELS),
    event_type: oneOf("Only events of this type.", TYPES),
    user: text("Only events of this person."),
    since: SINCE,
    limit: integer(`The most events to return; default: ${DEFAULT_EVENTS}.`, MAX_EVENTS),
  }),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const TRACE = {
  name: "incipit_trace",
  description:
    "Shows what happened to one message: trust, prompt, model calls, tools and reply, with times, tokens and errors.",
  parameters: object({
    turn: text("The id of a turn or trace; default: the one before this.", { minLength: 1 }),
  }),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const EXPLAIN = {
  name: "incipit_explain",
  description:
    "Explains why something is in the system prompt: which section or file it comes from, and what it costs. Also what was truncated or dropped.",
  parameters: object(
    { what: text("A section, a tool, a file, or a piece of the prompt's text.", { minLength: 1 }) },
    ["what"],
  ),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const COST = {
  name: "incipit_cost",
  description:
    "Adds up tokens and dollars of model calls by day, session, user, model, turn, section or file, with the average per turn.",
  parameters: object({ by: oneOf("What to group by; default: day.", COST_KEYS), since: SINCE }),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool
