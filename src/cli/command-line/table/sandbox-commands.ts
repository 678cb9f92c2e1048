// The `sandbox` commands, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS } from "./flags.ts"

const { workspace, cwd, home } = SHARED_FLAGS
const PLACE_FLAGS = { workspace, cwd, home } as const satisfies FlagTable

export const SANDBOX_COMMANDS = {
  "sandbox check": {
    words: [],
    help: "say what a sandbox on this machine holds, and prove each line by trying",
    flags: { ...JSON_FLAG, ...PLACE_FLAGS },
    examples: ["incipit sandbox check", "incipit sandbox check --json"],
  },
  "sandbox shell": {
    words: [],
    help: "open a shell in the sandbox, to see what commands of the agent see",
    flags: PLACE_FLAGS,
    examples: ["incipit sandbox shell"],
  },
} as const satisfies CommandTable
