// Flags that several commands share.
import { MODES } from "../../core/model/mode.ts"
import { TOOL_FORMATS } from "../../core/model/scope.ts"
import type { Flag } from "./command.ts"

/** For every command that compiles. */
export const SHARED_FLAGS: readonly Flag[] = [
  { name: "workspace", value: "DIR", help: "the folder that describes the agent (default: here)" },
  { name: "cwd", value: "DIR", help: "the working directory told to the agent (default: here)" },
  { name: "home", value: "DIR", help: "the folder that stands for your home (default: your home)" },
  { name: "profile", value: "NAME", help: "a profile by name, or the path of a module that exports one" },
  { name: "mode", value: "MODE", choices: MODES, help: "whom the prompt is for (default: full)" },
  {
    name: "model",
    value: "ID",
    help: "the provider/model that the figures are for (default: as incipit.yaml says)",
  },
  { name: "as", value: "USER", help: "see it as this user of incipit.yaml (default: the owner)" },
  {
    name: "in",
    value: "SITUATION",
    help: "the situation: dm, group, system or one of incipit.yaml (default: dm)",
  },
  { name: "channel", value: "ID", help: "where the message comes from, such as telegram:4711" },
  { name: "agent", value: "ID", help: "a further agent, in agents/ID (default: the main one)" },
  { name: "session", value: "ID", help: "the id of the session, which the agent may be told" },
  { name: "task", value: "ID", help: "the task that the session is bound to" },
  { name: "background", help: "nobody reads the answer as it is written" },
  { name: "plan", help: "in plan mode: the agent looks and plans, and changes nothing" },
  { name: "message", value: "TEXT", help: "the message that opens the turn" },
  {
    name: "tools",
    value: "FILE",
    help: "JSON array of tools: {name, description, parameters} or {name, builtin: true}; agent: those of a running agent",
  },
  {
    name: "tool-format",
    value: "FORMAT",
    choices: TOOL_FORMATS,
    help: "how tools reach the model (default: as it needs them)",
  },
  { name: "scope", value: "FILE", help: "JSON object with values for session and turn inputs" },
  { name: "budget", value: "N", help: "at most so many tokens for the head, the lasting part of the prompt" },
  { name: "now", value: "ISO", help: "fixes the clock, such as 2026-11-15T08:30:00Z; TZ is honoured" },
]

/** For every command that uses a workspace's state. */
export const STATE_FLAG: Flag = {
  name: "state",
  value: "DIR",
  help: "the state directory itself (default: the folder's own, as `incipit state show` says)",
}

export const JSON_FLAG: Flag = { name: "json", help: "print the result as JSON" }
export const STRICT_FLAG: Flag = { name: "strict", help: "exit with 1 for warnings and hints too" }

/** A copy of the record's levels, so that `--help` need not load it. */
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

/** Their help where an agent runs. */
const AGENT_HELP: Readonly<Record<string, string>> = {
  as: "talk as this user of incipit.yaml (default: the owner)",
  model: "the model that answers, as provider/model (default: as `incipit models` says)",
  session: "go on with this session (default: the last one)",
}

/** For the commands that run an agent. */
export const AGENT_FLAGS: readonly Flag[] = [
  ...SHARED_FLAGS.filter(({ name }) => AGENT_FLAG_NAMES.includes(name)),
  STATE_FLAG,
].map((flag) => ({ ...flag, help: AGENT_HELP[flag.name] ?? flag.help }))
