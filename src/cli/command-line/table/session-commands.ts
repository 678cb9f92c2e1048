// The commands about sessions: `session fork`, `session undo` and `session stop`, as data.
import type { CommandTable, Word } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { AGENT_FLAGS, DATABASE_FLAG, JSON_FLAG, STATE_FLAG } from "./flags.ts"

const { workspace, home, as, channel, agent } = AGENT_FLAGS
const FLAGS = {
  ...JSON_FLAG,
  ...{ workspace, home, as, in: AGENT_FLAGS.in, channel, agent },
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable
const SESSION: Word = { name: "session", help: "its id, as `incipit run --sessions` shows it" }

export const SESSION_COMMANDS = {
  "session fork": {
    words: [SESSION],
    help: "begin a session that shares the conversation before a message; the next message goes there",
    flags: {
      at: { value: "TURN", help: "the turn of that message (default: share all of the conversation)" },
      ...FLAGS,
    },
    examples: ["incipit session fork 01kp5xjw5rbq3zv0xkq1 --at 01kp5xk3m0vh2s8f7y4d"],
  },
  "session undo": {
    words: [SESSION],
    help: "go back to before the last message; the old session stays as it is",
    flags: FLAGS,
    examples: ["incipit session undo 01kp5xjw5rbq3zv0xkq1"],
  },
  "session stop": {
    words: [SESSION],
    help: "stop what the agent is doing in a session, in whichever process; what is done is kept",
    flags: FLAGS,
    examples: ["incipit session stop 01kp5xjw5rbq3zv0xkq1"],
  },
} as const satisfies CommandTable
