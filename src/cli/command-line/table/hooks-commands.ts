// The commands for hooks, and for everything else that needs the same approval, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const HOOK_FLAGS = { ...JSON_FLAG, workspace: SHARED_FLAGS.workspace } as const satisfies FlagTable

export const HOOK_COMMANDS = {
  hooks: {
    words: [],
    help: "list what incipit.yaml names and you must approve: hooks, a profile that is code, MCP servers, addresses and folders elsewhere",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks"],
  },
  "hooks approve": {
    words: [
      {
        name: "name",
        help: "the module, profile, server, address or folder (default: all that wait)",
        optional: true,
      },
    ],
    help: "allow code to run, or an address or folder to be used, after a look at it; when it changes, it waits again",
    flags: { yes: { help: "approve without asking" }, ...HOOK_FLAGS },
    examples: ["incipit hooks approve tides --yes"],
  },
  "hooks revoke": {
    words: [{ name: "name", help: "the module, profile, server, address or folder" }],
    help: "take back every approval of a module, profile, server, address or folder",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks revoke tides"],
  },
} as const satisfies CommandTable
