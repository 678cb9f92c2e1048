// A folder without instructions is a finding only if nothing of its own is told: neither from the workspace nor from the
// working directory.
import { afterEach, beforeEach, expect, test } from "vitest"
import { noFiles } from "../../../src/sources/context/no-files.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

function findings(directory = folder.root): readonly string[] {
  const workspace = openWorkspace(folder.root, { home: folder.home })
  const agent = gatherAgent(workspace).value
  const session = gatherSession(workspace, { directory, known: agent.files }).value
  return noFiles(workspace, { agent, session }).map(({ code, needs }) => `${code} ${needs}`)
}

test("an empty folder has none, and only the owner hears of it", () => {
  expect(findings()).toEqual(["no-files full"])
})

test.each([
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  ".claude/rules/a.md",
  "skills/a/SKILL.md",
  ".claude/skills/a/SKILL.md",
  ".claude/commands/a.md",
  "SOUL.md",
])("%s is one", (path) => {
  folder.write(`workspace/${path}`, "Text.")
  expect(findings()).toEqual([])
})

test("what the working directory has counts, and what lies above it", () => {
  folder.write("workspace/app/AGENTS.md", "Text.")
  expect(findings()).toEqual(["no-files full"])
  expect(findings(`${folder.root}/app`)).toEqual([])
  expect(findings(`${folder.root}/app/deep`)).toEqual([])
})
