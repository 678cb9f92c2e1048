// The command that serves MCP to an agent on this machine, as data.
import { MCP_CLIENTS } from "../../commands/mcp/mcp-clients.ts"
import type { CommandTable } from "./command.ts"
import { AGENT_FLAGS, DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const { workspace, home, profile } = AGENT_FLAGS

export const MCP_COMMANDS = {
  mcp: {
    words: [],
    help: "let a coding agent search and keep memory, and ask what it was sent, what it cost and why the cache missed",
    flags: {
      install: {
        value: "CLIENT",
        choices: MCP_CLIENTS,
        help: "add this server to a client's own settings: shows the change and asks",
      },
      print: { help: "with --install: only print what to add, and change nothing" },
      cost: { help: "print how many tokens the definitions take in every call, and stop" },
      ...JSON_FLAG,
      workspace,
      home,
      profile,
      as: SHARED_FLAGS.as,
      in: SHARED_FLAGS.in,
      ...STATE_FLAG,
      ...DATABASE_FLAG,
    },
    examples: [
      "incipit mcp --install claude-code",
      "incipit mcp --install cursor --print",
      "incipit mcp --cost",
    ],
  },
} as const satisfies CommandTable
