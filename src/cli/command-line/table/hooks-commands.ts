// The commands for hooks, and for everything else that needs the same approval, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const HOOK_FLAGS = { ...JSON_FLAG, workspace: SHARED_FLAGS.workspace } as const satisfies FlagTable

export const HOOK_COMMANDS = {
  hooks: {
    words: [],
    help: "list what incipit.yaml names and you must approve: hooks, code profiles, MCP servers, addresses and outside folders",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks"],
  },
  "hooks approve": {
    words: [
      {
        name: "name",
        help: "the module, profile, server, address or folder (default: everything that is waiting)",
        optional: true,
      },
    ],
    help: "review and approve code, an address or a folder; if it changes, it needs approval again",
    flags: { yes: { help: "approve without asking" }, ...HOOK_FLAGS },
    examples: ["incipit hooks approve tides --yes"],
  },
  "hooks revoke": {
    words: [{ name: "name", help: "the module, profile, server, address or folder" }],
    help: "revoke all approvals of a module, profile, server, address or folder",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks revoke tides"],
  },
} as const satisfies CommandTable
