// What other programs read and no prompt here has is named once, with how much there is, and not at all where it says
// nothing new.
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { noFiles } from "../../../src/sources/context/no-files.ts"
import { unreadForeign } from "../../../src/sources/context/unread-foreign.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

function gathered() {
  const workspace = openWorkspace(folder.root, { home: folder.home })
  const agent = gatherAgent(workspace).value
  return {
    workspace,
    agent,
    session: gatherSession(workspace, { directory: folder.root, known: agent.files }).value,
  }
}

function findings(): readonly string[] {
  const { workspace, ...files } = gathered()
  return unreadForeign(workspace, files).map((one) => `${one.needs} ${sentence(one)}`)
}

function write(path: string, text = `Of ${path}.\n`): void {
  folder.write(`workspace/${path}`, text)
}

const skill = (name: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\nDo it.\n`

test("instructions and skills of other programs are named, each place once", () => {
  write("AGENTS.md")
  write("GEMINI.md")
  write(".cursor/rules/one.mdc")
  write(".cursor/rules/more/two.mdc")
  write(".github/instructions/deep/three.instructions.md")
  write(".clinerules")
  write(".codex/skills/tie/SKILL.md", skill("tie"))
  write(".codex/skills/mend/SKILL.md", skill("mend"))
  write(".gemini/skills/row/SKILL.md", skill("row"))
  expect(findings()).toEqual([
    "full the workspace: has instructions that only other programs read: GEMINI.md, .github/instructions/, .cursor/rules/ (2 files), .clinerules. To send a file, list it under prompt.files.",
    "full the workspace: has skills that only other programs read: .codex/skills/ (2 skills), .gemini/skills/. To list a skill, move or link its folder into .agents/skills/.",
  ])
})

test("copies of what is read, links to it and pointers to it are not named", () => {
  write("AGENTS.md", "Run the tests before each commit.\n")
  write("GEMINI.md", "# Gemini\n\nRun the tests before each commit.\n")
  write(".windsurfrules", "See AGENTS.md.\n")
  write(".agents/skills/tie/SKILL.md", skill("tie"))
  write(".codex/skills/tie/SKILL.md", skill("tie"))
  mkdirSync(join(folder.root, ".gemini"))
  symlinkSync("../.agents/skills", join(folder.root, ".gemini/skills"))
  mkdirSync(join(folder.root, ".pi/skills"), { recursive: true })
  symlinkSync("../../.agents/skills/tie", join(folder.root, ".pi/skills/knot"))
  expect(findings()).toEqual([])
})

test("a folder that only other programs have instructions for is not said to have none", () => {
  write("GEMINI.md")
  const { workspace, ...files } = gathered()
  expect(noFiles(workspace, files).map(({ code, needs }) => `${code} ${needs}`)).toEqual([
    "foreign-files full",
  ])
})
