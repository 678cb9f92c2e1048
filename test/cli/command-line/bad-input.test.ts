import { spawnSync } from "node:child_process"
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { incipit, type Ran, warmIncipit } from "../run.ts"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-bad-"))
  mkdirSync(join(folder, "empty"))
  mkdirSync(join(folder, "broken"))
  write("broken/incipit.yaml", "profile: incipit\nbudget: { window: many }\n")
  mkdirSync(join(folder, "torn"))
  write("torn/incipit.yaml", "users:\n  bob: { trust: full\nmodel: x\n")
  mkdirSync(join(folder, "misspelt"))
  write("misspelt/incipit.yaml", "modle: x\nusers:\n  bob: { trust: ful, mach: [] }\n")
  mkdirSync(join(folder, "looped"))
  symlinkSync("incipit.yaml", join(folder, "looped/incipit.yaml"))
  write("not-json.json", "[{]")
  write("not-array.json", "{}")
  write("no-name.json", '[{"description":"x"}]')
  write("unknown-builtin.json", '[{"name":"zap","builtin":true}]')
  write("same-name.json", '[{"name":"read","builtin":true},{"name":"read","description":"x"}]')
  write("list.json", "[1]")
  write("twice.mjs", TWICE)
  write("no-profile.mjs", "export default 3\n")
})

const TWICE = `const spec = { id: "soul", pace: "stable", priority: "low", trust: "public", cut: "whole", build: () => undefined }
const markup = { name: "plain", safe: false, additive: false, envelope: () => ({ open: "", close: "" }), escapes: () => [] }
export default { name: "twice", order: "paced", markup, sections: [spec, spec] }
`

afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}

/** A process that goes on would see a module as it was at first. */
const run = (...args: string[]): Ran =>
  (args.includes("--profile") ? incipit : warmIncipit)(args, { cwd: folder })

/** One line on stderr, nothing on stdout, exit 2. */
function refusal(line: string): Ran {
  return { stdout: "", stderr: `${line}\n`, status: 2 }
}

test("a section id used twice", () => {
  expect(run("build", "--workspace", "empty", "--profile", "./twice.mjs")).toEqual(
    refusal(
      'incipit: the profile "twice" has two sections with the id "soul". Give each section of the profile a different id.',
    ),
  )
})

test("a budget below zero", () => {
  expect(run("build", "--workspace", "empty", "--budget", "-5")).toEqual(
    refusal(
      "incipit: --budget must be a number of 0 or more, not -5. Run the command with --help to see its arguments and flags.",
    ),
  )
})

test("an unknown profile", () => {
  expect(run("build", "--profile", "nope")).toEqual(
    refusal(
      'incipit: unknown profile "nope" (known: incipit, coop, moltis, nova, osa, osa-before, pi). Use the name of a bundled profile, or the path of a module that exports one.',
    ),
  )
  expect(run("build", "--profile", "./nope.mjs").stderr).toBe(
    "incipit: cannot load the profile ./nope.mjs: no such file. Use the name of a bundled profile, or the path of a module that exports one.\n",
  )
  expect(run("build", "--profile", "./no-profile.mjs").stderr).toBe(
    "incipit: ./no-profile.mjs exports no profile as default or as `profile`. Use the name of a bundled profile, or the path of a module that exports one.\n",
  )
})

const MARKUP = "{ envelope: () => ({ before: '', after: '' }), escapes: () => '' }"

test.each([
  ["{}", 'the profile "./profile.mjs" has no list of sections'],
  [
    "{ sections: [], markup: {} }",
    'the markup of the profile "./profile.mjs" must be tags or headings from incipit, or an object like them',
  ],
  [
    `{ name: 'mine', sections: [], markup: ${MARKUP}, order: 'fast' }`,
    'the profile "mine" has the order "fast"; use paced, declared',
  ],
  [`{ sections: [{}], markup: ${MARKUP} }`, "section 1 has no id"],
  [
    `{ sections: [{ id: 'x', pace: 'fast', build: () => {} }], markup: ${MARKUP} }`,
    'the section "x" has the pace "fast"; use stable, session, turn',
  ],
  [
    `{ sections: [{ id: 'x', pace: 'turn', need: 'low', build: () => {} }], markup: ${MARKUP} }`,
    'the section "x" has the key "need", which is now called priority',
  ],
  [`{ sections: [{ id: 'x', pace: 'turn' }], markup: ${MARKUP} }`, 'the section "x" has no function `build`'],
])("a profile that is none: %s", (profile, problem) => {
  writeFileSync(join(folder, "profile.mjs"), `export default ${profile}\n`)
  expect(run("build", "--profile", "./profile.mjs")).toEqual(
    refusal(
      `incipit: ./profile.mjs exports a profile that cannot be used: ${problem}. Use the name of a bundled profile, or the path of a module that exports one.`,
    ),
  )
})

