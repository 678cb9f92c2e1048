import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from "node:fs"
import { getuid } from "node:process"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
  here.git("repo", "init", "-q")
})
afterEach(() => here.remove())

const pipe = (path: string) => execFileSync("mkfifo", [here.at(path)])
const notRegular = (path: string) => `not-a-regular-file ${path}: is not a regular file. It was left out.`

test("a folder named AGENTS.md is a diagnostic, and hides nothing", () => {
  mkdirSync(here.at("repo/AGENTS.md"))
  here.write("repo/CLAUDE.md", "c")
  expect(here.gather("repo")).toEqual({
    files: ["/repo/CLAUDE.md: c"],
    findings: [notRegular("/repo/AGENTS.md")],
  })
})

test("what is no file never wins", () => {
  mkdirSync(here.at("repo/AGENTS.md"))
  here.write("repo/CLAUDE.md", "c")
  here.write("repo/CLAUDE.MD", "C")
  expect(here.gather("repo").findings).toEqual([
    notRegular("/repo/AGENTS.md"),
    "file-shadowed /repo/CLAUDE.MD: is ignored because /repo/CLAUDE.md takes its place. To read both, set prompt.context: all.",
  ])
})

test("a pipe is a diagnostic and is never waited for, as a file, a rule, an import or a .git", () => {
  pipe("repo/AGENTS.md")
  mkdirSync(here.at("repo/.claude/rules"), { recursive: true })
  pipe("repo/.claude/rules/r.md")
  pipe("repo/import.md")
  mkdirSync(here.at("repo/app"))
  pipe("repo/app/.git")
  here.write("repo/CLAUDE.md", "@import.md\nin prose @import.md")
  expect(here.gather("repo")).toEqual({
    files: ["/repo/CLAUDE.md: @import.md\nin prose @import.md"],
    findings: [
      notRegular("/repo/AGENTS.md"),
      notRegular("/repo/import.md"),
      notRegular("/repo/.claude/rules/r.md"),
    ],
  })
  here.write("repo/app/AGENTS.md", "@../import.txt")
  here.write("repo/import.txt", "the pipe is no git root")
  expect(here.gather("repo/app").files.slice(1)).toEqual([
    "/repo/app/AGENTS.md: @../import.txt",
    "/repo/import.txt: the pipe is no git root",
  ])
})

test("a pipe in prose may be anything, and is silent", () => {
  pipe("repo/socket")
  here.write("repo/AGENTS.md", "Talk to @socket, please.")
  expect(here.gather("repo").findings).toEqual([])
})

