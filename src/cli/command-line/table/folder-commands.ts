// The `folder` commands, as data.
import type { CommandTable, Word } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const FOLDER_FLAGS = { ...JSON_FLAG, home: SHARED_FLAGS.home } as const satisfies FlagTable
const FOLDER: Word = { name: "folder", help: "the workspace folder (default: this one)", optional: true }

export const FOLDER_COMMANDS = {
  "folder approve": {
    words: [FOLDER],
    help: "show what a folder could run or use, and allow the agent to run in it",
    flags: { yes: { help: "approve without asking" }, ...FOLDER_FLAGS },
    examples: ["incipit folder approve", "incipit folder approve ../cloned --yes"],
  },
  "folder list": {
    words: [],
    help: "list the folders that you have approved",
    flags: FOLDER_FLAGS,
    examples: ["incipit folder list"],
  },
  "folder revoke": {
    words: [FOLDER],
    help: "withdraw the approval of a folder; nothing in it runs until you approve it again",
    flags: FOLDER_FLAGS,
    examples: ["incipit folder revoke ../cloned"],
  },
} as const satisfies CommandTable