test("a custom section that throws is named, and is not reported as our fault", () => {
  const spec = "{ id: 'x', pace: 'stable', build: ({ turn }) => turn.now }"
  writeFileSync(
    join(folder, "profile.mjs"),
    `export default { name: 'mine', order: 'paced', sections: [${spec}], markup: ${MARKUP} }\n`,
  )
  expect(run("build", "--profile", "./profile.mjs")).toEqual(
    refusal(
      'incipit: the section "x" of the profile "mine" failed: Cannot read properties of undefined (reading \'now\'). Fix the function that makes its text. It only gets inputs that change no faster than the section: docs/guide/own-loop.md for `perSession` and `perTurn`, docs/guide/profiles.md for `build`.',
    ),
  )
})

test("an unreadable workspace", () => {
  const missing = join(folder, "nowhere")
  expect(run("build", "--workspace", missing)).toEqual(
    refusal(
      `incipit: cannot open the workspace ${missing}: no such file or folder. Name a folder that exists and that you can read, or create one with \`incipit init\`.`,
    ),
  )
})

test.each([
  ["build", "--workspace", "list.json"],
  ["run", "hello", "--workspace", "list.json"],
  ["run", "hello", "--workspace", "empty", "--cwd", "list.json"],
  ["logs", "--workspace", "list.json"],
  ["init", "list.json", "--yes"],
])("a file in place of a folder: %s %s %s %s %s", (...args) => {
  expect(run(...args)).toEqual(
    refusal(
      `incipit: ${join(folder, "list.json")} is not a folder. Name a folder that exists and that you can read, or create one with \`incipit init\`.`,
    ),
  )
})

test.each([
  ["run", "hello", "--workspace", "nowhere"],
  ["schedule", "--workspace", "nowhere"],
  ["cost", "--workspace", "nowhere"],
])("a workspace that is not there: %s", (...args) => {
  expect(run(...args)).toEqual(
    refusal(
      `incipit: cannot open the workspace ${join(folder, "nowhere")}: no such file or folder. Name a folder that exists and that you can read, or create one with \`incipit init\`.`,
    ),
  )
})

test("a working directory that is not there", () => {
  expect(run("run", "hello", "--workspace", "empty", "--cwd", "nowhere")).toEqual(
    refusal(
      `incipit: cannot open the working directory ${join(folder, "nowhere")}: no such file or folder. Name a folder that exists and that you can read, or create one with \`incipit init\`.`,
    ),
  )
})

test.each(["nobody", "../empty"])("an agent that is not there: %s", (name) => {
  for (const args of [["build"], ["run", "hello"], ["memory", "index"]])
    expect(run(...args, "--workspace", "empty", "--agent", name)).toEqual(
      refusal(
        `incipit: there is no agent "${name}". Other agents are folders under agents/ in the workspace. Leave \`--agent\` out to use the main agent.`,
      ),
    )
})

test("a configuration that cannot even be looked at", () => {
  for (const args of [["build"], ["run", "hello"], ["logs"]])
    expect(run(...args, "--workspace", "looped")).toEqual(
      refusal(
        `incipit: cannot read ${join(folder, "looped/incipit.yaml")}: a link is in the way. Check the path and its permissions.`,
      ),
    )
})

test("a lock that cannot be written, and one that cannot be read", () => {
  mkdirSync(join(folder, "locked/incipit.lock"), { recursive: true })
  const lock = join(folder, "locked/incipit.lock")
  expect(run("check", "--write-lock", "--workspace", "locked")).toEqual(
    refusal(
      `incipit: cannot write ${lock}: it is not a regular file. Check the folder, its permissions and the free disk space.`,
    ),
  )
  rmSync(lock, { recursive: true })
  symlinkSync("elsewhere", lock)
  expect(run("check", "--write-lock", "--workspace", "locked")).toEqual(
    refusal(
      `incipit: cannot write ${lock}: a link is in the way. Check the folder, its permissions and the free disk space.`,
    ),
  )
  rmSync(lock)
  writeFileSync(lock, "{}")
  expect(run("check", "--frozen", "--workspace", "locked")).toEqual(
    refusal(
      "incipit: incipit.lock was written by another version or is not a lock file. Write a new lock with `incipit check --write-lock`.",
    ),
  )
  writeFileSync(lock, "[,")
  expect(run("check", "--frozen", "--workspace", "locked")).toEqual(
    refusal(
      `incipit: ${lock}: not valid JSON: Unexpected token ',', "[," is not valid JSON. Write a new lock with \`incipit check --write-lock\`.`,
    ),
  )
  // What is wrong with a lock is said in its words: those of a file elsewhere are nobody's business.
  renameSync(lock, join(folder, "private.json"))
  symlinkSync(join("..", "private.json"), lock)
  expect(run("check", "--frozen", "--workspace", "locked").stderr).toContain(
    `cannot read ${lock}: it is a link out of the folder; copy the file it points to`,
  )
})

