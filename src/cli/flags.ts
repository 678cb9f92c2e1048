// Flags that several commands share.
import { MODES, TOOL_FORMATS } from "../core/scope.ts"
import type { Flag } from "./command.ts"

/** Flags of every command that compiles. */
export const SHARED_FLAGS: readonly Flag[] = [
  { name: "workspace", value: "DIR", help: "the folder that describes the agent (default: here)" },
  { name: "cwd", value: "DIR", help: "the working directory told to the agent (default: here)" },
  { name: "home", value: "DIR", help: "stands for the user's home folder" },
  { name: "profile", value: "NAME", help: "a profile by name, or the path of a module that exports one" },
  { name: "mode", value: "MODE", choices: MODES, help: "whom the prompt is for" },
  { name: "model", value: "ID", help: "provider/model, for token figures" },
  { name: "as", value: "USER", help: "see it as this user of incipit.yaml (default: the owner)" },
  { name: "in", value: "SITUATION", help: "dm, group, system or one of incipit.yaml (default: dm)" },
  { name: "channel", value: "ID", help: "where the message comes from, such as telegram:4711" },
  { name: "agent", value: "ID", help: "a further agent, in agents/ID" },
  { name: "session", value: "ID", help: "the session's id" },
  { name: "task", value: "ID", help: "the task that the session is bound to" },
  { name: "background", help: "nobody reads the answer as it is written" },
  { name: "plan", help: "plan mode" },
  { name: "message", value: "TEXT", help: "the message that opens the turn" },
  {
    name: "tools",
    value: "FILE",
    help: "JSON array of tools: {name, description, parameters} or {name, builtin: true}; agent: those of a running agent",
  },
  { name: "tool-format", value: "FORMAT", choices: TOOL_FORMATS, help: "how tools reach the model" },
  { name: "scope", value: "FILE", help: "JSON object with values for session and turn inputs" },
  { name: "budget", value: "N", help: "tokens for the head" },
  { name: "now", value: "ISO", help: "fixes the clock; TZ is honoured" },
]

export const JSON_FLAG: Flag = { name: "json", help: "print the result as JSON" }
export const STRICT_FLAG: Flag = { name: "strict", help: "exit with 1 if there are findings" }

/** As the record has them; told here so that `--help` need not load it. */
export const LEVELS = ["debug", "info", "warn", "error"] as const

const AGENT_FLAG_NAMES = [
  "workspace",
  "cwd",
  "home",
  "profile",
  "mode",
  "model",
  "as",
  "in",
  "channel",
  "agent",
  "session",
  "task",
  "background",
  "plan",
]

/** Flags of the commands that run an agent. */
export const AGENT_FLAGS: readonly Flag[] = SHARED_FLAGS.filter(({ name }) => AGENT_FLAG_NAMES.includes(name))
