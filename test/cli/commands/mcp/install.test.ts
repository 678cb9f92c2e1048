// `incipit mcp --install` and `--remove` on real files: what is written, what stays, and what is refused.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { parse } from "smol-toml"
import { expect, onTestFinished, test } from "vitest"
import { MCP_CLIENTS } from "../../../../src/cli/commands/mcp/mcp-clients.ts"
import { warmIncipit as incipit } from "../../run.ts"

interface Machine {
  readonly home: string
  readonly project: string
  run(line: string, env?: Readonly<Record<string, string>>): ReturnType<typeof incipit>
}

function newMachine(files: Readonly<Record<string, string>> = {}): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-mcp-install-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [home, project] = [join(root, "home"), join(root, "project")]
  for (const folder of [home, project]) mkdirSync(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const run = (line: string, env = {}) =>
    incipit(["mcp", ...line.split(" ")], { cwd: project, env: { HOME: home, ...env } })
  return { home, project, run }
}

/** Nothing on the path: the command then has the paths of this machine. */
const NOT_ON_PATH = { PATH: "/usr/bin:/bin" }
const OWN = [process.execPath, resolve("bin/incipit.js"), "mcp"]

test("each client gets its own file, once, and loses it again", () => {
  const machine = newMachine()
  const { home, project, run } = machine
  const files: Readonly<Record<string, string>> = {
    "claude-code": join(project, ".mcp.json"),
    codex: join(home, ".codex/config.toml"),
    opencode: join(project, "opencode.json"),
    "gemini-cli": join(project, ".gemini/settings.json"),
    cursor: join(project, ".cursor/mcp.json"),
    vscode: join(project, ".vscode/mcp.json"),
  }
  for (const client of MCP_CLIENTS) {
    const path = files[client] ?? ""
    const added = run(`--install ${client} --yes`)
    expect({ status: added.status, line: added.stdout.split("\n", 1)[0] }).toEqual({
      status: 0,
      line: `Added Incipit to ${path}.`,
    })
    // The diff shows all of it.
    const text = readFileSync(path, "utf8")
    const shown = added.stderr.split("\n").filter((line) => /^\+(?!\+\+ )/.test(line))
    expect(shown.map((line) => `${line.slice(1)}\n`).join("")).toBe(text)
    const again = run(`--install ${client} --yes`)
    expect(again).toEqual({
      stdout: `Incipit is already there: ${path} needs no change.\n`,
      stderr: "",
      status: 0,
    })
    expect(readFileSync(path, "utf8")).toBe(text)
    expect(run(`--remove ${client} --yes`).stdout).toBe(`Removed Incipit from ${path}.\n`)
    expect(readFileSync(path, "utf8")).not.toContain("incipit")
    expect(run(`--remove ${client} --yes`)).toEqual({
      stdout: `Incipit isn't in ${path}, so there is nothing to remove.\n`,
      stderr: "",
      status: 0,
    })
  }
  expect(readdirSync(home).toSorted()).toEqual([".codex"])
})

test("the command is the one that works from any folder, with what was chosen", () => {
  const { project, run } = newMachine({ "project/incipit.yaml": "users: { bo: { trust: inner } }\n" })
  const entry = (line: string, env = {}) => {
    const { stdout, stderr } = run(`--print ${line} --json`, env)
    return stderr === "" ? JSON.parse(stdout).command : stderr
  }
  expect(entry("claude-code")).toEqual(["incipit", "mcp"])
  expect(entry("claude-code", NOT_ON_PATH)).toEqual(OWN)
  // Folders that npm adds are not on the path of a client.
  expect(entry("codex", { PATH: `${resolve("node_modules/.bin")}:/usr/bin` })).toEqual(OWN)
  expect(entry("codex --as bo --in group --state ../s --home . --profile osa")).toEqual([
    ...["incipit", "mcp", "--workspace", project, "--home", project, "--profile", "osa"],
    ...["--as", "bo", "--in", "group", "--state", resolve(project, "../s")],
  ])
  expect(entry("cursor")).toEqual(["incipit", "mcp", "--workspace", "$" + "{workspaceFolder}"])
  expect(entry("cursor --scope user")).toEqual(["incipit", "mcp"])
  expect(entry("vscode --workspace .")).toEqual(["incipit", "mcp", "--workspace", project])
  expect(entry("codex --as nobody")).toContain('incipit.yaml has no user "nobody".')
  expect(entry("codex --database postgres://ada:word@h/x")).toContain("set INCIPIT_DATABASE_URL instead")
  expect(entry("codex --database postgres://ada@h/x")).toContain("postgres://ada@h/x")
})

test("a client that passes on no variables is told those that matter", () => {
  const { run } = newMachine()
  const { stdout } = run("--print codex", {
    CODEX_HOME: "/x",
    INCIPIT_STATE_DIR: "/s",
    OPENAI_API_KEY: "sk-x",
  })
  expect(parse(stdout)).toEqual({
    mcp_servers: {
      incipit: { command: "incipit", args: ["mcp"], env_vars: ["CODEX_HOME", "INCIPIT_STATE_DIR"] },
    },
  })
})