test.each([
  [
    "not-json.json",
    "not-json.json: not valid JSON: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
  ],
  ["not-array.json", "not-array.json: neither a JSON array nor an object with an array of tools"],
  ["no-name.json", "no-name.json: tool 1: name: is missing"],
  [
    "unknown-builtin.json",
    'unknown-builtin.json: tool 1: the profile incipit has no tool "zap" (it has read, write, edit, list, find, grep, shell, task_write, notify_user, schedule_write, instructions_write, responsibility_remove, workflow_advance, delegate)',
  ],
])("a malformed tools file: %s", (file, problem) => {
  expect(run("build", "--workspace", "empty", "--tools", file)).toEqual(
    refusal(
      `incipit: ${join(folder, problem)}. It must be a JSON array of tools, as { name, description, parameters }, { name, builtin: true }, or in the form of OpenAI, Anthropic or MCP.`,
    ),
  )
})

test("a tools file that is not there", () => {
  expect(run("build", "--workspace", "empty", "--tools", "gone.json")).toEqual(
    refusal(
      `incipit: cannot read ${join(folder, "gone.json")}: no such file or folder. Check the path and its permissions.`,
    ),
  )
})

test("two tools of one name", () => {
  expect(run("build", "--workspace", "empty", "--tools", "same-name.json")).toEqual(
    refusal(
      'incipit: two tools have the name "read". Rename one of the two tools; the model cannot tell them apart.',
    ),
  )
})

test("a scope file that is not an object", () => {
  expect(run("build", "--workspace", "empty", "--scope", "list.json").stderr).toBe(
    `incipit: ${join(folder, "list.json")}: the file is not a JSON object. It must be a JSON object of inputs by name.\n`,
  )
})

test("a clock that cannot be read", () => {
  expect(run("build", "--workspace", "empty", "--now", "yesterday")).toEqual(
    refusal(
      'incipit: --now must be a time such as 2026-11-15T08:30:00Z, not "yesterday". Run the command with --help to see its arguments and flags.',
    ),
  )
})

test("a configuration with a value of the wrong type points at its line", () => {
  expect(run("build", "--workspace", "broken")).toEqual(
    refusal(
      "incipit: incipit.yaml:2: budget.window: must be a number, not a string. Fix that line; docs/reference/configuration.md lists every key.",
    ),
  )
})

test.each([
  ["users: 3", 1, "users: must be a map, not 3"],
  ["budget: { window: 1.5 }", 1, "budget.window: must be a whole number, not 1.5"],
  ["budget:\n  window: -3", 2, "budget.window: must be 0 or more, not -3"],
  ["cache: { ttl: 7m }", 1, 'cache.ttl: must be 5m or 1h, not "7m"'],
  ["hooks: ./x.mjs", 1, "hooks: must be a list, not a string"],
  ["profile: [pi]", 1, "profile: must be a string, not a list"],
  ["schedule:\n  - cron: '@daily'", 2, "schedule.0.run: is missing"],
  ["schedule:\n  - { cron: '@daily', run: '' }", 2, "schedule.0.run: is empty"],
  ["users:\n  bob: { trsut: full }", 2, "users.bob.trust: is missing"],
  ["record: { retention: soon }", 1, "record.retention: is not a duration such as 30d"],
  ["record: { max_size: huge }", 1, "record.max_size: is not a size such as 1GB"],
  ["just a text", 1, "the file: must be a map, not a string"],
])("what is wrong with a configuration, in words: %s", (text, line, problem) => {
  mkdirSync(join(folder, "wrong"), { recursive: true })
  write("wrong/incipit.yaml", text)
  expect(run("config", "--workspace", "wrong")).toEqual(
    refusal(
      `incipit: incipit.yaml:${line}: ${problem}. Fix that line; docs/reference/configuration.md lists every key.`,
    ),
  )
})

test("a configuration that cannot be parsed points at its line", () => {
  const { stderr, status } = run("build", "--workspace", "torn")
  expect(status).toBe(2)
  expect(stderr).toMatch(/^incipit: incipit\.yaml:3:\d+: .*\. Fix that line; .*\n$/)
})

