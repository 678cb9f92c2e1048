// The scripts of an approved MCP server belong to the approval: one that is rewritten does not start, by whatever road it
// came to other code, and to rewrite one is never covered by "all edits". Real processes that leave a line when they run.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { approvables, waitingIn } from "../../../src/approval/approvable.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import type { Approval, ApprovalRequest } from "../../../src/tools/host.ts"
import {
  approveServers,
  call,
  open,
  say,
  server,
  transcript,
  workspace,
  write,
} from "../world/agent-world.ts"

/** Speaks just enough of the protocol; `end` makes it end, so that it is started again. */
const SERVER = `import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { word } from "./lib.mjs"
appendFileSync("ran", word + "\\n")
const tool = (name) => ({ name, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } })
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === "tools/call" && params.name === "end") process.exit(0)
  const result = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [tool("ask"), tool("end")] },
    "tools/call": { content: [{ type: "text", text: "here" }] },
  }[method]
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n")
})
`

const FILES = { "servers/s.mjs": SERVER, "servers/lib.mjs": 'export const word = "calm"\n' }
const CONFIG = `profile: incipit\nmcp: { s: { command: ${JSON.stringify(process.execPath)}, args: [servers/s.mjs] } }\n`

const ran = (root: string) => (existsSync(join(root, "ran")) ? readFileSync(join(root, "ran"), "utf8") : "")

async function started(root: string): Promise<readonly string[]> {
  const troubles: string[] = []
  const trouble = (text: string) => void troubles.push(text)
  const { agent } = await open(root, undefined, { env: process.env, model: "offline", trouble })
  await agent.close()
  return troubles
}

const hostile = (text: string) =>
  `import { appendFileSync as a } from "node:fs"\na("ran", "hostile\\n")\n${text}`

test.each([
  ["the script", "servers/s.mjs", hostile(SERVER)],
  ["what it imports", "servers/lib.mjs", hostile(FILES["servers/lib.mjs"])],
  ["code that is put beside it", "servers/node_preload.cjs", "process.exit(0)\n"],
])("a server of which %s was changed after the yes does not start", async (_what, path, text) => {
  const root = workspace({ ...FILES, "incipit.yaml": CONFIG })
  approveServers(root, join(root, "no-home"))
  expect([await started(root), ran(root)]).toEqual([[], "calm\n"])
  write(root, path, text)
  const waits = ["MCP server s starts once you approve it: incipit hooks approve"]
  expect([await started(root), ran(root)]).toEqual([waits, "calm\n"])
  approveServers(root, join(root, "no-home"))
  await started(root)
  expect(ran(root)).not.toBe("calm\n")
})

test("a server that ends is looked at again before it is started again", async () => {
  const root = workspace({ ...FILES, "incipit.yaml": CONFIG })
  approveServers(root, join(root, "no-home"))
  const ask = call(["ask", {}])
  const from = await server([call(["end", {}]), ask, say("done")])
  const said: string[] = []
  const { agent } = await open(root, from, {
    env: { ...process.env, ...from.env },
    trouble: (text) => void said.push(text),
  })
  write(root, "servers/lib.mjs", hostile(FILES["servers/lib.mjs"]))
  const { session } = await agent.send("go on")
  expect(ran(root)).toBe("calm\n")
  const results = transcript(root, session).filter((line) => line.startsWith("error: "))
  expect(results.at(-1)).toContain("its files have changed since you approved it")
  expect(said.some((text) => text.includes("incipit hooks approve s"))).toBe(true)
})

/** How a command comes by a workspace file. */
const ROADS: Readonly<
  Record<
    string,
    {
      readonly server: object
      readonly file: string
      /** Links, by their place. */
      readonly more?: Record<string, string>
      readonly texts?: Record<string, string>
    }
  >
