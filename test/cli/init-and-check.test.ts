import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../sources/folder.ts"
import { incipit } from "./run.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root })
const read = (path: string) => readFileSync(join(folder.root, path), "utf8")

test("init writes a workspace that compiles without findings", () => {
  expect(run("init", "my-agent", "--yes", "--name", "Otto")).toEqual({
    stdout: [
      "wrote my-agent/IDENTITY.md",
      "wrote my-agent/SOUL.md",
      "wrote my-agent/AGENTS.md",
      "wrote my-agent/USER.md",
      "wrote my-agent/incipit.yaml",
      "",
      "See what it comes to: incipit build --workspace my-agent",
      "",
    ].join("\n"),
    stderr: "",
    status: 0,
  })
  const built = run("build", "--workspace", "my-agent", "--strict")
  expect([built.status, built.stderr, built.stdout.split("\n")[0]]).toEqual([
    0,
    "",
    "Otto for owner: full trust in dm",
  ])
  expect(run("check", "--workspace", "my-agent", "--strict")).toEqual({
    stdout: "Nothing found.\n",
    stderr: "",
    status: 0,
  })
})

test("init overwrites nothing", () => {
  folder.write("workspace/SOUL.md", "Mine.")
  const { stderr, status } = run("init", "--yes")
  expect([stderr, status, read("SOUL.md")]).toEqual(["kept  SOUL.md, which is there already\n", 0, "Mine."])
})

test("init asks nobody where nobody is", () => {
  expect(run("init")).toEqual({
    stdout: "",
    stderr:
      "incipit: init asks questions, and there is nobody to answer; add --yes. Run the command with --help to see what it takes.\n",
    status: 2,
  })
  expect(readdirSync(folder.root)).toEqual([])
})

test("an ejected base says what the bundled one said, and places tools and guidelines", () => {
  const tools = join(folder.path, "tools.json")
  const names = ["read", "write", "edit", "shell"]
  writeFileSync(tools, JSON.stringify(names.map((name) => ({ name, builtin: true }))))
  const before = run("build", "--text", "--tools", tools, "--now", "2026-01-01T00:00:00Z").stdout
  expect(run("init", "--eject").stdout).toBe("wrote .incipit/SYSTEM.md\n")
  const after = run("build", "--text", "--tools", tools, "--now", "2026-01-01T00:00:00Z").stdout
  const lines = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .sort()
  expect(lines(after)).toEqual(lines(`${before}## What you have\n`))
})

test("a lock notices every change, and only changes", () => {
  run("init", "--yes")
  expect(run("check", "--frozen").stderr).toBe(
    "incipit: there is no incipit.lock to compare with; write one with --write-lock. Run the command with --help to see what it takes.\n",
  )
  run("check", "--write-lock")
  expect(run("check", "--frozen")).toEqual({ stdout: "Nothing found.\n", stderr: "", status: 0 })
  folder.write("workspace/SOUL.md", "Another soul altogether.")
  folder.write("workspace/rules/new.md", "A rule.")
  expect(run("check", "--frozen")).toEqual({
    stdout: "2 findings\n",
    stderr: [
      "finding SOUL.md: changed since incipit.lock was written [lock-differs]",
      "finding rules/new.md: was added since incipit.lock was written [lock-differs]",
      "",
    ].join("\n"),
    status: 1,
  })
})

test("check finds what looks wrong, with file and line", () => {
  run("init", "--yes")
  folder.write(
    "workspace/rules/a.md",
    "Never promise a crossing before you have looked at the tide table.\n\nLast updated: 2026-11-02 14:05\n",
  )
  folder.write(
    "workspace/rules/b.md",
    "---\nglobs: x\n---\nNever promise a crossing before you have looked at the tide table.\n\nUse `grep` first.\n",
  )
  folder.write("workspace/skills/one/SKILL.md", "---\nname: one\ndescription: First.\n---\n")
  folder.write("workspace/.claude/skills/one/SKILL.md", "---\nname: one\ndescription: Second.\n---\n")
  const { stderr, status } = run("check", "--strict")
  expect(status).toBe(1)
  expect(
    stderr
      .split("\n")
      .map((line) => line.replace(/^finding (\S+) .*\[(.*)\]$/, "$1 $2"))
      .sort(),
  ).toEqual([
    "",
    ".claude/skills/one/SKILL.md: skill-name-taken",
    "rules/a.md:3: moving-text-in-file",
    "rules/b.md:2: unknown-frontmatter-key",
    "rules/b.md:4: duplicate-paragraph",
    "rules/b.md:6: names-absent-tool",
  ])
})

test("a bad assertion is refused", () => {
  expect(run("check", "--leak", "everything").status).toBe(2)
})

test("variables go before the file, flags before variables", () => {
  folder.write("workspace/incipit.yaml", "model: a/from-file\n")
  const from = (env: Record<string, string>, ...args: string[]) => {
    const { stdout } = incipit(["config", "--json", ...args], { cwd: folder.root, env })
    return (JSON.parse(stdout) as { key: string; value: string; from: string }[]).find(
      ({ key }) => key === "model",
    )
  }
  expect([
    from({}),
    from({ INCIPIT_MODEL: "b/from-env" }),
    from({ INCIPIT_MODEL: "b/from-env" }, "--model", "c/from-flag"),
  ]).toEqual([
    { key: "model", value: "a/from-file", from: "incipit.yaml:1" },
    { key: "model", value: "b/from-env", from: "INCIPIT_MODEL" },
    { key: "model", value: "c/from-flag", from: "--model" },
  ])
})

test("sections can be switched off in the configuration; an unknown one is a finding", () => {
  run("init", "--yes")
  writeFileSync(
    join(folder.root, "incipit.yaml"),
    "prompt: { sections: { soul: off, identity: { need: low }, clok: off } }\n",
  )
  const { stdout, stderr } = run("build", "--json")
  const report = JSON.parse(stdout) as { sections: { id: string; need: string }[] }
  expect(report.sections.some(({ id }) => id === "soul")).toBe(false)
  expect(report.sections.find(({ id }) => id === "identity")?.need).toBe("low")
  expect(stderr).toBe(
    'finding incipit.yaml speaks of the section "clok", which the profile incipit does not have; did you mean "clock"? [unknown-section]\n',
  )
})

test("a name can not lead out of its folder", () => {
  folder.write("workspace/HEARTBEAT.md", "Secret.")
  expect(run("build", "--text", "--channel", "../HEARTBEAT:1").stdout).not.toContain("Secret.")
  expect(run("build", "--agent", "../..").stderr).toBe(
    'incipit: "../.." can not be the name of an agent\'s folder. Check the path and its permissions; `--workspace` takes a folder.\n',
  )
  expect(existsSync(join(folder.root, "incipit.lock"))).toBe(false)
})