test("links in a circle cannot be read now, which is not absent: they keep their place", () => {
  symlinkSync("b.md", here.at("repo/AGENTS.md"))
  symlinkSync("AGENTS.md", here.at("repo/b.md"))
  here.write("repo/CLAUDE.md", "hidden")
  expect(here.gather("repo")).toEqual({
    files: ["/repo/AGENTS.md: ELOOP"],
    findings: [
      "file-shadowed /repo/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("a file of a gigabyte is refused unread, and keeps its place", () => {
  truncateSync(here.write("repo/AGENTS.md", ""), 2 ** 30)
  here.write("repo/CLAUDE.md", "hidden")
  here.write("repo/CLAUDE.local.md", "@big.txt")
  truncateSync(here.write("repo/big.txt", ""), 2 ** 30)
  const tooLarge = (path: string) =>
    `file-too-large ${path}: has 1073741824 bytes; files of up to 1048576 bytes are read. It was left out.`
  expect(here.gather("repo")).toEqual({
    files: ["/repo/CLAUDE.local.md: @big.txt"],
    findings: [
      tooLarge("/repo/AGENTS.md"),
      tooLarge("/repo/big.txt"),
      "file-shadowed /repo/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("rules that are a file, a pipe or a link in a circle are no rules", () => {
  here.write("repo/AGENTS.md", "x")
  for (const [directory, make] of [
    ["a", (path: string) => here.write(path)],
    ["b", pipe],
    ["c", (path: string) => symlinkSync("rules", here.at(path))],
  ] as const) {
    mkdirSync(here.at(`repo/${directory}/.claude`), { recursive: true })
    make(`repo/${directory}/.claude/rules`)
    expect(here.gather(`repo/${directory}`)).toEqual({ files: ["/repo/AGENTS.md: x"], findings: [] })
  }
})

test("a rules folder that leads out of the git root gives nothing away", () => {
  here.write("elsewhere/secret.md", "secret")
  mkdirSync(here.at("repo/.claude"))
  symlinkSync("../../elsewhere", here.at("repo/.claude/rules"))
  expect(here.gather("repo")).toEqual({
    files: [],
    findings: [
      "outside-roots /repo/.claude/rules: leads outside the folders that may be read, to /elsewhere. It was left out.",
    ],
  })
})

test.runIf(getuid?.() !== 0)(
  "a folder that may not be searched has no context; a file that may not be read says so",
  () => {
    here.write("repo/locked/AGENTS.md", "x")
    here.write("repo/locked/.claude/rules/r.md", "x")
    here.write("repo/AGENTS.md", "@locked/AGENTS.md")
    chmodSync(here.write("repo/CLAUDE.local.md", "x"), 0o000)
    chmodSync(here.at("repo/locked"), 0o000)
    const told = here.gather("repo/locked")
    chmodSync(here.at("repo/locked"), 0o700)
    expect(told).toEqual({
      files: ["/repo/AGENTS.md: @locked/AGENTS.md", "/repo/CLAUDE.local.md: EACCES"],
      findings: [
        "import-missing /repo/AGENTS.md:1: imports locked/AGENTS.md, which does not exist. The line is sent as written.",
      ],
    })
  },
)

test("paths that no file can have are no crash", () => {
  here.write("repo/AGENTS.md", `@${"x".repeat(300)}.md\n@${"a/".repeat(3000)}b.md\n@AGENTS.md/x.md`)
  expect(here.gather("repo").findings.map((finding) => finding.split(" ")[0])).toEqual([
    "import-missing",
    "import-missing",
    "import-missing",
  ])
})

test.each([
  ["mentions", "@a ".repeat(300_000)],
  ["mentions that differ", Array.from({ length: 130_000 }, (_, at) => `@${at}`).join(" ")],
  ["backtick runs of every length", Array.from({ length: 1400 }, (_, at) => "`".repeat(at)).join("@a ")],
  ["pairs of backticks", "`a` ".repeat(250_000)],
  ["dots after a name", `@${".".repeat(500_000)}x ${".".repeat(500_000)}`],
  ["escaped spaces", `@${"\\ ".repeat(500_000)}x y`],
  ["spaces", `@a${" ".repeat(1_000_000)}b`],
])("a megabyte of %s is read to its end", (_, text) => {
  here.write("repo/AGENTS.md", text.slice(0, 1_000_000))
  expect(here.gather("repo").files.length).toBeGreaterThanOrEqual(text.trim() === "" ? 0 : 1)
})

test("more than a thousand mentions in one file are a diagnostic", () => {
  here.write("repo/AGENTS.md", Array.from({ length: 1001 }, (_, at) => `@${at}`).join(" "))
  expect(here.gather("repo").findings).toEqual([
    "too-many-files /repo/AGENTS.md: has more than 1000 files. The rest was not read.",
  ])
})

test.each([
  "{a,b}".repeat(16),
  "{1..9999999}",
  `${"*a".repeat(12)}b`,
  "+(a|aa)+(a|aa)b",
  `src/${"x".repeat(300)}`,
  `{${"a,".repeat(40)}a}`,
])("the glob %s would take hours: it is a diagnostic at the start, and matches nothing", (glob) => {
  here.write("repo/.claude/rules/r.md", `---\npaths: ["${glob}", ok.ts]\n---\nRule.`)
  const problem = `the glob "${glob.slice(0, 80)}" is too complex, so it matches nothing`
  expect(here.gather("repo")).toEqual({
    files: [],
    findings: [`bad-frontmatter /repo/.claude/rules/r.md:2: invalid frontmatter: ${problem}`],
  })
  expect(here.touch(`repo/${"a".repeat(250)}`, "repo")).toEqual({ files: [], findings: [] })
  expect(here.touch("repo/ok.ts", "repo").files).toEqual(["/repo/.claude/rules/r.md: Rule."])
})

test("globs that go back and forth in a long name are tried in time in proportion to it", () => {
  const glob = "*a*a*{b,c,d,e,f,g}{1,2,3,4}"
  const globs = Array.from({ length: 200 }, (_, at) => `  - "${glob}{5,${at}}"`).join("\n")
  here.write("repo/.claude/rules/r.md", `---\npaths:\n${globs}\n  - "*a*a*z"\n---\nRule.`)
  expect(here.touch(`repo/${"a".repeat(250)}`, "repo")).toEqual({ files: [], findings: [] })
  expect(here.touch(`repo/${"a".repeat(249)}z`, "repo").files).toEqual(["/repo/.claude/rules/r.md: Rule."])
})
