// The `folder` commands, as data.
import type { Command, Flag, Word } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const FOLDER_FLAGS: readonly Flag[] = [JSON_FLAG, ...SHARED_FLAGS.filter(({ name }) => name === "home")]
const FOLDER: Word = { name: "folder", help: "the workspace folder (default: this one)", optional: true }

export const FOLDER_COMMANDS: readonly Command[] = [
  {
    name: "folder approve",
    words: [FOLDER],
    help: "show what a folder could run or use, and allow the agent to run in it",
    flags: [{ name: "yes", help: "approve without asking" }, ...FOLDER_FLAGS],
    examples: ["incipit folder approve", "incipit folder approve ../cloned --yes"],
    load: async () => ({ run: (await import("../commands/workspace/folder.ts")).approve }),
  },
  {
    name: "folder list",
    words: [],
    help: "list the folders that you have approved",
    flags: FOLDER_FLAGS,
    examples: ["incipit folder list"],
    load: async () => ({ run: (await import("../commands/workspace/folder.ts")).list }),
  },
  {
    name: "folder revoke",
    words: [FOLDER],
    help: "withdraw the approval of a folder; nothing in it runs until you approve it again",
    flags: FOLDER_FLAGS,
    examples: ["incipit folder revoke ../cloned"],
    load: async () => ({ run: (await import("../commands/workspace/folder.ts")).revoke }),
  },
]
