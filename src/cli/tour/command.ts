// The `incipit tour` command, as data.
import type { Command } from "../command-line/command.ts"
import { SHARED_FLAGS } from "../command-line/flags.ts"

const SHARED = ["home", "now"]

export const TOUR_COMMAND: Command = {
  name: "tour",
  runsAgent: true,
  words: [],
  help: "take a five-minute tour with a sample agent",
  flags: [
    {
      name: "workspace",
      value: "DIR",
      help: "take the tour in this workspace (default: a copy of the sample)",
    },
    { name: "model", value: "ID", help: "the model that answers (default: one whose key is set, else none)" },
    { name: "yes", help: "with --workspace: keep the conversation there without asking" },
    { name: "no-color", help: "no colours; NO_COLOR is honoured, too" },
    ...SHARED_FLAGS.filter(({ name }) => SHARED.includes(name)),
  ],
  examples: ["incipit tour", "incipit tour --workspace . --yes", "incipit tour --model offline | less"],
  load: () => import("./tour.ts"),
}
