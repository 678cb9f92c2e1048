// Limits on skills count what one audience may see: a closed folder behind a link takes no room from open skills.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
  folder.write("workspace/skills/open/SKILL.md", "---\ndescription: Open.\n---\n")
})
afterEach(() => folder.remove())

/** What somebody with little trust is told. */
function told() {
  const { value, diagnostics } = gatherAgent(openWorkspace(folder.root))
  const isTheirs = (trust: string | undefined) => trust === "public" || trust === "familiar"
  return {
    skills: (value.skills ?? []).filter(({ trust }) => isTheirs(trust)).map(({ name }) => name),
    findings: diagnostics.filter(({ needs }) => needs === undefined || isTheirs(needs)),
  }
}

function closed(path: string, count: number, text: string): void {
  for (let at = 0; at < count; at += 1) {
    mkdirSync(join(folder.root, path, `s${at}`), { recursive: true })
    writeFileSync(join(folder.root, path, `s${at}/SKILL.md`), text)
  }
}

test.each([
  ["behind a link to the folder of a person", "users/bob/many", "---\ndescription: Closed.\n---\n"],
  ["that say so themselves", "skills/closed", "---\ndescription: Closed.\ntrust: full\n---\n"],
])("more than 2,000 closed skills %s change nothing for others", (_, path, text) => {
  const before = told()
  closed(path, 2_001, text)
  if (!path.startsWith("skills")) symlinkSync(join(folder.root, path), join(folder.root, "skills/closed"))
  expect(told()).toEqual(before)
  expect(before.skills).toEqual(["open"])
})

test("what is wrong in a closed folder is not told to others", () => {
  const before = told()
  folder.write("workspace/users/bob/many/.ignore", "x".repeat(200_000))
  symlinkSync(join(folder.root, "users/bob/many"), join(folder.root, "skills/closed"))
  symlinkSync(folder.home, join(folder.root, "users/bob/many/out"))
  expect(told()).toEqual(before)
})
