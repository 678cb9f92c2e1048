// The commands for hooks, and for everything else that needs the same approval, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const HOOK_FLAGS: readonly Flag[] = [JSON_FLAG, ...SHARED_FLAGS.filter(({ name }) => name === "workspace")]

export const HOOK_COMMANDS: readonly Command[] = [
  {
    name: "hooks",
    words: [],
    help: "list what incipit.yaml names and you must approve: hooks, a profile that is code, MCP servers, addresses and folders elsewhere",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks"],
    load: async () => ({ run: (await import("../commands/workspace/hooks.ts")).list }),
  },
  {
    name: "hooks approve",
    words: [
      {
        name: "name",
        help: "the module, profile, server, address or folder (default: all that wait)",
        optional: true,
      },
    ],
    help: "allow code to run, or an address or folder to be used, after a look at it; when it changes, it waits again",
    flags: [{ name: "yes", help: "approve without asking" }, ...HOOK_FLAGS],
    examples: ["incipit hooks approve tides --yes"],
    load: async () => ({ run: (await import("../commands/workspace/hooks.ts")).approve }),
  },
  {
    name: "hooks revoke",
    words: [{ name: "name", help: "the module, profile, server, address or folder" }],
    help: "take back every approval of a module, profile, server, address or folder",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks revoke tides"],
    load: async () => ({ run: (await import("../commands/workspace/hooks.ts")).revoke }),
  },
]