test("an entry with other arguments is updated, and keeps what somebody added to it", () => {
  const before = `{
  "mcpServers": {
    "incipit": { "command": "npx", "args": ["incipit", "mcp"], "env": { "A": "1" } } // ours
  }
}
`
  const { project, run } = newMachine({ "project/.gemini/settings.json": before })
  const { stdout, stderr } = run("--install gemini-cli --yes")
  const path = join(project, ".gemini/settings.json")
  expect(stdout).toContain(`Updated Incipit in ${path}.\n`)
  const after = before.replace('"npx"', '"incipit"').replace('["incipit", "mcp"]', '["mcp"]')
  expect(readFileSync(path, "utf8")).toBe(after)
  expect(stderr).toBe(`This changes the entry of Incipit for Gemini CLI, in this folder:

--- ${path}
+++ ${path}
@@ -1,5 +1,5 @@
 {
   "mcpServers": {
-    "incipit": { "command": "npx", "args": ["incipit", "mcp"], "env": { "A": "1" } } // ours
+    "incipit": { "command": "incipit", "args": ["mcp"], "env": { "A": "1" } } // ours
   }
 }

`)
})

test("a server of another kind gives way; one that is switched off is switched on", () => {
  const { home, project, run } = newMachine({
    "project/.mcp.json": '{ "mcpServers": { "incipit": { "type": "http", "url": "http://h/mcp" } } }',
    "home/.codex/config.toml":
      '[mcp_servers.incipit]\nenabled = false\ncommand = "incipit"\nargs = ["mcp"]\ntool_timeout_sec = 9\n',
  })
  run("--install claude-code --yes")
  expect(JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8"))).toEqual({
    mcpServers: { incipit: { command: "incipit", args: ["mcp"] } },
  })
  run("--install codex --yes")
  expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe(
    '[mcp_servers.incipit]\nenabled = true\ncommand = "incipit"\nargs = ["mcp"]\ntool_timeout_sec = 9\n',
  )
})

