import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { incipit, type Ran } from "./run.ts"

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
  write("not-json.json", "[{]")
  write("not-array.json", "{}")
  write("no-name.json", '[{"description":"x"}]')
  write("unknown-builtin.json", '[{"name":"zap","builtin":true}]')
  write("same-name.json", '[{"name":"read","builtin":true},{"name":"read","description":"x"}]')
  write("list.json", "[1]")
  write("twice.mjs", TWICE)
  write("no-profile.mjs", "export default 3\n")
  write("no-sections.mjs", "export default { name: 'x', markup: {}, sections: [1] }\n")
})

const TWICE = `const spec = { id: "soul", pace: "stable", need: "low", trust: "public", cut: "whole", build: () => undefined }
const markup = { name: "plain", safe: false, additive: false, envelope: () => ({ open: "", close: "" }), escapes: () => [] }
export default { name: "twice", order: "paced", markup, sections: [spec, spec] }
`

afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}

const run = (...args: string[]): Ran => incipit(args, { cwd: folder })

/** One line on stderr, nothing on stdout, exit 2. */
function refusal(line: string): Ran {
  return { stdout: "", stderr: `${line}\n`, status: 2 }
}

test("a section id used twice", () => {
  expect(run("build", "--workspace", "empty", "--profile", "./twice.mjs")).toEqual(
    refusal(
      'incipit: the profile "twice" has two sections with the id "soul". Give each section of a profile an id of its own.',
    ),
  )
})

test("a budget below zero", () => {
  expect(run("build", "--workspace", "empty", "--budget", "-5")).toEqual(
    refusal(
      "incipit: bad budget: head is -5, but must be a whole number of tokens, 0 or more. Budgets are whole numbers of tokens; the window must be larger than the reserve.",
    ),
  )
})

test("an unknown profile", () => {
  expect(run("build", "--profile", "nope")).toEqual(
    refusal(
      'incipit: unknown profile "nope" (there is incipit, coop, moltis, nova, osa, osa-before, pi). Name a profile that comes with Incipit, or give the path of a module that exports one.',
    ),
  )
  expect(run("build", "--profile", "./nope.mjs").stderr).toBe(
    "incipit: can not load the profile ./nope.mjs: there is no such file. Name a profile that comes with Incipit, or give the path of a module that exports one.\n",
  )
  for (const name of ["./no-profile.mjs", "./no-sections.mjs"])
    expect(run("build", "--profile", name).stderr).toBe(
      `incipit: ${name} exports no profile as default or as \`profile\`. Name a profile that comes with Incipit, or give the path of a module that exports one.\n`,
    )
})

test("an unreadable workspace", () => {
  const missing = join(folder, "nowhere")
  expect(run("build", "--workspace", missing)).toEqual(
    refusal(
      `incipit: can not open the workspace ${missing} (ENOENT). Check the path and its permissions; \`--workspace\` takes a folder.`,
    ),
  )
  expect(run("build", "--workspace", "list.json").status).toBe(2)
})

test.each([
  [
    "not-json.json",
    "not-json.json: not valid JSON: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
  ],
  ["not-array.json", "not-array.json: the file is not a JSON array"],
  ["no-name.json", "no-name.json: tool 1: name: Invalid input: expected string, received undefined"],
  [
    "unknown-builtin.json",
    'unknown-builtin.json: tool 1: the profile incipit knows no tool "zap" (it knows read, write, edit, list, find, grep, shell, task_write, notify_user, schedule_write, instructions_write, responsibility_remove, workflow_advance, delegate)',
  ],
])("a malformed tools file: %s", (file, problem) => {
  expect(run("build", "--workspace", "empty", "--tools", file)).toEqual(
    refusal(
      `incipit: ${join(folder, problem)}. It must be a JSON array of { name, description, parameters } or { name, builtin: true }.`,
    ),
  )
})

test("a tools file that is not there", () => {
  expect(run("build", "--workspace", "empty", "--tools", "gone.json")).toEqual(
    refusal(
      `incipit: can not read ${join(folder, "gone.json")} (ENOENT). Check the path and its permissions.`,
    ),
  )
})

test("two tools of one name", () => {
  expect(run("build", "--workspace", "empty", "--tools", "same-name.json")).toEqual(
    refusal(
      'incipit: two tools have the name "read". Rename one of the two tools: a model can not tell them apart.',
    ),
  )
})

test("a scope file that is no object", () => {
  expect(run("build", "--workspace", "empty", "--scope", "list.json").stderr).toBe(
    `incipit: ${join(folder, "list.json")}: the file is not a JSON object. It must be a JSON object of inputs by name.\n`,
  )
})

test("a clock that can not be read", () => {
  expect(run("build", "--workspace", "empty", "--now", "yesterday")).toEqual(
    refusal(
      'incipit: --now is "yesterday", which is not a date such as 2026-11-15T08:30:00Z. Run the command with --help to see what it takes.',
    ),
  )
})

test("a configuration with a value of the wrong type points at its line", () => {
  expect(run("build", "--workspace", "broken")).toEqual(
    refusal(
      "incipit: incipit.yaml:2: budget.window: Invalid input: expected number, received string. Correct the line that is named; docs/reference/configuration.md lists every key.",
    ),
  )
})

test("a configuration that can not be parsed points at its line", () => {
  const { stderr, status } = run("build", "--workspace", "torn")
  expect(status).toBe(2)
  expect(stderr).toMatch(/^incipit: incipit\.yaml:3:\d+: .*\. Correct the line that is named; .*\n$/)
})

test("a misspelt key is a finding with the nearest word; a misspelt level is the safe side", () => {
  const { stderr, status } = run("build", "--workspace", "misspelt", "--as", "bob")
  expect({ stderr, status }).toEqual({
    stderr: [
      'finding incipit.yaml:1: unknown key "modle"; did you mean "model"? [unknown-key]',
      'finding incipit.yaml:3: unknown key "users.bob.mach"; did you mean "match"? [unknown-key]',
      "finding the workspace: has none of the files of a workspace, such as SOUL.md or AGENTS.md; only the bundled texts are used [no-files]",
      'finding incipit.yaml: unknown trust "ful"; "public" is used, the safe side [unknown-trust]',
      "",
    ].join("\n"),
    status: 0,
  })
})

test("findings give exit 1 only when that is asked for", () => {
  expect(run("build", "--workspace", "misspelt", "--strict").status).toBe(1)
  expect(run("build", "--workspace", "misspelt").status).toBe(0)
})

test("an unknown command and an unknown flag", () => {
  expect(run("bild")).toEqual(refusal("error: unknown command 'bild'\n(Did you mean build?)"))
  expect(run("build", "--workspce", "x")).toEqual(
    refusal(
      "error: unknown option '--workspce'\n(Did you mean --workspace?)\nRun `incipit build --help` to see what it takes.",
    ),
  )
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
