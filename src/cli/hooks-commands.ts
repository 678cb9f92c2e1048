// The commands of hooks, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const HOOK_FLAGS: readonly Flag[] = [JSON_FLAG, ...SHARED_FLAGS.filter(({ name }) => name === "workspace")]

export const HOOK_COMMANDS: readonly Command[] = [
  {
    name: "hooks",
    words: [],
    help: "list the modules of hooks and the MCP servers, and which of them are approved, or wait for it",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks"],
    load: async () => ({ run: (await import("./hooks.ts")).list }),
  },
  {
    name: "hooks approve",
    words: [{ name: "name", help: "the module or server (default: all that wait)", optional: true }],
    help: "allow code to run, after a look at what it is; when it changes, it waits again",
    flags: [{ name: "yes", help: "ask nothing" }, ...HOOK_FLAGS],
    examples: ["incipit hooks approve tides --yes"],
    load: async () => ({ run: (await import("./hooks.ts")).approve }),
  },
  {
    name: "hooks revoke",
    words: [{ name: "name", help: "the module or server" }],
    help: "take back every approval of a module or server",
    flags: HOOK_FLAGS,
    examples: ["incipit hooks revoke tides"],
    load: async () => ({ run: (await import("./hooks.ts")).revoke }),
  },
]
