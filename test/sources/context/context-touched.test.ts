import { symlinkSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import { contextFor, gatherContext } from "../../../src/sources/context/context.ts"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
  here.git("repo", "init", "-q")
})
afterEach(() => here.remove())

const NOTHING = { files: [], findings: [] }

test("a nested AGENTS.md is sent once a file below it is touched, not before", () => {
  here.write("repo/AGENTS.md", "top")
  here.write("repo/src/AGENTS.md", "src")
  here.write("repo/src/deep/er/CLAUDE.md", "er")
  here.write("repo/test/AGENTS.md", "test")
  here.write("AGENTS.md", "above")
  here.write("home/.incipit/AGENTS.md", "home")
  expect(here.gather("repo").files).toEqual([
    "~/.incipit/AGENTS.md: home",
    "/AGENTS.md: above",
    "/repo/AGENTS.md: top",
  ])
  expect(here.touch("repo/src/deep/er/x.ts", "repo")).toEqual({
    files: ["/repo/src/AGENTS.md: src", "/repo/src/deep/er/CLAUDE.md: er"],
    findings: [],
  })
  expect(here.touch("repo/src/x.ts", "repo").files).toEqual(["/repo/src/AGENTS.md: src"])
  expect(here.touch("repo/x.ts", "repo")).toEqual(NOTHING)
  expect(here.touch("repo", "repo")).toEqual(NOTHING)
})

