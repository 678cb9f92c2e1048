// The `incipit chat` command, as data.
import type { CommandEntry } from "../command-line/table/command.ts"
import { DATABASE_FLAG, NO_COLOR_FLAG, SHARED_FLAGS, STATE_FLAG } from "../command-line/table/flags.ts"

const { workspace, cwd, home, profile, model, as, channel, agent, plan } = SHARED_FLAGS

export const CHAT_COMMAND = {
  runsAgent: true,
  words: [],
  help: "chat with the agent; without a terminal, each line of stdin is a message",
  flags: {
    continue: {
      short: "c",
      conflicts: ["new", "resume"],
      help: "continue the last session, as without flags",
    },
    resume: { value: "ID", help: "continue this session; the start of its id is enough" },
    new: { help: "start a new session" },
    noSchedule: { help: "do not run the schedule while the chat is open" },
    ...NO_COLOR_FLAG,
    ...STATE_FLAG,
    ...DATABASE_FLAG,
    workspace,
    cwd,
    home,
    profile,
    model: { ...model, help: "the model to use, as provider/model" },
    as: { ...as, help: "talk as this user from incipit.yaml (default: the owner)" },
    in: SHARED_FLAGS.in,
    channel,
    agent,
    plan: { ...plan, help: "start in plan mode" },
  },
  examples: ["incipit chat", "incipit chat --continue", 'echo "What is next?" | incipit chat --as bob'],
} as const satisfies CommandEntry
