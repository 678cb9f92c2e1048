import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { warmIncipit as incipit, type Ran } from "../run.ts"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-ignored-"))
  mkdirSync(join(folder, "coloured"))
  writeFileSync(join(folder, "SOUL.md"), "Kind.\n")
  writeFileSync(join(folder, "incipit.yaml"), "users:\n  ada: { trust: full, match: ['terminal:*'] }\n")
  writeFileSync(join(folder, "coloured", "SOUL.md"), "Kind.\n")
  writeFileSync(join(folder, "coloured", "incipit.yaml"), "colour: red\n")
})

afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]): Ran => incipit(args, { cwd: folder })

const OFFLINE =
  "No API key found, so the offline model is answering. Set ANTHROPIC_API_KEY to use anthropic/claude-sonnet-5-5. The offline model's calls are free; its prices and cache figures are simulated.\n"

test.each([
  ["build --text --json", "--text", "--json"],
  ["build --text --annotated", "--text", "--annotated"],
  ["build --compare osa --text", "--text", "--compare <PROFILE>"],
  ["build --compare osa --annotated", "--annotated", "--compare <PROFILE>"],
  ["build --annotated --json", "--annotated", "--json"],
  ["build --compare osa --watch", "--watch", "--compare <PROFILE>"],
  ["check --frozen --write-lock", "--write-lock", "--frozen"],
  ["run hello --session s --new", "--new", "--session <ID>"],
  ["init --eject --name Ada", "--eject", "--name <NAME>"],
])("of two flags none is ignored: %s", (line, one, other) => {
  const command = line.split(" ", 1)[0]
  expect(run(...line.split(" "))).toEqual({
    stdout: "",
    stderr: `incipit: option '${one}' cannot be used with option '${other}'\nRun \`incipit ${command} --help\` for its arguments and flags.\n`,
    status: 2,
  })
})

test.each([
  ["an empty message", ["run", ""], "the message is empty"],
  ["an empty stdin", ["run", "-"], "the message is empty"],
  ["a message for the schedule", ["run", "--schedule", "hello"], "--schedule cannot be used with a message"],
  [
    "a message for the list of sessions",
    ["run", "--sessions", "hello"],
    "--sessions cannot be used with a message",
  ],
  [
    "a leak into a situation that nobody gets into",
    ["check", "--leak", "full:gruop"],
    '--leak: There is no situation "gruop" (known: dm, group, system). Its ceiling is public.',
  ],
])("%s is refused", (_name, args, problem) => {
  expect(run(...args)).toEqual({
    stdout: "",
    stderr: `incipit: ${problem}. Run the command with --help to see its arguments and flags.\n`,
    status: 2,
  })
})

test("run without a message says how to give one", () => {
  expect(run("run")).toEqual({
    stdout: "",
    stderr: `${OFFLINE}No messages are queued. To send one, run \`incipit run <message>\`.\n`,
    status: 0,
  })
})

test.each([
  [
    ["--as", "nobody"],
    'warning: There is no user "nobody" in incipit.yaml (it lists ada). The prompt is compiled for a stranger with public trust. [unknown-user]',
  ],
  [
    ["--in", "mars"],
    'warning: There is no situation "mars" (known: dm, group, system). Its ceiling is public. [unknown-situation]',
  ],
])("run tells of a sender that nobody knows: %s", (flags, finding) => {
  const { stderr, status } = run("run", "hello", ...flags)
  expect({ stderr, status }).toEqual({ stderr: `${finding}\n${OFFLINE}`, status: 0 })
})

test("run tells each diagnostic once, as the other commands do", () => {
  const finding = 'error: incipit.yaml:1: unknown key "colour"'
  expect(run("run", "hello", "--workspace", "coloured").stderr).toBe(`${OFFLINE}${finding}\n`)
  expect(run("skills", "--workspace", "coloured").stderr).toBe(`${finding} [unknown-key]\n`)
})

test.each(["config", "models"])("%s --json leaves the diagnostics on stderr, and they count", (command) => {
  const { stdout, stderr, status } = run(command, "--json", "--strict", "--workspace", "coloured")
  expect({ stderr, status }).toEqual({
    stderr: 'error: incipit.yaml:1: unknown key "colour" [unknown-key]\n',
    status: 1,
  })
  expect(() => JSON.parse(stdout)).not.toThrow()
})
