// The command that serves MCP to an agent on this machine, and those for the servers that our own agent uses, as data.
import { MCP_CLIENTS } from "../../commands/mcp/mcp-clients.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { AGENT_FLAGS, DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const { workspace, home, profile } = AGENT_FLAGS

const SERVER = { name: "name", help: "the server's name in incipit.yaml" }
const SERVER_FLAGS = { ...JSON_FLAG, workspace } as const satisfies FlagTable

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
  "mcp login": {
    words: [SERVER],
    help: "sign in to an MCP server of incipit.yaml in your browser; its token stays in your state folder",
    flags: SERVER_FLAGS,
    examples: ["incipit mcp login maps"],
  },
  "mcp logout": {
    words: [SERVER],
    help: "forget a sign-in, and tell the service",
    flags: SERVER_FLAGS,
    examples: ["incipit mcp logout maps"],
  },
  "mcp status": {
    words: [],
    help: "list the MCP servers of incipit.yaml, and who is signed in; contacts none of them",
    flags: SERVER_FLAGS,
    examples: ["incipit mcp status"],
  },
} as const satisfies CommandTable
