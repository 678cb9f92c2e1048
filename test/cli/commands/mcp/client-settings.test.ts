// Where each client keeps its servers, on each system, and what is written there.
import { expect, test } from "vitest"
import { CLIENT_SETTINGS } from "../../../../src/cli/commands/mcp/install/client-settings.ts"
import { snippetOf } from "../../../../src/cli/commands/mcp/install/server-entry.ts"
import { MCP_CLIENTS, SCOPES } from "../../../../src/cli/commands/mcp/mcp-clients.ts"

function filesOn(platform: NodeJS.Platform, home: string, env: Readonly<Record<string, string>> = {}) {
  const place = { cwd: platform === "win32" ? "D:\\src\\app" : "/src/app", home, env, platform }
  return Object.fromEntries(
    MCP_CLIENTS.map((client) => [
      client,
      Object.fromEntries(SCOPES.map((scope) => [scope, CLIENT_SETTINGS[client].files(scope, place)])),
    ]),
  )
}

test("on Linux", () => {
  expect(filesOn("linux", "/home/ada")).toEqual({
    "claude-code": { project: ["/src/app/.mcp.json"], user: ["/home/ada/.claude.json"] },
    codex: { project: ["/src/app/.codex/config.toml"], user: ["/home/ada/.codex/config.toml"] },
    opencode: {
      project: ["/src/app/opencode.json", "/src/app/opencode.jsonc"],
      user: ["opencode.json", "opencode.jsonc", "config.json"].map(
        (name) => `/home/ada/.config/opencode/${name}`,
      ),
    },
    "gemini-cli": {
      project: ["/src/app/.gemini/settings.json"],
      user: ["/home/ada/.gemini/settings.json"],
    },
    cursor: { project: ["/src/app/.cursor/mcp.json"], user: ["/home/ada/.cursor/mcp.json"] },
    vscode: { project: ["/src/app/.vscode/mcp.json"], user: ["/home/ada/.config/Code/User/mcp.json"] },
  })
})

test("where variables say that a client's folder is elsewhere", () => {
  const env = {
    ...{ CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", GEMINI_CLI_HOME: "/g", XDG_CONFIG_HOME: "/config" },
  }
  const users = Object.entries(filesOn("linux", "/home/ada", env)).map(([client, { user = [] }]) => [
    client,
    user[0],
  ])
  expect(Object.fromEntries(users)).toEqual({
    "claude-code": "/c/.claude.json",
    codex: "/x/config.toml",
    opencode: "/config/opencode/opencode.json",
    "gemini-cli": "/g/.gemini/settings.json",
    cursor: "/home/ada/.cursor/mcp.json",
    vscode: "/config/Code/User/mcp.json",
  })
})

test("on Windows and macOS", () => {
  const home = "C:\\Users\\ada"
  const windows = filesOn("win32", home, { APPDATA: `${home}\\AppData\\Roaming` })
  expect(Object.values(windows).map(({ project, user }) => [project?.[0], user?.[0]])).toEqual([
    ["D:\\src\\app\\.mcp.json", `${home}\\.claude.json`],
    ["D:\\src\\app\\.codex\\config.toml", `${home}\\.codex\\config.toml`],
    ["D:\\src\\app\\opencode.json", `${home}\\.config\\opencode\\opencode.json`],
    ["D:\\src\\app\\.gemini\\settings.json", `${home}\\.gemini\\settings.json`],
    ["D:\\src\\app\\.cursor\\mcp.json", `${home}\\.cursor\\mcp.json`],
    ["D:\\src\\app\\.vscode\\mcp.json", `${home}\\AppData\\Roaming\\Code\\User\\mcp.json`],
  ])
  expect(filesOn("darwin", "/Users/ada").vscode?.user).toEqual([
    "/Users/ada/Library/Application Support/Code/User/mcp.json",
  ])
})

test("what each client is given", () => {
  const command = ["C:\\Program Files\\nodejs\\node.exe", "C:\\incipit\\bin\\incipit.js", "mcp"]
  expect(
    MCP_CLIENTS.map((client) => {
      const settings = CLIENT_SETTINGS[client]
      return `# ${client}\n${snippetOf(settings, settings.entry(command, ["CODEX_HOME"]))}`
    }).join("\n"),
  ).toMatchSnapshot()
})
