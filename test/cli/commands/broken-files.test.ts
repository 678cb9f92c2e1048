// `incipit check` and `incipit explain` on files that cannot be what they are named: links to nothing, links in a
// circle, text in another encoding, folders.
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { warmIncipit as incipit } from "../run.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root })
const link = (to: string, path: string) => symlinkSync(to, join(folder.root, path))
const gone = (path: string) =>
  `warning: ${path}: cannot be found: it is a broken link, or was just deleted. It was left out. [file-gone]\n`

test("links that lead nowhere are warnings, wherever a file of the prompt may be", () => {
  for (const path of ["rules", "skills/empty"]) mkdirSync(join(folder.root, path), { recursive: true })
  folder.write("workspace/SOUL.md", "Kind.\n")
  link("gone.md", "AGENTS.md")
  link("gone.md", "CLAUDE.md")
  link("../gone.md", "rules/one.md")
  link("../../gone", "skills/moved")
  link("gone.md", "skills/empty/SKILL.md")
  expect(run("check")).toEqual({
    stdout: "5 warnings\n",
    stderr: ["AGENTS.md", "rules/one.md", "skills/moved", "skills/empty/SKILL.md", "CLAUDE.md"]
      .map(gone)
      .join(""),
    status: 0,
  })
  expect(run("explain", "AGENTS.md").stderr).toContain(
    "incipit: cannot read AGENTS.md: it is a link to gone.md, which does not exist. Check the path and its permissions.\n",
  )
})

test("a link in a circle is named as one", () => {
  folder.write("workspace/SOUL.md", "Kind.\n")
  link("CLAUDE.md", "CLAUDE.md")
  link("roundabout.md", "roundabout.md")
  const path = join(folder.root, "CLAUDE.md")
  const warning = `warning: ${path}: cannot be read right now: its links lead in a circle. A running agent keeps the text it had. [source-unavailable]\n`
  expect(run("check")).toEqual({ stdout: "1 warning\n", stderr: warning, status: 0 })
  expect(run("explain", "CLAUDE.md")).toEqual({
    stdout: `${path}: not in the prompt. It cannot be read right now: its links lead in a circle.\n`,
    stderr: warning,
    status: 0,
  })
  expect(run("explain", "roundabout.md")).toEqual({
    stdout: "",
    stderr:
      "incipit: cannot read roundabout.md: its links lead in a circle. Check the path and its permissions.\n",
    status: 2,
  })
})

test("text in UTF-16 is left out with one error, and not sent as noise", () => {
  folder.write("workspace/SOUL.md", "Kind.\n")
  folder.write("workspace/AGENTS.md", Buffer.from("\ufeffUse tabs.\n", "utf16le"))
  const error =
    "error: AGENTS.md: contains NUL bytes, so it is a binary file or not in UTF-8. It was left out. Save it as UTF-8 text. [not-text]\n"
  expect(run("check")).toEqual({ stdout: "1 error\n", stderr: error, status: 1 })
  expect(run("explain", "AGENTS.md")).toEqual({
    stdout:
      "AGENTS.md: not in the prompt. It contains NUL bytes, so it is a binary file or not in UTF-8. It was left out. Save it as UTF-8 text.\n",
    stderr: error,
    status: 0,
  })
})

test("a folder named AGENTS.md is one warning", () => {
  folder.write("workspace/SOUL.md", "Kind.\n")
  mkdirSync(join(folder.root, "AGENTS.md"))
  expect(run("check")).toEqual({
    stdout: "1 warning\n",
    stderr: "warning: AGENTS.md: is not a regular file. It was left out. [not-a-regular-file]\n",
    status: 0,
  })
})

test("a text that is too long for a path, and is not in the prompt, is not in the prompt", () => {
  folder.write("workspace/SOUL.md", "Kind.\n")
  const text = "Nothing like this was ever said. ".repeat(200)
  const { stderr, status } = run("explain", text)
  expect([stderr.split("isn't")[1], status]).toEqual([
    " a section, a tool, a file or a piece of text in this prompt. `incipit build` lists the sections and files of the prompt.\n",
    2,
  ])
})

test("a misspelt name leads to a question, which ends with its question mark", () => {
  folder.write("workspace/AGENTS.md", "Run the tests.\n")
  expect(run("explain", "AGENT.md").stderr).toBe(
    'incipit: "AGENT.md" isn\'t a section, a tool, a file or a piece of text in this prompt; did you mean AGENTS.md? `incipit build` lists the sections and files of the prompt.\n',
  )
})

test("init keeps a broken link like any other file that is there", () => {
  link("gone.md", "AGENTS.md")
  const { stdout, stderr, status } = run("init", "--yes")
  expect(stdout.match(/(?<=^wrote ).*$/gm)).toEqual([
    "IDENTITY.md",
    "SOUL.md",
    "USER.md",
    "incipit.yaml",
    ".gitignore",
  ])
  expect([stderr.split("\n").at(-2), status]).toEqual(["kept  AGENTS.md, which already exists", 0])
})
