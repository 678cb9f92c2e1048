// The commands of hooks, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const HOOK_FLAGS: readonly Flag[] = [JSON_FLAG, ...SHARED_FLAGS.filter(({ name }) => name === "workspace")]

export const HOOK_COMMANDS: readonly Command[] = [
  {
    name: "hooks",
    words: [],
    help: "list modules of hooks, MCP servers and addresses elsewhere, and which of them are approved, or wait for it",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks"],
    load: async () => ({ run: (await import("./hooks.ts")).list }),
  },
  {
    name: "hooks approve",
    words: [{ name: "name", help: "the module, server or address (default: all that wait)", optional: true }],
    help: "allow code to run or an address to be used, after a look at it; when it changes, it waits again",
    flags: [{ name: "yes", help: "approve without asking" }, ...HOOK_FLAGS],
    examples: ["incipit hooks approve tides --yes"],
    load: async () => ({ run: (await import("./hooks.ts")).approve }),
  },
  {
    name: "hooks revoke",
    words: [{ name: "name", help: "the module, server or address" }],
    help: "take back every approval of a module, server or address",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks revoke tides"],
    load: async () => ({ run: (await import("./hooks.ts")).revoke }),
  },
]