test("a misspelt key is a diagnostic with the nearest word; a misspelt level is the safe side", () => {
  const { stderr, status } = run("build", "--workspace", "misspelt", "--as", "bob")
  expect({ stderr, status }).toEqual({
    stderr: [
      'error: incipit.yaml:1: unknown key "modle". Did you mean "model"? [unknown-key]',
      'error: incipit.yaml:3: unknown key "users.bob.mach". Did you mean "match"? [unknown-key]',
      'error: incipit.yaml: unknown trust "ful". To be safe, "public" is used. [unknown-trust]',
      "hint: the workspace: has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; `incipit init` writes a first set of files. [no-files]",
      "",
    ].join("\n"),
    status: 0,
  })
})

test("diagnostics give exit 1 only when that is asked for", () => {
  expect(run("build", "--workspace", "misspelt", "--strict").status).toBe(1)
  expect(run("build", "--workspace", "misspelt").status).toBe(0)
})

test.each([
  [["buidl"], '"buidl" (did you mean build?)'],
  [["buidl", "--help"], '"buidl" (did you mean build?)'],
  [["help", "buidl"], '"buidl" (did you mean build?)'],
  [["memory", "serch", "x"], '"memory serch" (did you mean memory search?)'],
  [["hooks", "aprove"], '"hooks aprove" (did you mean hooks approve?)'],
  [["schedule", "list"], '"schedule list" (there are schedule add, schedule remove)'],
  [["dance"], '"dance"'],
])("an unknown command: %s", (args, what) => {
  expect(run(...args)).toEqual(
    refusal(`incipit: there is no command ${what}. \`incipit --help\` lists the commands.`),
  )
})

test("help for a command, by its name and by the flag", () => {
  for (const args of [["build"], ["memory"], ["memory", "search"], ["hooks", "approve"]])
    expect(run("help", ...args)).toEqual(run(...args, "--help"))
  expect(run("help", "memory", "search").stdout).toMatch(/^Usage: incipit memory search /)
  expect(run()).toEqual(run("--help"))
})

test("an unknown flag", () => {
  expect(run("--verson")).toEqual(
    refusal(
      "incipit: unknown option '--verson'\n(Did you mean --version?)\nRun `incipit --help` for the list of commands.",
    ),
  )
  expect(run("build", "--workspce", "x")).toEqual(
    refusal(
      "incipit: unknown option '--workspce'\n(Did you mean --workspace?)\nRun `incipit build --help` for its arguments and flags.",
    ),
  )
})

test("a flag that is given twice, or without its value", () => {
  const hint = "Run `incipit build --help` for its arguments and flags."
  expect(run("build", "--workspace", "empty", "--workspace=torn")).toEqual(
    refusal(
      `incipit: option '--workspace <DIR>' argument 'torn' is invalid. It is given twice; one of the two would be ignored.\n${hint}`,
    ),
  )
  const { stderr, status } = run("build", "--home=", "--workspace", "empty")
  expect([stderr, status]).toEqual([expect.stringMatching(/^incipit: --home needs a value: [^\n]+\n$/), 2])
})

test("a list that is given twice has the items of both", () => {
  const { stderr, status } = run("check", "--workspace", "empty", "--leak", "nope", "--leak", "full:group")
  expect([stderr, status]).toEqual([
    'incipit: --leak must be TRUST:SITUATION, such as full:group, not "nope". Run the command with --help to see its arguments and flags.\n',
    2,
  ])
})

test("a Node that is too old is named, without a stack trace", () => {
  const older = `Object.defineProperties(process, { versions: { value: { node: "22.17.1" } }, version: { value: "v22.17.1" } })`
  write("older.mjs", older)
  expect(incipit(["build"], { cwd: folder, env: { NODE_OPTIONS: "--import ./older.mjs" } })).toEqual(
    refusal("incipit: needs Node 22.18, or 24 or newer; this is v22.17.1. https://nodejs.org has both."),
  )
})

test("a disk that is full", () => {
  const full = openSync("/dev/full", "w")
  const { status, stderr } = spawnSync("node", [resolve("bin/incipit.js"), "--help"], {
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
  })
  closeSync(full)
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      "incipit: cannot write the output: the disk is full. Check the folder, its permissions and the free disk space.\n",
  })
})

test("no stack trace, whatever is refused", () => {
  const refused = [
    ["build", "--profile", "nope"],
    ["diff", "a", "b"],
    ["explain"],
    ["build", "--mode", "loud"],
  ]
  for (const args of refused) {
    const { stderr, status } = run(...args)
    expect(status).toBe(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  }
})

test("an empty folder compiles from the bundled texts", () => {
  const { stdout, status } = run("build", "--workspace", "empty", "--text", "--now", "2026-01-01T00:00:00Z")
  expect(status).toBe(0)
  expect(stdout.startsWith("# How you work\n")).toBe(true)
})
