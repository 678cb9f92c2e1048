// What `init` finds in a folder that other agents work in: what it says about it, and what it takes over after a yes.
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { incipitOnTerminal } from "../pty.ts"
import { warmIncipit as incipit } from "../run.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root })
const read = (path: string) => readFileSync(join(folder.root, path), "utf8")

const MCP = JSON.stringify({
  mcpServers: {
    tides: {
      command: "node",
      args: ["tides.mjs"],
      env: { LOG: "info", GITHUB_TOKEN: `ghp_${"x".repeat(36)}` },
    },
    docs: { type: "http", url: "https://docs.example/mcp", headers: { Authorization: "Bearer abcdef" } },
    home: { command: "sh", env: { FROM: "$".concat("{HOME:-/}") } },
    old: { type: "sse", url: "https://old.example" },
    off: { command: "node" },
    bad: 5,
    "\u001b[2J": {},
  },
})
const SETTINGS = JSON.stringify({ permissions: { allow: ["Bash"] }, disabledMcpjsonServers: ["off"] })

test("init takes over what other agents' files name, only if it is wanted, without secrets and without approving it", () => {
  folder.write("workspace/.mcp.json", MCP)
  folder.write("workspace/.claude/settings.json", SETTINGS)
  folder.write("workspace/CLAUDE.md", "Be brief.\n")
  folder.write("workspace/AGENTS.md", "Be kind.\n")
  const { stdout, stderr, status } = run("init", "--yes", "--import", "--heartbeat")
  expect([stderr, status]).toEqual([
    `This folder has the layout of Claude Code. The profile incipit uses AGENTS.md.
- CLAUDE.md: is ignored because AGENTS.md takes its place. To read both, set
prompt.context: all.
- Not taken over: the MCP server home of .mcp.json: it has a variable with a
default, which incipit.yaml does not have.
- Not taken over: the MCP server old of .mcp.json: it speaks the older SSE
transport, which is not supported.
- Not taken over: the MCP server off of .mcp.json: it is disabled.
- Not taken over: the MCP server bad of .mcp.json: it is not an object.
- Not taken over: the MCP server \\u001b[2J of .mcp.json: it has neither a
command nor an http URL.
- Not taken over: the permissions and hooks of .claude/settings.json: they are
Claude Code's own.
`,
    0,
  ])
  expect(stdout.split("\n").slice(-7)).toEqual([
    "Next: edit SOUL.md, then see the prompt: incipit build",
    "      set what was a secret in the files: GITHUB_TOKEN, DOCS_AUTHORIZATION",
    "      approve the MCP servers: incipit hooks approve",
    "      let a chat run the heartbeat, too: incipit hooks approve schedule",
    "      chat with the agent: incipit chat",
    "      take the tour: incipit tour",
    "",
  ])
  expect(read("incipit.yaml").split("\n").slice(8, 13)).toEqual([
    "# Both AGENTS.md and CLAUDE.md.",
    "prompt: { context: all }",
    "# Taken over from .mcp.json. Each starts only once you have approved it.",
    "mcp:",
    `  "tides": {"command":"node","args":["tides.mjs"],"env":{"LOG":"info","GITHUB_TOKEN":"${"$"}{GITHUB_TOKEN}"}}`,
  ])
  expect(run("hooks").stdout.match(/waiting/g)).toHaveLength(3)
  expect(run("build", "--text").stdout).toMatch(/Be kind.*Be brief/s)
})

test("init without a word about it leaves them out, and says so", () => {
  folder.write("workspace/.mcp.json", MCP)
  folder.write("workspace/CLAUDE.md", "@AGENTS.md\n")
  folder.write("workspace/AGENTS.md", "Be kind.\n")
  const { stderr } = run("init", "--yes")
  expect(stderr.split("\n").slice(-2)).toEqual(["Left out: 3 MCP servers. --import takes this over.", ""])
  expect(read("incipit.yaml")).not.toContain("mcp:")
})

test("init asks with what it found, what it writes and each line that it would take over", async () => {
  folder.write("workspace/.mcp.json", MCP)
  folder.write("workspace/SOUL.md", "Mine.")
  const init = incipitOnTerminal(["init"], { cwd: folder.root, env: { USER: "mirela" } })
  for (const [question, answer] of [
    [
      "Writes IDENTITY.md, AGENTS.md, USER.md, incipit.yaml, .gitignore, after a few\nquestions. SOUL.md stays as it is. Ctrl-C stops.\nWhat is the agent's name? [Wren] ",
      "",
    ],
    ["What does it do, in a few words? [helps with everyday tasks] ", ""],
    ["What is your name? [mirela] ", ""],
    ["Which model? [the first one with an API key] ", ""],
    ["Should it go through a HEARTBEAT.md every morning? [y/N] ", ""],
    [
      "These MCP servers are named here:\n  tides  node tides.mjs  (.mcp.json)\n  docs   https://docs.example/mcp  (.mcp.json)\n  off    node  (.mcp.json)\nTake them over? Each starts only once you approve it. [y/N] ",
      "y",
    ],
  ] as const) {
    await init.shows(question)
    init.type(`${answer}\r`)
  }
  expect(await init.ended).toBe(0)
  expect([read("USER.md").split("\n")[1], read("incipit.yaml").match(/^ {2}"\w+":/gm)]).toEqual([
    'name: "mirela"',
    ['  "tides":', '  "docs":', '  "off":'],
  ])
})

test.each([
  "{",
  "[]",
  '{"mcpServers":{"a":'.repeat(200),
  `{"mcpServers": ${"[".repeat(2000)}${"]".repeat(2000)}}`,
])("init goes on if .mcp.json is broken: %#", (text) => {
  folder.write("workspace/.mcp.json", text)
  const { status, stderr } = run("init", "--yes")
  expect([status, /^- Not taken over: \.mcp\.json: it is /.test(stderr)]).toEqual([0, true])
})

test("init does not read .mcp.json through a link that leads out of the folder", () => {
  writeFileSync(join(folder.path, "outside.json"), MCP)
  symlinkSync(join(folder.path, "outside.json"), join(folder.root, ".mcp.json"))
  const { stderr } = run("init", "--yes", "--import")
  expect(stderr).toContain("- Not taken over: .mcp.json: it is a link out of the folder")
  expect(read("incipit.yaml")).not.toContain("mcp:")
})

test("nobody in the documentation has the name that init offers", () => {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".md"),
  )
  const named = pages.filter((path) => /\bWren\b/.test(readFileSync(join("docs", path), "utf8")))
  expect(named).toEqual(["reference/commands/init.md"])
})
