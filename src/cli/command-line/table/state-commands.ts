// The `state` commands, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const HOME_FLAG = { home: SHARED_FLAGS.home } as const satisfies FlagTable
const YES_FLAG = { yes: { help: "do it without asking" } } as const satisfies FlagTable
const FOLDER_WORD = { name: "folder", help: "the workspace (default: here)", optional: true } as const

export const STATE_COMMANDS = {
  "state list": {
    words: [],
    help: "list the folders that have state: conversations, a record, an index of memory",
    flags: { ...JSON_FLAG, ...HOME_FLAG },
    examples: ["incipit state list", "incipit state list --json"],
  },
  "state show": {
    words: [FOLDER_WORD],
    help: "show where the state of a folder is and how large it is",
    flags: { ...JSON_FLAG, ...STATE_FLAG, ...HOME_FLAG },
    examples: ["incipit state show", "incipit state show ~/agents/ada"],
  },
  "state move": {
    words: [
      { name: "from", help: "the path that the folder had, or the id that `state list` shows" },
      { ...FOLDER_WORD, help: "the folder that will use it (default: here)" },
    ],
    help: "use the state of a folder that was moved or replaced in its new place",
    flags: { ...YES_FLAG, ...JSON_FLAG, ...HOME_FLAG },
    examples: ["incipit state move ~/old/ada", "incipit state move ~/old/ada ~/agents/ada --yes"],
  },
  "state forget": {
    words: [
      { name: "what", help: "a path, or the id that `state list` shows (default: here)", optional: true },
    ],
    help: "delete what is kept for a folder (conversations, record, index); the folder stays",
    flags: {
      gone: { help: "delete the state of every folder that is gone" },
      ...YES_FLAG,
      ...JSON_FLAG,
      ...HOME_FLAG,
    },
    examples: ["incipit state forget ~/old/ada", "incipit state forget --gone --yes"],
  },
  "state adopt": {
    words: [FOLDER_WORD],
    help: "look at state that came with a folder, where Incipit 0.1.0 kept it, and adopt it",
    flags: {
      yes: { help: "adopt without asking, except what would act by itself" },
      acting: { help: "with --yes: also adopt waiting messages and the schedule" },
      ...JSON_FLAG,
      ...STATE_FLAG,
      ...HOME_FLAG,
    },
    examples: ["incipit state adopt", "incipit state adopt ~/agents/ada --yes"],
  },
} as const satisfies CommandTable
