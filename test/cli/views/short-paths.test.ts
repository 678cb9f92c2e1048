// Paths and lines in what `incipit build` and `incipit explain` show at 80 columns.
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { warmIncipit as incipit } from "../run.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const run = (...args: string[]) => incipit(args, { cwd: folder.root }).stdout

test("project context is shown by its path in the workspace, so that its name fits the table", () => {
  folder.write("workspace/CLAUDE.md", "Run the tests.\n")
  expect(run("build").match(/^ {2}context .*$/m)?.[0]).toMatch(/ {2}CLAUDE\.md:1$/)
})

test("lines that follow each other are one range", () => {
  folder.write("workspace/USER.md", "---\nname: Ada\n---\nLikes tea.\n\n<!-- a note -->\nSwims at noon.\n")
  expect(run("explain", "USER.md")).toContain("\n  lines 1 to 7 in user, ")
})

test("a file for another person, place or situation is explained with the flag that asks for it", () => {
  folder.write("workspace/SOUL.md", "Kind.\n")
  folder.write("workspace/users/ada/USER.md", "Ada.\n")
  folder.write("workspace/channels/telegram.md", "Short.\n")
  expect(run("explain", "users/ada/USER.md")).toBe(
    'users/ada/USER.md: not in the prompt. It is only read for the user "ada". Try --as ada.\n',
  )
  expect(run("explain", "channels/telegram.md")).toBe(
    'channels/telegram.md: not in the prompt. It is only read for the channel "telegram". Try --channel telegram.\n',
  )
})
