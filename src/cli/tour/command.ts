// The `incipit tour` command, as data.
import type { CommandEntry } from "../command-line/table/command.ts"
import { NO_COLOR_FLAG, SHARED_FLAGS } from "../command-line/table/flags.ts"

export const TOUR_COMMAND = {
  runsAgent: true,
  words: [],
  help: "take a five-minute tour with a sample agent",
  flags: {
    workspace: {
      value: "DIR",
      help: "take the tour in this workspace (default: a copy of the sample)",
    },
    model: { value: "ID", help: "the model to use (default: one with an API key, else the offline model)" },
    yes: { help: "with --workspace: keep the conversation without asking" },
    ...NO_COLOR_FLAG,
    home: SHARED_FLAGS.home,
    now: SHARED_FLAGS.now,
  },
  examples: ["incipit tour", "incipit tour --workspace . --yes", "incipit tour --model offline | less"],
} as const satisfies CommandEntry