> = {
  "its own path": { server: { command: "./run.sh" }, file: "run.sh" },
  "a flag": { server: { command: "sh", args: ["--rcfile=./rc.sh", "-c", "true"] }, file: "rc.sh" },
  "words of a shell": { server: { command: "sh", args: ["-c", "exec sh ./bin/x.sh"] }, file: "bin/x.sh" },
  "a folder to run in": { server: { command: "sh", args: ["x.sh"], cwd: "bin" }, file: "bin/x.sh" },
  "a script of package.json": { server: { command: "npm", args: ["run", "serve"] }, file: "package.json" },
  "a program of node_modules": {
    server: { command: "npx", args: ["tides"] },
    file: "node_modules/tides/cli.js",
    more: { "node_modules/.bin/tides": "../tides/cli.js" },
  },
  "a module of Python": {
    server: { command: "python3", args: ["-m", "tides.serve"] },
    file: "tides/serve.py",
  },
  "a module of Python in the same word": {
    server: { command: "python3", args: ["-mtides.serve"] },
    file: "tides/serve.py",
  },
  "a package of Python beside a script of the workspace": {
    server: { command: "python3", args: ["serve.py"] },
    file: "tides/table.py",
    texts: { "serve.py": "from tides import table\n" },
  },
  "a link beside a script": {
    server: { command: "python3", args: ["servers/s.py"] },
    file: "lib/table.py",
    texts: { "servers/s.py": "import table\n" },
    more: { "servers/table.py": "../lib/table.py" },
  },
  "a linked folder beside a script": {
    server: { command: "python3", args: ["servers/s.py"] },
    file: "lib/table.py",
    texts: { "servers/s.py": "import more.table\n" },
    more: { "servers/more": "../lib" },
  },
  "a name without its ending": { server: { command: "node", args: ["servers/s"] }, file: "servers/s.js" },
  "a folder with an index": { server: { command: "node", args: ["servers"] }, file: "servers/index.js" },
  "a folder with a package.json": {
    server: { command: "node", args: ["."] },
    file: "src/start.js",
    texts: { "package.json": `{ "main": "src/start" }` },
  },
  "a folder of Python": { server: { command: "python3", args: ["tides"] }, file: "tides/__main__.py" },
  "a short flag in one word": {
    server: { command: "node", args: ["-r./boot.cjs", "-e", "0"] },
    file: "boot.cjs",
  },
  "a variable of Node": {
    server: { command: "node", args: ["-e", "0"], env: { NODE_OPTIONS: "--require ./boot.cjs" } },
    file: "boot.cjs",
  },
  "a variable of the shell": {
    server: { command: "bash", args: ["-c", "true"], env: { BASH_ENV: "boot" } },
    file: "boot",
  },
  "a folder of modules in a variable": {
    server: { command: "python3", args: ["-c", "import table"], env: { PYTHONPATH: "lib" } },
    file: "lib/table.py",
  },
  "require, beyond its folder": {
    server: { command: "node", args: ["servers/s.cjs"] },
    file: "lib/table.js",
    texts: { "servers/s.cjs": `require("../lib/table")\n` },
  },
  "require of a package": {
    server: { command: "node", args: ["servers/s.cjs"] },
    file: "node_modules/tides/old.cjs",
    texts: {
      "servers/s.cjs": `require("tides")\n`,
      "node_modules/tides/package.json": `{ "exports": { "import": "./new.js", "require": "./old.cjs" } }`,
    },
  },
  "an import beside one that leads out of the workspace": {
    server: { command: "node", args: ["servers/s.mjs"] },
    file: "lib/table.mjs",
    texts: { "servers/s.mjs": `import "../lib/table.mjs"\nimport "${import.meta.filename}"\n` },
  },
  "a script that another script names": {
    server: { command: "sh", args: ["servers/s.sh"] },
    file: "lib/table.sh",
    texts: { "servers/s.sh": "exec sh lib/table.sh\n" },
  },
  "settings of npm": { server: { command: "npx", args: ["tides"] }, file: ".npmrc" },
  "a folder that is said to npm": {
    server: { command: "npm", args: ["--prefix", "servers", "start"] },
    file: "servers/package.json",
  },
  "its own folder, behind four thousand others": {
    server: { command: "sh", args: ["many/first.sh"] },
    file: "many/zz.sh",
    texts: Object.fromEntries(
      Array.from({ length: 4_010 }, (_, n) => [n === 0 ? "many/first.sh" : `many/${n}.sh`, ""]),
    ),
  },
  "a place on its PATH": { server: { command: "tides", env: { PATH: "./bin:$PATH" } }, file: "bin/tides" },
}

test.each(Object.entries(ROADS))(
  "a file that runs by %s belongs to what is approved",
  async (_road, { server: entry, file, more = {}, texts = {} }) => {
    const root = workspace({
      ...texts,
      [file]: "exit 0\n",
      "incipit.yaml": `profile: incipit\nmcp: ${JSON.stringify({ s: entry })}\n`,
    })
    for (const [path, target] of Object.entries(more)) {
      mkdirSync(join(root, path, ".."), { recursive: true })
      symlinkSync(target, join(root, path))
    }
    chmodSync(join(root, file), 0o755)
    const home = join(root, "no-home")
    const waiting = () => waitingIn(openWorkspace(root, { home }), home).map(({ name }) => name)
    approveServers(root, home)
    expect(waiting()).toEqual([])
    appendFileSync(join(root, file), "# changed\n")
    expect(waiting()).toEqual(["s"])
    approveServers(root, home)
    expect(waiting()).toEqual([])
    rmSync(join(root, file))
    expect(waiting()).toEqual(["s"])
  },
)

test.each([
  ["mentions more files than can be looked up", ["s.py"], (n: number) => `import m${n}`],
  ["has more words than can be looked up", Array.from({ length: 2_100 }, (_, n) => `w${n}`), () => ""],
])("a server that %s never counts as approved", async (_what, args, line) => {
  const root = workspace({
    "s.py": Array.from({ length: 60_000 }, (_, n) => line(n)).join("\n"),
    "incipit.yaml": `profile: incipit\nmcp: ${JSON.stringify({ s: { command: "python3", args } })}\n`,
  })
  const home = join(root, "no-home")
  approveServers(root, home)
  expect(waitingIn(openWorkspace(root, { home }), home).map(({ name }) => name)).toEqual(["s"])
})

test("servers without end that name one large file are looked at together", () => {
  const servers = Array.from({ length: 300 }, (_, n) => [`s${n}`, { command: "sh", args: ["big/x.sh"] }])
  const root = workspace({
    "big/x.sh": "#".repeat(20_000_000),
    "incipit.yaml": `profile: incipit\nmcp: ${JSON.stringify(Object.fromEntries(servers))}\n`,
  })
  const [first, second] = approvables(openWorkspace(root))
  // The very same: it was read once.
  expect(first?.files[0]).toBe(second?.files[0])
  expect(first?.files.map(({ path }) => path)).toEqual(["big/x.sh"])
})

test("a yes to all edits is none to what runs: scripts, what they import, hooks and their packages", async () => {
  const root = workspace({
    ...FILES,
    "notes.md": "a\n",
    "code/guard.mjs": `import "tides"\nexport const turn_end = () => {}\n`,
    "node_modules/tides/package.json": `{ "name": "tides" }`,
    "node_modules/tides/index.js": "export {}\n",
    "looks/brief.mjs": "export default {}\n",
    "incipit.yaml": `${CONFIG}hooks: [./code/guard.mjs]\n`,
  })
  const paths = [
    "notes.md",
    "more.md",
    "servers/s.mjs",
    "servers/lib.mjs",
    "servers/new.py",
    "code/guard.mjs",
    "node_modules/tides/index.js",
    "servers/notes.md",
  ]
  const from = await server([...paths.map((path) => call(["write", { path, text: "b\n" }])), say("done")])
  const asked: ApprovalRequest[] = []
  const answers: Approval[] = ["always", "no"]
  const { agent } = await open(root, from, {
    approve: async (request) => {
      asked.push(request)
      return answers[Math.min(asked.length, 2) - 1] ?? "no"
    },
  })
  await agent.send("go on")
  const shown = asked.map((request) => "path" in request && [request.kind, request.path, request.partOf])
  expect(shown).toEqual([
    ["edit", "notes.md", undefined],
    ["instructions", "servers/s.mjs", "the MCP server s"],
    ["instructions", "servers/lib.mjs", "the MCP server s"],
    ["instructions", "servers/new.py", "the MCP server s"],
    ["instructions", "code/guard.mjs", "the hook ./code/guard.mjs"],
    ["instructions", "node_modules/tides/index.js", "the hook ./code/guard.mjs"],
  ])
})
