// Where each client keeps its MCP servers, and in which form: facts about other programs, as data. `npm run clients` checks
// those of the clients that can list their servers.
import { posix, win32 } from "node:path"
import type { McpClientName, Scope } from "../mcp-clients.ts"

/** The name under which clients list the server. */
export const SERVER = "incipit"

/** An entry in a client's settings. */
export type Entry = Readonly<Record<string, string | boolean | readonly string[]>>

export interface ClientSettings {
  /** As people call it. */
  readonly label: string
  /** `jsonc` has comments and commas at the end; a client that reads `json` refuses them. */
  readonly format: "json" | "jsonc" | "toml"
  /** The key of the object that has the servers by name. */
  readonly servers: string
  /** What people expect who name no scope: where the client's own command adds a server, if it has one. */
  readonly scope: Scope
  /** The files that it reads. Used is the first that exists, else the first. */
  readonly files: (scope: Scope, place: SettingsPlace) => readonly string[]
  readonly entry: (command: readonly string[], variables: readonly string[]) => Entry
  /** What a new file has besides the server. */
  readonly beside?: Entry
  /** Stands for the project's folder in an argument. Only for clients that don't start servers there. */
  readonly folder?: string
  /** Whether the server gets only the variables that its entry names. */
  readonly namesVariables?: true
  /** What to do after it was added. */
  readonly next: Readonly<Record<Scope, string>>
}

/** What a place depends on. */
export interface SettingsPlace {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

const AT_NEXT_START = "Claude Code starts it with its next session; `/mcp` lists it."

export const CLIENT_SETTINGS: Readonly<Record<McpClientName, ClientSettings>> = {
  "claude-code": {
    label: "Claude Code",
    format: "json",
    servers: "mcpServers",
    scope: "project",
    files: (scope, place) => [
      scope === "project"
        ? pathIn(place)(place.cwd, ".mcp.json")
        : pathIn(place)(place.env.CLAUDE_CONFIG_DIR || place.home, ".claude.json"),
    ],
    entry: withArgs,
    next: {
      project: "The next time that `claude` starts in this folder, it asks you to approve the server.",
      user: AT_NEXT_START,
    },
  },
  codex: {
    label: "Codex",
    format: "toml",
    servers: "mcp_servers",
    scope: "user",
    files: (scope, place) => [
      scope === "project"
        ? pathIn(place)(place.cwd, ".codex", "config.toml")
        : pathIn(place)(place.env.CODEX_HOME || pathIn(place)(place.home, ".codex"), "config.toml"),
    ],
    entry: (command, variables) => ({
      ...withArgs(command),
      ...(variables.length > 0 && { env_vars: variables }),
    }),
    namesVariables: true,
    next: {
      project: "Codex reads it in folders that it trusts; `codex mcp list` shows whether it does.",
      user: "`codex mcp list` shows it; Codex starts it with its next session.",
    },
  },
  opencode: {
    label: "OpenCode",
    format: "jsonc",
    servers: "mcp",
    scope: "project",
    files(scope, place) {
      const join = pathIn(place)
      if (scope === "project") return ["opencode.json", "opencode.jsonc"].map((name) => join(place.cwd, name))
      const folder = join(place.env.XDG_CONFIG_HOME || join(place.home, ".config"), "opencode")
      return ["opencode.json", "opencode.jsonc", "config.json"].map((name) => join(folder, name))
    },
    entry: (command) => ({ type: "local", command, enabled: true }),
    beside: { $schema: "https://opencode.ai/config.json" },
    next: {
      project: "`opencode mcp list` shows it; OpenCode starts it with its next session.",
      user: "`opencode mcp list` shows it; OpenCode starts it with its next session.",
    },
  },
  "gemini-cli": {
    label: "Gemini CLI",
    format: "jsonc",
    servers: "mcpServers",
    scope: "project",
    files(scope, place) {
      const folder = scope === "project" ? place.cwd : place.env.GEMINI_CLI_HOME || place.home
      return [pathIn(place)(folder, ".gemini", "settings.json")]
    },
    entry: withArgs,
    next: {
      project: "`gemini mcp list` shows it. Gemini CLI starts servers only in folders that you trust.",
      user: "`gemini mcp list` shows it. Gemini CLI starts servers only in folders that you trust.",
    },
  },
  cursor: {
    label: "Cursor",
    format: "jsonc",
    servers: "mcpServers",
    scope: "project",
    files: (scope, place) => [
      pathIn(place)(scope === "project" ? place.cwd : place.home, ".cursor", "mcp.json"),
    ],
    entry: withArgs,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor puts the folder in its place.
    folder: "${workspaceFolder}",
    next: {
      project: "Open this folder in Cursor and switch the server on in the settings for MCP.",
      user: "Switch the server on in Cursor's settings for MCP.",
    },
  },
  vscode: {
    label: "VS Code",
    format: "jsonc",
    servers: "servers",
    scope: "project",
    files: (scope, place) => [
      scope === "project"
        ? pathIn(place)(place.cwd, ".vscode", "mcp.json")
        : pathIn(place)(vscodeFolder(place), "mcp.json"),
    ],
    entry: (command) => ({ type: "stdio", ...withArgs(command) }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code puts the folder in its place.
    folder: "${workspaceFolder}",
    next: {
      project: "Open this folder in VS Code and run `MCP: List Servers` from the command palette.",
      user: "Run `MCP: List Servers` from the command palette of VS Code.",
    },
  },
}

function withArgs([command = "", ...args]: readonly string[]) {
  return { command, args }
}

/** Of the profile that everybody has; other editions and profiles have folders of their own. */
function vscodeFolder(place: SettingsPlace): string {
  const { platform, home, env } = place
  const join = pathIn(place)
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "Code", "User")
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User")
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "Code", "User")
}

function pathIn({ platform }: SettingsPlace): (...parts: readonly string[]) => string {
  return platform === "win32" ? win32.join : posix.join
}
