// The `incipit chat` command, as data.
import type { Command } from "../command-line/command.ts"
import { SHARED_FLAGS, STATE_FLAG } from "../command-line/flags.ts"

const SHARED = ["workspace", "cwd", "home", "agent", "as", "in", "channel", "model", "profile", "plan"]
/** Help for flags that mean more here than elsewhere. */
const HELP: Readonly<Record<string, string>> = {
  as: "talk as this user of incipit.yaml (default: the owner)",
  model: "the model that answers, as provider/model",
  plan: "begin in plan mode",
}

export const CHAT_COMMAND: Command = {
  name: "chat",
  runsAgent: true,
  words: [],
  help: "talk with the agent; without a terminal, a message for each line of stdin",
  flags: [
    { name: "continue", help: "go on with the last session (default)" },
    { name: "resume", value: "ID", help: "go on with this session; the start of its id is enough" },
    { name: "new", help: "begin a new session" },
    { name: "no-schedule", help: "do not run what is scheduled meanwhile" },
    { name: "no-color", help: "no colours; NO_COLOR is honoured, too" },
    STATE_FLAG,
    ...SHARED_FLAGS.filter(({ name }) => SHARED.includes(name)).map((flag) => ({
      ...flag,
      help: HELP[flag.name] ?? flag.help,
    })),
  ],
  examples: ["incipit chat", "incipit chat --continue", 'echo "What is next?" | incipit chat --as bob'],
  load: () => import("./chat.ts"),
}
