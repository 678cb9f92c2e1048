// The commands about messages that wait to be tried again, as data.
import type { CommandTable } from "./command.ts"
import { AGENT_FLAGS, JSON_FLAG } from "./flags.ts"

const {
  as: _as,
  in: _in,
  channel: _channel,
  session: _session,
  task: _task,
  plan: _plan,
  ...MORE
} = AGENT_FLAGS
const { mode: _mode, background: _background, ...AGENT } = MORE
const { workspace, home, agent, state, database } = AGENT

export const QUEUE_COMMANDS = {
  "queue list": {
    words: [],
    help: "list the messages that could not be answered yet: why, and when they are tried again",
    flags: { ...JSON_FLAG, ...{ workspace, home, agent, state, database } },
    examples: ["incipit queue list"],
  },
  "queue retry": {
    runsAgent: true,
    words: [{ name: "id", help: "the start of its id is enough (default: all of them)", optional: true }],
    help: "try a message again at once, after those before it in its session",
    flags: { ...JSON_FLAG, ...AGENT },
    examples: ["incipit queue retry", "incipit queue retry 01kp5xk3m0vh2s8f7y4d"],
  },
  "queue drop": {
    words: [{ name: "id", help: "the start of its id is enough", many: true }],
    help: "take messages out of the queue; those after them in their session are tried next",
    flags: { ...JSON_FLAG, ...AGENT },
    examples: ["incipit queue drop 01kp5xk3m0vh2s8f7y4d"],
  },
} as const satisfies CommandTable
