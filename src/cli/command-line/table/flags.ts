// Flags that several commands share.

import { TOOL_FORMATS } from "../../../core/model/inputs.ts"
import { MODES } from "../../../core/model/mode.ts"
import type { FlagTable } from "./flag.ts"

/** For every command that compiles. */
export const SHARED_FLAGS = {
  workspace: { value: "DIR", help: "the folder that describes the agent (default: here)" },
  cwd: { value: "DIR", help: "the working directory told to the agent (default: here)" },
  home: { value: "DIR", help: "the folder that stands for your home (default: your home)" },
  profile: { value: "NAME", help: "a profile by name, or the path of a module that exports one" },
  mode: { value: "MODE", choices: MODES, help: "whom the prompt is for (default: full)" },
  model: {
    value: "ID",
    help: "the provider/model that the figures are for (default: as incipit.yaml says)",
  },
  as: { value: "USER", help: "see it as this user of incipit.yaml (default: the owner)" },
  in: {
    value: "SITUATION",
    help: "the situation: dm, group, system or one of incipit.yaml (default: dm)",
  },
  channel: { value: "ID", help: "where the message comes from, such as telegram:4711" },
  agent: { value: "ID", help: "a further agent, in agents/ID (default: the main one)" },
  session: { value: "ID", help: "the id of the session, which the agent may be told" },
  task: { value: "ID", help: "the task that the session is bound to" },
  background: { help: "nobody reads the answer as it is written" },
  plan: { help: "in plan mode: the agent looks and plans, and changes nothing" },
  message: { value: "TEXT", help: "the message that opens the turn" },
  tools: {
    value: "FILE",
    help: "JSON array of tools: {name, description, parameters} or {name, builtin: true}; agent: those of a running agent",
  },
  toolFormat: {
    value: "FORMAT",
    choices: TOOL_FORMATS,
    help: "how tools reach the model (default: as it needs them)",
  },
  scope: { value: "FILE", help: "JSON object with values for session and turn inputs" },
  budget: { value: "N", help: "at most so many tokens for the head, the lasting part of the prompt" },
  now: { value: "ISO", help: "fixes the clock, such as 2026-11-15T08:30:00Z; TZ is honoured" },
} as const satisfies FlagTable

/** For every command that uses a workspace's state. */
export const STATE_FLAG = {
  state: {
    value: "DIR",
    help: "the state directory itself (default: the folder's own, as `incipit state show` says)",
  },
} as const satisfies FlagTable

export const JSON_FLAG = { json: { help: "print the result as JSON" } } as const satisfies FlagTable
export const STRICT_FLAG = {
  strict: { help: "exit with 1 for warnings and hints too" },
} as const satisfies FlagTable
export const NO_COLOR_FLAG = {
  noColor: { help: "no colours; NO_COLOR is honoured, too" },
} as const satisfies FlagTable

const { workspace, cwd, home, profile, mode, model, as, channel, agent, session, task, background, plan } =
  SHARED_FLAGS

/** For the commands that run an agent. */
export const AGENT_FLAGS = {
  workspace,
  cwd,
  home,
  profile,
  mode,
  model: { ...model, help: "the model that answers, as provider/model (default: as `incipit models` says)" },
  as: { ...as, help: "talk as this user of incipit.yaml (default: the owner)" },
  in: SHARED_FLAGS.in,
  channel,
  agent,
  session: { ...session, help: "go on with this session (default: the last one)" },
  task,
  background,
  plan,
  ...STATE_FLAG,
} as const satisfies FlagTable
