// Flags that several commands share.

import { TOOL_FORMATS } from "../../../core/model/inputs.ts"
import { MODES } from "../../../core/model/mode.ts"
import type { FlagTable } from "./flag.ts"

/** For every command that compiles. */
export const SHARED_FLAGS = {
  workspace: { value: "DIR", help: "the agent's workspace folder (default: here)" },
  cwd: { value: "DIR", help: "the agent's working directory (default: the workspace)" },
  home: { value: "DIR", help: "the folder to use as your home (default: your home)" },
  profile: { value: "NAME", help: "a profile's name, or the path of a module that exports one" },
  mode: { value: "MODE", choices: MODES, help: "which prompt to build (default: full)" },
  model: {
    value: "ID",
    help: "provider/model to count and price for (default: as in incipit.yaml)",
  },
  as: { value: "USER", help: "act as this user from incipit.yaml (default: the owner)" },
  in: {
    value: "SITUATION",
    help: "the situation: dm, group, system or one from incipit.yaml (default: dm)",
  },
  channel: {
    value: "ID",
    help: "where the message comes from: a sender or room such as telegram:4711, or telegram for yourself",
  },
  agent: { value: "ID", help: "use the agent in agents/ID (default: the main agent)" },
  session: { value: "ID", help: "the session's id, which the prompt may include" },
  task: { value: "ID", help: "the task that the session is for" },
  background: { help: "run in the background: no user is watching" },
  plan: { help: "use plan mode: the agent reads and plans, but changes nothing" },
  message: { value: "TEXT", help: "the message that opens the turn" },
  tools: {
    value: "FILE",
    help: "a JSON list of tools, in our form or that of OpenAI, Anthropic or MCP; `agent` for a running agent's tools; `none` (default: a running agent's, or the profile's own)",
  },
  toolFormat: {
    value: "FORMAT",
    choices: TOOL_FORMATS,
    help: "how tools are sent to the model (default: depends on the model)",
  },
  scope: { value: "FILE", help: "a JSON object with values for session and turn inputs" },
  budget: { value: "N", help: "most tokens that the cached prefix may take" },
  now: { value: "ISO", help: "set the clock, for example to 2026-11-15T08:30:00Z; TZ is honoured" },
} as const satisfies FlagTable

/** For every command that uses a workspace's state. */
export const STATE_FLAG = {
  state: {
    value: "DIR",
    help: "the state directory (default: the one that `incipit state show` prints)",
  },
} as const satisfies FlagTable

/** For every command that uses the agent's store. */
export const DATABASE_FLAG = {
  database: {
    value: "URL",
    help: "a PostgreSQL database in place of files, as postgres://user@host/name (default: as in incipit.yaml)",
  },
} as const satisfies FlagTable

/** For every command that reads a record. */
export const CAPTURES_FLAG = {
  captures: {
    conflicts: ["record"],
    help: "use the calls that `wrap`, `proxy` and `capture` have kept, of any client",
  },
} as const satisfies FlagTable

export const JSON_FLAG = { json: { help: "print the result as JSON" } } as const satisfies FlagTable
export const STRICT_FLAG = {
  strict: { help: "exit with 1 for warnings and hints too" },
} as const satisfies FlagTable
export const NO_COLOR_FLAG = {
  noColor: { help: "turn colours off; NO_COLOR works too" },
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
  model: { ...model, help: "the model to use, as provider/model (default: see `incipit models`)" },
  as: { ...as, help: "talk as this user from incipit.yaml (default: the owner)" },
  in: SHARED_FLAGS.in,
  channel,
  agent,
  session: { ...session, help: "continue this session (default: the last one)" },
  task,
  background,
  plan,
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable
