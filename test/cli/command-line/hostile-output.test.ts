// A folder whose names and texts steer terminals, forge rows and hide: whatever a command prints of it, into a pipe or a
// file that somebody looks at later, has nothing in it that does so.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { COMMANDS } from "../../../src/cli/command-line/table/commands.ts"
import { IS_LONG } from "../../long.ts"
import { incipit, warmIncipit } from "../run.ts"

const TEXT =
  "tea\u001b[2J\u001b[31m\u0007\b\u009b1A\u202e\u2028FORGED by a separator\rFORGED by a return\nFORGED by a line"
const HIDDEN = /[^\P{C}\n\t]|[\u2028\u2029]/u

const top = mkdtempSync(join(tmpdir(), "incipit-hostile-"))
const folder = join(top, TEXT)
const bad = join(top, "bad")
const env = { HOME: join(top, "home") }
afterAll(() => rmSync(top, { recursive: true }))

beforeAll(() => {
  const quoted = JSON.stringify(TEXT)
  const files = {
    [`skills/${TEXT}/SKILL.md`]: `---\nname: ${quoted}\ndescription: ${quoted}\n---\n${TEXT}\n`,
    [`rules/${TEXT}.md`]: `---\ntrust: ${quoted}\n${quoted}: 1\n---\n${TEXT}\n`,
    [`memory/private/${TEXT}.md`]: `# ${TEXT}\n\nThe lamp ${TEXT}\n`,
    [`agents/${TEXT}/SOUL.md`]: TEXT,
    "SOUL.md": `${TEXT}\n`,
    "AGENTS.md": `# ${TEXT}\n@${TEXT}\n{{${TEXT}}}\n`,
    "USER.md": `---\n${quoted}: ${quoted}\n---\n${TEXT}\n`,
    "trace.json": JSON.stringify({ turns: [{ message: TEXT }] }),
    "incipit.yaml": [
      `agent: { name: ${quoted} }`,
      `users: { ada: { name: ${quoted}, trust: full }, ${quoted}: { trust: familiar } }`,
      `schedule: [{ cron: "0 6 * * *", run: ${quoted} }]`,
      `mcp: { tides: { command: ${quoted}, args: [${quoted}] } }`,
      `hooks: [${JSON.stringify(`./${TEXT}.ts`)}]`,
      `directories: [${JSON.stringify(`../${TEXT}`)}]`,
      `environment: { host: ${quoted}, location: ${quoted} }`,
      "",
    ].join("\n"),
    [`${TEXT}.ts`]: "export default {}\n",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(bad)
  writeFileSync(join(bad, "incipit.yaml"), `${quoted}: ${quoted}\nmodel: ${quoted}\nprofile: ${quoted}\n`)
  incipit(["run", "--model", "offline/offline", `What does ${TEXT} say?`], { cwd: folder, env })
})

/** Every command, most in more than one way. */
const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  build: [[], ["--json"], ["--annotated"], ["--as", TEXT], ["--agent", TEXT], ["--compare", TEXT]],
  explain: [["soul"], [TEXT], ["soul", "--json"]],
  diff: [[".", folder]],
  check: [[], ["--json"], ["--leak", TEXT]],
  simulate: [[], ["trace.json"], [TEXT]],
  price: [
    ["--edit", TEXT],
    ["--switch", TEXT],
  ],
  tour: [["--no-pause"]],
  chat: [[]],
  run: [
    ["--model", "offline/offline", TEXT],
    ["--model", TEXT, "hello"],
    ["--sessions"],
    ["--json", "hello"],
  ],
  signal: [[TEXT], [TEXT, "--json"]],
  skills: [[], ["--json"], ["--agent", TEXT]],
  config: [[], ["--json"]],
  models: [[], ["--json"]],
  init: [[join(top, `new${TEXT}`)]],
  "folder approve": [[], ["--yes"], [TEXT]],
  "folder list": [[], ["--json"]],
  "sandbox check": [[], ["--json"]],
  "sandbox shell": [[]],
  "folder revoke": [[], [TEXT]],
  hooks: [[], ["--json"]],
  "hooks approve": [[TEXT]],
  "hooks revoke": [[TEXT]],
  "memory index": [[]],
  "memory search": [["lamp"], ["lamp", "--json"], [TEXT]],
  "memory get": [[`private/${TEXT}.md`], [TEXT]],
  "memory add": [[TEXT]],
  "memory why-not": [["lamp", TEXT]],
  "memory export": [[TEXT]],
  "memory import": [[TEXT]],
  schedule: [[], ["--json"]],
  "schedule add": [["0 7 * * *", TEXT]],
  "schedule remove": [[TEXT]],
  "session fork": [[TEXT, "--at", TEXT]],
  "session undo": [[TEXT]],
  "queue list": [["--agent", TEXT]],
  "queue retry": [[TEXT]],
  "queue drop": [[TEXT]],
  "session stop": [[TEXT, "--json"]],
  logs: [[], ["--json"], ["--grep", TEXT]],
  trace: [[], ["--json"], [TEXT]],
  "why-miss": [[], [TEXT]],
  bill: [[], [folder], ["--markdown"], ["--client", TEXT], ["--session", TEXT], ["--since", TEXT]],
  statusline: [[]],
  capture: [[], ["--json"]],
  wrap: [["--", TEXT]],
  // It would go on if it could listen.
  proxy: [
    ["--port", TEXT],
    ["--upstream", TEXT],
  ],
  cost: [[], ["--by", "session"], ["--by", "section"]],
  status: [[], ["--json"]],
  prune: [["--dry-run"], ["--person", TEXT]],
  "state list": [[], ["--json"]],
  "state show": [[], ["--json"], [TEXT]],
  "state move": [[TEXT]],
  "state adopt": [[], ["--yes"], [TEXT]],
  "state forget": [[TEXT], ["--yes"]],
  // It goes on when it has found something to show.
  "mcp login": [[TEXT]],
  "mcp logout": [[TEXT]],
  "mcp status": [[], ["--json"]],
  mcp: [[], ["--install", TEXT], ["--print", TEXT], ["--as", TEXT], ["--workspace", bad], ["--cost"]],
  inspect: [[TEXT], [folder], ["--port", TEXT], ["--workspace", bad], ["trace.json"]],
  // It would go on if it could listen.
  serve: [
    ["--port", TEXT],
    ["--host", TEXT],
  ],
  "token add": [
    ["--name", TEXT],
    ["--user", TEXT],
    ["--situation", TEXT],
  ],
  "token list": [[], ["--json"]],
  "token revoke": [[TEXT]],
  "database status": [[], ["--json"], ["--database", TEXT]],
  "database migrate": [[], ["--database", TEXT]],
  "database move": [
    ["--to", TEXT],
    ["--to", "postgres://ada@127.0.0.1:1/x", "--dry-run"],
  ],
  "pair list": [[], ["--json"]],
  "pair confirm": [[TEXT, "--user", TEXT]],
  "pair deny": [[TEXT], [`a:${TEXT}`]],
  "pair forget": [[`a:${TEXT}`]],
}

/** What they print is read back by programs, byte by byte. */
const EXACT: Readonly<Record<string, string>> = {
  export: "JSON Lines, every column",
  replay: "the request as it was sent",
  completions: "a script of our own",
}

/** They only read, so a process that goes on may run them. */
const READ = new Set([
  ...["build", "explain", "diff", "check", "simulate", "price", "signal", "skills", "config", "models"],
  ...["hooks", "memory search", "memory get", "memory why-not", "schedule", "queue list", "folder list"],
  ...["logs", "trace", "why-miss", "cost", "status", "state list", "state show", "token list", "pair list"],
])

/** They show text that has lines of its own. */
const SHOWS_TEXT = ["build --annotated", "memory get", "chat", "tour", "run"]

test("every command is among them", () => {
  expect([...Object.keys(RUNS), ...Object.keys(EXACT)].sort()).toEqual(
    COMMANDS.map(({ name }) => name).sort(),
  )
})

/** Of each command the first form, and every other one of the rest. */
const isTried = (at: number) => IS_LONG || at === 0 || at % 2 === 1

const CASES = Object.entries(RUNS).flatMap(([name, all]) =>
  all.filter((_, at) => isTried(at)).map((more) => [name, ...more]),
)

test.each(CASES.map((words) => [words.join(" ").replaceAll(TEXT, "HOSTILE").slice(0, 60), words] as const))(
  "incipit %s",
  (shown, [name = "", ...more]) => {
    for (const cwd of more.length === 0 ? [folder, bad] : [folder]) {
      const args = [...name.split(" "), ...more]
      const { stdout, stderr } = (READ.has(name) ? warmIncipit : incipit)(args, {
        cwd,
        env,
        input: name === "chat" ? `${TEXT}\n/tools\n` : "",
      })
      const both = `${stdout}\n${stderr}`
      expect(HIDDEN.exec(both)?.[0]).toBeUndefined()
      const isText = SHOWS_TEXT.some((one) => shown.startsWith(one))
      if (!isText) expect(both.split("\n").filter((line) => line.startsWith("FORGED"))).toEqual([])
    }
  },
)

test("what is exact is so in a pipe, and JSON loses nothing", () => {
  // A character that is written out for people, and that no prompt has to be cleaned of.
  writeFileSync(join(folder, "SOUL.md"), "Tea\ue000.\n")
  expect(incipit(["build", "--text"], { cwd: folder, env }).stdout).toContain("Tea\ue000.")
  expect(incipit(["build", "--annotated"], { cwd: folder, env }).stdout).toContain("Tea\\ue000.")
  const { stdout } = incipit(["skills", "--json"], { cwd: folder, env })
  expect(JSON.parse(stdout)[0].path).toBe(`skills/${TEXT}/SKILL.md`)
})
