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
    help: "list the folders that have state: conversations, a record, a memory index",
    flags: { ...JSON_FLAG, ...HOME_FLAG },
    examples: ["incipit state list", "incipit state list --json"],
  },
  "state show": {
    words: [FOLDER_WORD],
    help: "show where a folder's state is and how large it is",
    flags: { ...JSON_FLAG, ...STATE_FLAG, ...HOME_FLAG },
    examples: ["incipit state show", "incipit state show ~/agents/ada"],
  },
  "state move": {
    words: [
      { name: "from", help: "the folder's old path, or its id from `state list`" },
      { ...FOLDER_WORD, help: "the folder that will use it (default: here)" },
    ],
    help: "give a folder the state of the one it was moved from or replaces",
    flags: { ...YES_FLAG, ...JSON_FLAG, ...HOME_FLAG },
    examples: ["incipit state move ~/old/ada", "incipit state move ~/old/ada ~/agents/ada --yes"],
  },
  "state forget": {
    words: [{ name: "what", help: "a path, or an id from `state list` (default: here)", optional: true }],
    help: "delete a folder's state (conversations, record, memory index); the folder itself stays",
    flags: {
      gone: { help: "delete the state of every folder that no longer exists" },
      ...YES_FLAG,
      ...JSON_FLAG,
      ...HOME_FLAG,
    },
    examples: ["incipit state forget ~/old/ada", "incipit state forget --gone --yes"],
  },
  "state adopt": {
    words: [FOLDER_WORD],
    help: "review and adopt state that came with a folder, where Incipit 0.1.0 kept it",
    flags: {
      yes: { help: "adopt without asking, except queued messages and the schedule" },
      acting: { help: "with --yes: also adopt queued messages and the schedule" },
      ...JSON_FLAG,
      ...STATE_FLAG,
      ...HOME_FLAG,
    },
    examples: ["incipit state adopt", "incipit state adopt ~/agents/ada --yes"],
  },
} as const satisfies CommandTable