test("nested directories follow the policy, with shadows, local notes and imports", () => {
  here.write("repo/src/AGENTS.md", "@../docs/a.md")
  here.write("repo/src/CLAUDE.md", "c")
  here.write("repo/src/CLAUDE.local.md", "l")
  here.write("repo/docs/a.md", "a")
  expect(here.touch("repo/src/x.ts", "repo")).toEqual({
    files: ["/repo/src/AGENTS.md: @../docs/a.md", "/repo/docs/a.md: a", "/repo/src/CLAUDE.local.md: l"],
    findings: [
      "file-shadowed /repo/src/CLAUDE.md: is ignored because /repo/src/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
  expect(here.touch("repo/src/x.ts", "repo", { policy: "all" }).files).toEqual([
    "/repo/src/AGENTS.md: @../docs/a.md",
    "/repo/docs/a.md: a",
    "/repo/src/CLAUDE.md: c",
    "/repo/src/CLAUDE.local.md: l",
  ])
})

test("what was gathered at the start, or touched before, is not sent again", () => {
  here.write("repo/AGENTS.md", "@docs/a.md")
  here.write("repo/docs/a.md", "a")
  here.write("repo/src/AGENTS.md", "@../docs/a.md")
  const start = gatherContext(here.options("repo"))
  const known = new Set(start.files.map(({ identity }) => identity))
  const first = contextFor(here.at("repo/src/x.ts"), here.options("repo", { known }))
  expect(first.files.map(({ path }) => path)).toEqual([here.at("repo/src/AGENTS.md")])
  const all = new Set([...known, ...first.files.map(({ identity }) => identity)])
  expect(here.touch("repo/src/y.ts", "repo", { known: all })).toEqual(NOTHING)
})

test("a file outside of the working directory touches nothing, even through a link", () => {
  here.write("repo/app/AGENTS.md", "app")
  here.write("repo/lib/AGENTS.md", "lib")
  here.write("repo/app/.claude/rules/all.md", "---\npaths: ['**', '[.][.]/lib/*', '.?/lib/*']\n---\nx")
  symlinkSync("../lib", here.at("repo/app/linked"))
  expect(here.touch("repo/lib/x.ts", "repo/app")).toEqual(NOTHING)
  expect(here.touch("repo/app/linked/x.ts", "repo/app")).toEqual(NOTHING)
})

test("a touched path may be relative to the working directory, which may be behind a link", () => {
  here.write("repo/src/AGENTS.md", "src")
  symlinkSync("repo", here.at("link"))
  const paths = (touched: string, directory: string) =>
    contextFor(touched, here.options(directory)).files.map(({ path }) => path)
  expect(paths("src/x.ts", "repo")).toEqual([here.at("repo/src/AGENTS.md")])
  expect(paths(here.at("link/src/x.ts"), "link")).toEqual([here.at("repo/src/AGENTS.md")])
  expect(paths(here.at("repo/src/x.ts"), "link")).toEqual([here.at("repo/src/AGENTS.md")])
})

test("a rule with paths is sent once a file that it names is touched, not before", () => {
  here.write("repo/.claude/rules/api.md", "---\ndescription: api\npaths: src/api/**/*.ts\n---\nOf the api.")
  here.write("repo/.claude/rules/always.md", "Always.")
  expect(here.gather("repo")).toEqual({ files: ["/repo/.claude/rules/always.md: Always."], findings: [] })
  expect(here.touch("repo/src/api/v1/x.ts", "repo")).toEqual({
    files: ["/repo/.claude/rules/api.md: Of the api."],
    findings: [],
  })
  expect(here.touch("repo/src/api/x.ts", "repo").files).toHaveLength(1)
  expect(here.touch("repo/src/x.ts", "repo")).toEqual(NOTHING)
  expect(here.touch("repo/src/api/x.js", "repo")).toEqual(NOTHING)
})

test.each([
  ["paths: [docs/*.md, 'test/**']", "repo/test/a/b.ts", true],
  ["paths: [docs/*.md, 'test/**']", "repo/docs/a.md", true],
  ["paths: [docs/*.md, 'test/**']", "repo/docs/a/b.md", false],
  ["paths: ./src/*.ts", "repo/src/a.ts", true],
  ["paths: 'src/**/*.{ts,tsx}'", "repo/src/a.tsx", true],
  ["paths: '*.md'", "repo/a.md", true],
  ["paths: '*.md'", "repo/docs/a.md", false],
  ["paths: [7, src/a.ts]", "repo/src/a.ts", true],
])("%s and %s: %s", (paths, touched, isIncluded) => {
  here.write("repo/.claude/rules/r.md", `---\n${paths}\n---\nRule.`)
  expect(here.gather("repo")).toEqual(NOTHING)
  expect(here.touch(touched, "repo").files).toEqual(isIncluded ? ["/repo/.claude/rules/r.md: Rule."] : [])
})

test.each(["paths: []", "paths:", "paths: 7", "description: d"])(
  "a rule with %s applies everywhere",
  (field) => {
    here.write("repo/.claude/rules/r.md", `---\n${field}\n---\nRule.`)
    expect(here.gather("repo")).toEqual({ files: ["/repo/.claude/rules/r.md: Rule."], findings: [] })
    expect(here.touch("repo/src/a.ts", "repo")).toEqual(NOTHING)
  },
)

test("paths are relative to the working directory, not to the git root", () => {
  here.write("repo/app/.claude/rules/r.md", "---\npaths: src/*\n---\nRule.")
  expect(here.touch("repo/app/src/a.ts", "repo/app").files).toEqual(["/repo/app/.claude/rules/r.md: Rule."])
  expect(here.touch("repo/app/app/src/a.ts", "repo/app")).toEqual(NOTHING)
})

test("paths count in rules only", () => {
  here.write("repo/AGENTS.md", "---\npaths: src/*\n---\nAgents.")
  expect(here.gather("repo").files).toEqual(["/repo/AGENTS.md: Agents."])
})

test("nested context comes first, then rules by code point, and imports after what imports them", () => {
  here.write("repo/src/AGENTS.md", "src")
  here.write("repo/.claude/rules/b.md", "---\npaths: '**/*.ts'\n---\nb")
  here.write("repo/.claude/rules/a.md", "---\npaths: 'src/*'\n---\n@more.md")
  here.write("repo/.claude/rules/more.md", "---\npaths: 'never'\n---\nmore")
  expect(here.touch("repo/src/x.ts", "repo")).toEqual({
    files: [
      "/repo/src/AGENTS.md: src",
      "/repo/.claude/rules/a.md: @more.md",
      "/repo/.claude/rules/more.md: more",
      "/repo/.claude/rules/b.md: b",
    ],
    findings: [],
  })
})

test("a rule that is held back can be imported by one that is not", () => {
  here.write("repo/.claude/rules/a.md", "---\npaths: '*.ts'\n---\na")
  here.write("repo/.claude/rules/b.md", "@a.md")
  expect(here.gather("repo")).toEqual({
    files: ["/repo/.claude/rules/b.md: @a.md", "/repo/.claude/rules/a.md: a"],
    findings: [],
  })
})

test("of more than 200 rules that are held back, the first 200 by name are looked at", () => {
  const names = Array.from({ length: 201 }, (_, at) => `${String(at).padStart(3, "0")}.md`)
  for (const name of names) here.write(`repo/.claude/rules/${name}`, "---\npaths: '*.ts'\n---\nx")
  const findings = ["too-many-files /repo/.claude/rules: has more than 200 files. The rest was not read."]
  expect(here.gather("repo")).toEqual({ files: [], findings })
  const files = names.slice(0, 200).map((name) => `/repo/.claude/rules/${name}: x`)
  expect(here.touch("repo/a.ts", "repo")).toEqual({ files, findings })
})

test("what is wrong with a rule is said when it is sent", () => {
  const bytes = Buffer.concat([Buffer.from("---\npaths: a.ts\n---\nx"), Buffer.from([0xff])])
  here.write("repo/.claude/rules/r.md", bytes)
  expect(here.gather("repo")).toEqual(NOTHING)
  expect(here.touch("repo/b.ts", "repo")).toEqual(NOTHING)
  expect(here.touch("repo/a.ts", "repo")).toEqual({
    files: ["/repo/.claude/rules/r.md: x\ufffd"],
    findings: [
      "invalid-utf8 /repo/.claude/rules/r.md: is not valid UTF-8. Invalid bytes are sent as U+FFFD.",
    ],
  })
})

test("of several files, each folder is read once, and rules for any of them apply", () => {
  here.write("repo/src/AGENTS.md", "src")
  here.write("repo/src/deep/CLAUDE.md", "deep")
  // A finding for each time that the folder is looked at.
  here.write("repo/src/AGENTS.override.md/x", "no file")
  here.write("repo/.claude/rules/log.md", "---\npaths: ['*.log']\n---\nlogs")
  here.write("repo/.claude/rules/ts.md", "---\npaths: ['src/**/*.ts']\n---\ntypes")
  const touched = ["repo/src/x.ts", "repo/src/deep/y.ts", "repo/src/deep/z.ts"].map(here.at)
  const { files, diagnostics } = contextFor([...touched, here.at("elsewhere.log")], here.options("repo"))
  expect(files.map(({ text }) => text)).toEqual(["src", "deep", "types"])
  expect(diagnostics.map(({ code }) => code)).toEqual(["not-a-regular-file"])
})
