// The `state` commands, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const HOME_FLAG: readonly Flag[] = SHARED_FLAGS.filter(({ name }) => name === "home")
const YES_FLAG: Flag = { name: "yes", help: "do it without asking" }
const FOLDER_WORD = { name: "folder", help: "the workspace (default: here)", optional: true } as const

export const STATE_COMMANDS: readonly Command[] = [
  {
    name: "state list",
    words: [],
    help: "list the folders that have state: conversations, a record, an index of memory",
    flags: [JSON_FLAG, ...HOME_FLAG],
    examples: ["incipit state list", "incipit state list --json"],
    load: async () => ({ run: (await import("../commands/agent/state.ts")).list }),
  },
  {
    name: "state show",
    words: [FOLDER_WORD],
    help: "show where the state of a folder is and how large it is",
    flags: [JSON_FLAG, STATE_FLAG, ...HOME_FLAG],
    examples: ["incipit state show", "incipit state show ~/agents/ada"],
    load: async () => ({ run: (await import("../commands/agent/state.ts")).show }),
  },
  {
    name: "state move",
    words: [
      { name: "from", help: "the path that the folder had, or the id that `state list` shows" },
      { ...FOLDER_WORD, help: "the folder that will use it (default: here)" },
    ],
    help: "use the state of a folder that was moved or replaced in its new place",
    flags: [YES_FLAG, JSON_FLAG, ...HOME_FLAG],
    examples: ["incipit state move ~/old/ada", "incipit state move ~/old/ada ~/agents/ada --yes"],
    load: async () => ({ run: (await import("../commands/agent/state.ts")).move }),
  },
  {
    name: "state forget",
    words: [
      { name: "what", help: "a path, or the id that `state list` shows (default: here)", optional: true },
    ],
    help: "delete what is kept for a folder (conversations, record, index); the folder stays",
    flags: [
      { name: "gone", help: "delete the state of every folder that is gone" },
      YES_FLAG,
      JSON_FLAG,
      ...HOME_FLAG,
    ],
    examples: ["incipit state forget ~/old/ada", "incipit state forget --gone --yes"],
    load: async () => ({ run: (await import("../commands/agent/state.ts")).forget }),
  },
  {
    name: "state adopt",
    words: [FOLDER_WORD],
    help: "look at state that came with a folder, where Incipit 0.1.0 kept it, and adopt it",
    flags: [
      { name: "yes", help: "adopt without asking, except what would act by itself" },
      { name: "acting", help: "with --yes: also adopt waiting messages and the schedule" },
      JSON_FLAG,
      STATE_FLAG,
      ...HOME_FLAG,
    ],
    examples: ["incipit state adopt", "incipit state adopt ~/agents/ada --yes"],
    load: async () => ({ run: (await import("../commands/agent/state.ts")).adopt }),
  },
]
