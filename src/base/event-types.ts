// Every type of event that the record knows. The table is the contract; everything written is checked against it.
export const LEVELS = ["debug", "info", "warn", "error"] as const
/** How serious an event is. */
export type Level = (typeof LEVELS)[number]

/** Each type with the part of the system that it comes from and its default level. */
export const EVENT_TYPES = {
  message_received: { category: "channel", level: "info" },
  message_sent: { category: "channel", level: "info" },
  request_answered: { category: "channel", level: "info" },
  channel_error: { category: "channel", level: "error" },
  trust_resolved: { category: "router", level: "info" },
  prompt_built: { category: "prompt", level: "info" },
  turn_started: { category: "agent", level: "info" },
  turn_completed: { category: "agent", level: "info" },
  api_call: { category: "provider", level: "info" },
  api_error: { category: "provider", level: "error" },
  tool_call: { category: "tool", level: "info" },
  tool_error: { category: "tool", level: "error" },
  memory_search: { category: "memory", level: "info" },
  memory_write: { category: "memory", level: "info" },
  session_created: { category: "session", level: "info" },
  session_compacted: { category: "session", level: "info" },
  schedule_fired: { category: "scheduler", level: "info" },
  config_reloaded: { category: "config", level: "info" },
  section_updated: { category: "prompt", level: "info" },
  epoch_started: { category: "prompt", level: "info" },
  cache_missed: { category: "prompt", level: "warn" },
  hook_error: { category: "hook", level: "error" },
  diagnostic: { category: "prompt", level: "warn" },
} as const satisfies Readonly<Record<string, { readonly category: string; readonly level: Level }>>

/** The type of an event. */
export type EventType = keyof typeof EVENT_TYPES
