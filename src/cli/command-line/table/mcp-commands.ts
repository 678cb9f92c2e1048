// The command that serves MCP to an agent on this machine, and those for the servers that our own agent uses, as data.
import { MCP_CLIENTS, SCOPES } from "../../commands/mcp/mcp-clients.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { AGENT_FLAGS, DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const { workspace, home, profile } = AGENT_FLAGS

/** What the server is started with. */
const SERVER_FLAGS = {
  workspace,
  home,
  profile,
  as: SHARED_FLAGS.as,
  in: SHARED_FLAGS.in,
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const

const SERVER = { name: "name", help: "the server's name in incipit.yaml" }
const OWN_SERVER_FLAGS = { ...JSON_FLAG, workspace } as const satisfies FlagTable

export const MCP_COMMANDS = {
  mcp: {
    words: [],
    help: "let a coding agent search and keep memory, and ask what it was sent, what it cost and why the cache missed",
    flags: {
      install: {
        value: "CLIENT",
        choices: MCP_CLIENTS,
        conflicts: ["remove", "print", "cost"],
        help: "add this server to a client's settings, with the flags given: shows the change and asks",
      },
      remove: {
        value: "CLIENT",
        choices: MCP_CLIENTS,
        conflicts: ["print", "cost", ...Object.keys(SERVER_FLAGS)],
        help: "remove it from a client's settings: shows the change and asks",
      },
      print: {
        value: "CLIENT",
        choices: MCP_CLIENTS,
        conflicts: ["cost", "yes"],
        help: "print what to add to a client's settings, and where",
      },
      scope: {
        value: "SCOPE",
        choices: SCOPES,
        conflicts: ["cost"],
        help: "whether the client has it in this folder (project) or in all of yours (user) (default: user for codex, project for the others)",
      },
      yes: { conflicts: ["cost"], help: "write the change without asking" },
      cost: {
        conflicts: Object.keys(SERVER_FLAGS),
        help: "print how many tokens the definitions take in every call",
      },
      ...JSON_FLAG,
      ...SERVER_FLAGS,
    },
    examples: [
      "incipit mcp --install claude-code",
      "incipit mcp --install codex --as jonas",
      "incipit mcp --print cursor",
      "incipit mcp --cost",
    ],
  },
  "mcp login": {
    words: [SERVER],
    help: "sign in to an MCP server of incipit.yaml in your browser; its token stays in your state folder",
    flags: OWN_SERVER_FLAGS,
    examples: ["incipit mcp login maps"],
  },
  "mcp logout": {
    words: [SERVER],
    help: "forget a sign-in, and tell the service",
    flags: OWN_SERVER_FLAGS,
    examples: ["incipit mcp logout maps"],
  },
  "mcp status": {
    words: [],
    help: "list the MCP servers of incipit.yaml, and who is signed in; contacts none of them",
    flags: OWN_SERVER_FLAGS,
    examples: ["incipit mcp status"],
  },
} as const satisfies CommandTable
