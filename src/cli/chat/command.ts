// The `incipit chat` command, as data.
import type { CommandEntry } from "../command-line/table/command.ts"
import { NO_COLOR_FLAG, SHARED_FLAGS, STATE_FLAG } from "../command-line/table/flags.ts"

const { workspace, cwd, home, profile, model, as, channel, agent, plan } = SHARED_FLAGS

export const CHAT_COMMAND = {
  runsAgent: true,
  words: [],
  help: "talk with the agent; without a terminal, a message for each line of stdin",
  flags: {
    continue: { help: "go on with the last session (default)" },
    resume: { value: "ID", help: "go on with this session; the start of its id is enough" },
    new: { help: "begin a new session" },
    noSchedule: { help: "do not run what is scheduled meanwhile" },
    ...NO_COLOR_FLAG,
    ...STATE_FLAG,
    workspace,
    cwd,
    home,
    profile,
    model: { ...model, help: "the model that answers, as provider/model" },
    as: { ...as, help: "talk as this user of incipit.yaml (default: the owner)" },
    in: SHARED_FLAGS.in,
    channel,
    agent,
    plan: { ...plan, help: "begin in plan mode" },
  },
  examples: ["incipit chat", "incipit chat --continue", 'echo "What is next?" | incipit chat --as bob'],
} as const satisfies CommandEntry