test("mode, mark and links within the home folder stay; a new file of one person is private", () => {
  const { home, project, run } = newMachine({
    "home/dotfiles/codex.toml": "# mine\n",
    "project/.vscode/mcp.json": '\ufeff{ "servers": {} }\n',
  })
  mkdirSync(join(home, ".codex"))
  symlinkSync(join(home, "dotfiles/codex.toml"), join(home, ".codex/config.toml"))
  chmodSync(join(home, "dotfiles/codex.toml"), 0o640)
  expect(run("--install codex --yes").status).toBe(0)
  expect(readFileSync(join(home, "dotfiles/codex.toml"), "utf8")).toMatch(
    /^# mine\n\n\[mcp_servers.incipit\]\n/,
  )
  expect(statSync(join(home, "dotfiles/codex.toml")).mode & 0o777).toBe(0o640)
  expect(run("--install vscode --yes").status).toBe(0)
  expect(readFileSync(join(project, ".vscode/mcp.json"), "utf8")).toMatch(/^\ufeff\{ "servers": \{ "incipit"/)
  expect(run("--install claude-code --scope user --yes").status).toBe(0)
  expect(statSync(join(home, ".claude.json")).mode & 0o777).toBe(0o600)
})

test.each<[what: string, client: string, path: string, text: string, problem: string]>([
  [
    "JSON with a mistake",
    "claude-code",
    ".mcp.json",
    '{\n  "a": 1 "b"',
    ":2:10 is not valid JSON: expected , or }",
  ],
  [
    "comments that the client does not read",
    "claude-code",
    ".mcp.json",
    '{\n  // a\n  "mcpServers": {} }',
    ":2:3 is not valid JSON: Claude Code reads no comments and no commas at the end of a list",
  ],
  ["a list", "cursor", ".cursor/mcp.json", "[]", " is not a JSON object"],
  [
    "servers that are no object",
    "vscode",
    ".vscode/mcp.json",
    '{"servers":[]}',
    ' has "servers", but not as an object',
  ],
  [
    "a name twice",
    "cursor",
    ".cursor/mcp.json",
    '{"mcpServers":{},"mcpServers":{}}',
    ':1:18 has "mcpServers" twice',
  ],
  [
    "bytes that are no text",
    "cursor",
    ".cursor/mcp.json",
    "\u0000",
    ":1:1 is not valid JSON: expected a value",
  ],
  [
    "deep nesting",
    "cursor",
    ".cursor/mcp.json",
    `{"a":${"[".repeat(99)}${"]".repeat(99)}}`,
    " is nested too deep",
  ],
  [
    "TOML with a mistake",
    "codex --scope project",
    ".codex/config.toml",
    "a = 1\nb = sk-secret",
    ":2:5 is not valid TOML: ",
  ],
  [
    "TOML in another form",
    "codex --scope project",
    ".codex/config.toml",
    'mcp_servers = { incipit = { command = "x" } }\n',
    " has mcp_servers.incipit in a form that Incipit does not change; change it by hand",
  ],
])("%s is refused and left alone", (_what, client, path, text, problem) => {
  const { project, run } = newMachine({ [`project/${path}`]: text })
  const { stdout, stderr, status } = run(`--install ${client} --yes`)
  expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
  expect(stderr).toContain(`incipit: ${join(project, path)}${problem}`)
  expect(stderr).toContain(
    "Nothing was written. Correct the file, or add the server by hand: `incipit mcp --print",
  )
  expect(stderr).not.toContain("sk-secret")
  expect(readFileSync(join(project, path), "utf8")).toBe(text)
})

test("links that lead away, folders and files that cannot be read are refused", () => {
  const { home, project, run } = newMachine({ "outside/mcp.json": "{}" })
  const problem = (line: string) => run(`${line} --yes`).stderr.replace(/\. Nothing was written\..*\n/s, "")
  symlinkSync("../outside/mcp.json", join(project, ".mcp.json"))
  expect(problem("--install claude-code")).toBe(
    `incipit: ${join(project, ".mcp.json")} is reached through a link that leads out of this folder, to ${resolve(project, "../outside/mcp.json")}`,
  )
  symlinkSync("../outside", join(project, ".cursor"))
  expect(problem("--install cursor")).toContain(
    " is reached through a link that leads out of this folder, to ",
  )
  symlinkSync("nowhere", join(project, "opencode.json"))
  expect(problem("--install opencode")).toBe(
    `incipit: ${join(project, "opencode.json")} is a link to something that is not there`,
  )
  mkdirSync(join(home, ".codex/config.toml"), { recursive: true })
  expect(problem("--install codex")).toBe(
    `incipit: ${join(home, ".codex/config.toml")} is not a regular file`,
  )
  expect(readFileSync(resolve(project, "../outside/mcp.json"), "utf8")).toBe("{}")
  expect(readdirSync(resolve(project, "../outside"))).toEqual(["mcp.json"])
})

test("secrets of other servers are not shown, and a long line is shown where it changes", () => {
  const key = `ghp_${"a1B2c3D4e5".repeat(4)}`
  const others = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`s${at}`, { command: "x", env: { GITHUB_TOKEN: key } }]),
  )
  const { run, home } = newMachine({ "home/.claude.json": JSON.stringify({ mcpServers: others, n: 1 }) })
  const { stderr } = run("--install claude-code --scope user --yes")
  expect(stderr).toContain('"incipit":{"command":"incipit","args":["mcp"]}')
  expect(stderr).not.toContain(key)
  expect(Math.max(...stderr.split("\n").map(({ length }) => length))).toBeLessThan(300)
  expect(JSON.parse(readFileSync(join(home, ".claude.json"), "utf8")).mcpServers).toEqual({
    ...others,
    incipit: { command: "incipit", args: ["mcp"] },
  })
})

test("without a terminal nothing is written unless --yes says so; --print writes nothing", () => {
  const { project, run } = newMachine()
  const asked = run("--install claude-code")
  expect({ status: asked.status, stdout: asked.stdout }).toEqual({ status: 2, stdout: "" })
  expect(asked.stderr).toContain("nothing was written, because there is no terminal to ask on")
  const printed = run("--print claude-code")
  expect(printed.status).toBe(0)
  expect(JSON.parse(printed.stdout)).toEqual({
    mcpServers: { incipit: { command: "incipit", args: ["mcp"] } },
  })
  expect(printed.stderr.replaceAll("\n", " ")).toContain(`this goes into ${join(project, ".mcp.json")}.`)
  expect(existsSync(join(project, ".mcp.json"))).toBe(false)
})

test("who removes it from one scope is told of the other", () => {
  const { run } = newMachine()
  run("--install claude-code --scope user --yes")
  expect(run("--remove claude-code").stdout).toContain(
    "It is in the other scope: `incipit mcp --remove claude-code --scope user`.",
  )
})

test("flags that would be ignored, and names that are not known, are refused", () => {
  const { run } = newMachine()
  const problem = (line: string) => run(line).stderr.split("\n", 1)[0]
  expect(problem("--yes")).toContain("--yes is for --install and --remove.")
  expect(problem("--scope user")).toContain("--scope is for --install, --remove and --print.")
  expect(problem("--json")).toContain("--json is for --cost, --install, --remove and --print.")
  expect(problem("--remove codex --as bo")).toContain("cannot be used with option '--as <USER>'")
  expect(problem("--install claude")).toBe(
    "incipit: option '--install <CLIENT>' argument 'claude' is invalid. Allowed choices are claude-code, codex, opencode, gemini-cli, cursor, vscode. Did you mean claude-code?",
  )
  expect(problem("--install")).toBe(
    "incipit: option '--install <CLIENT>' argument missing. Allowed choices are claude-code, codex, opencode, gemini-cli, cursor, vscode.",
  )
})
