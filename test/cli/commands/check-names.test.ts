// `incipit check` on names in another letter case, which some disks find and others don't, and `explain` on folders.
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { warmIncipit as incipit } from "../run.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root })

const renamed = (path: string, as: string) =>
  `warning: ${path}: is not read: names are case-sensitive. Rename it to ${as}. [file-misspelt]\n`

test("a file that would be read under its name in another case is a warning", () => {
  folder.write("workspace/claude.md", "Run the tests.\n")
  folder.write("workspace/skills/tidy/skill.md", "---\ndescription: Tidies.\n---\nTidy.\n")
  folder.write("workspace/skills/knots/SKILL.md", "---\nname: knots\ndescription: Ties.\n---\nTie.\n")
  expect(run("check")).toEqual({
    stdout: "2 warnings\n",
    stderr: renamed("skills/tidy/skill.md", "SKILL.md") + renamed("claude.md", "CLAUDE.md"),
    status: 0,
  })
  expect(run("check", "--strict").status).toBe(1)
})

test("a file that is read under its name in capitals is none", () => {
  folder.write("workspace/AGENTS.MD", "Run the tests.\n")
  expect(run("check")).toEqual({ stdout: "No problems found.\n", stderr: "", status: 0 })
})

test("where a file with the right name is read, one in another case changes nothing", () => {
  folder.write("workspace/AGENTS.md", "Run the tests.\n")
  folder.write("workspace/claude.md", "Run the tests twice.\n")
  expect(run("check")).toEqual({ stdout: "No problems found.\n", stderr: "", status: 0 })
})

test("explain of a folder that nothing is read from says so", () => {
  folder.write("workspace/AGENTS.md", "Run the tests.\n")
  folder.write("workspace/data/tides.csv", "1,2\n")
  expect(run("explain", "data")).toEqual({
    stdout: "",
    stderr:
      'incipit: nothing in the folder "data" is in this prompt. Name one of its files to see why. `incipit build` lists the sections and files of the prompt.\n',
    status: 2,
  })
})
