import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { gatherSkills } from "../../../src/sources/skills/skills.ts"

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "incipit-skills-"))
})

afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
}

function writeSkills(...directories: readonly string[]): void {
  for (const directory of directories) write(`${directory}/SKILL.md`, "---\ndescription: x\n---\n")
}

function listed(): readonly string[] {
  const { skills, diagnostics } = gatherSkills([{ path: root, shown: ".", roots: [root], isOwn: true }])
  const others = diagnostics.filter(({ code }) => code !== "skill-name-invalid")
  return [...skills.map(({ path }) => path.slice(2).replace("/SKILL.md", "")), ...others.map(sentence)]
}

test.each([".gitignore", ".ignore", ".fdignore"])("%s in the folder itself leaves skills out", (name) => {
  writeSkills("a", "b", "deep/b", "deep/c")
  write("loose.md", "---\ndescription: x\n---\n")
  write(name, "# a comment\n\nb/\nloose.md\n")
  expect(listed()).toEqual(["a", "deep/c"])
})

test("patterns are relative to the file that holds them", () => {
  writeSkills("x/a", "x/y/a", "x/b", "x/y/b", "x/c/d", "x/y/c/d", "a", "b", "c/d")
  write("x/.gitignore", "a\n/b\nc/d\n")
  expect(listed()).toEqual(["a", "b", "c/d", "x/y/b", "x/y/c/d"])
})

test("a file further down, and .ignore after .gitignore, overrule what is above", () => {
  writeSkills("x/a", "y/a", "b", "c")
  write(".gitignore", "a/\nb\nc\n")
  write(".ignore", "!b\n")
  write(".fdignore", "!c\n")
  write("x/.ignore", "!a/\n")
  expect(listed()).toEqual(["b", "c", "x/a"])
})

test("case counts, on every machine", () => {
  writeSkills("A", "a")
  write(".gitignore", "a\n")
  expect(listed()).toEqual(["A"])
})

test("a SKILL.md that is ignored makes no leaf", () => {
  writeSkills("x", "x/y")
  write("x/.gitignore", "/SKILL.md\n")
  expect(listed()).toEqual(["x/y"])
})

test.each(["[ab]", "*", "?", "!x", "#x", "a b", "a\\b"])(
  "rules in a directory called %s stay in it",
  (name) => {
    writeSkills(`${name}/in`, `${name}/keep`, "other/in", "a/in")
    write(`${name}/.gitignore`, "in\n")
    expect(listed()).toEqual([`${name}/keep`, "a/in", "other/in"].sort((a, b) => (a < b ? -1 : 1)))
  },
)

test("git agrees", () => {
  const directories = ["a", "b/a", "b/c", "b/c2/d", "e/f/g", "e/f/h", "i/j/k", "l/m", "n/o/p", "n/q", "b/#r"]
  writeSkills(...directories)
  write(".gitignore", "/a\n**/c\ne/*/g\n!e/f/g\nl/**\n#n\n  \n\\#x\n")
  write("b/.gitignore", "!a\n!c\nd/ \n#r\n")
  write("i/.gitignore", "*\n!j\n")
  write("n/.gitignore", "/**/p\nq*\n!q\n")
  execFileSync("git", ["init", "-q"], { cwd: root })
  const untracked = execFileSync("git", ["ls-files", "-o", "--exclude-standard", "*SKILL.md"], { cwd: root })
  const kept = untracked.toString().trim().split("\n").sort()
  expect(listed()).toEqual(kept.map((path) => path.replace("/SKILL.md", "")))
})

test("rules that would take too long are left out with a diagnostic", () => {
  writeSkills("a", "b", "x/a", "x/b")
  write(".gitignore", `a\n${"# more\n".repeat(1000)}`)
  write("x/.gitignore", `b\n${"# more\n".repeat(1000)}`)
  expect(listed()).toEqual([
    "b",
    "x/b",
    "./x/.gitignore: has 7002 bytes; files of up to 1190 bytes are read. It was left out.",
  ])
})

test("hostile patterns take no time", () => {
  const long = "a".repeat(250)
  writeSkills(long)
  write(
    ".gitignore",
    `${"*a".repeat(40)}b\n${"**/".repeat(40)}b\n${"[a-z]*".repeat(40)}!\n[z-a]\n[[:x:]\n\\\n`,
  )
  expect(listed()).toEqual([long])
})
