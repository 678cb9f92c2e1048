import { renameSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { watchFolders } from "../../src/sources/read/watch.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { openWorkspace, reload, type Workspace } from "../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "./folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
  folder.write("workspace/SOUL.md", "Soul.")
  folder.write("workspace/AGENTS.md", "Agents.")
})

afterEach(() => folder.remove())

/** The files of a workspace as it is now, with what was read before. */
function filesNow(before: Workspace) {
  return gatherAgent(reload(before)).value.files
}

test("what has not changed is the same object, what has changed is read again", () => {
  const workspace = openWorkspace(folder.root)
  const [soul, agents] = gatherAgent(workspace).value.files
  folder.write("workspace/AGENTS.md", "Other agents.")
  const [soulAgain, agentsAgain] = filesNow(workspace)
  expect(soulAgain).toBe(soul)
  expect([agents?.text, agentsAgain?.text]).toEqual(["Agents.", "Other agents."])
})

test("each reload is a revision of its own, and the one before stays as it was", () => {
  const workspace = openWorkspace(folder.root, { home: folder.home })
  const before = gatherAgent(workspace).value
  folder.write("workspace/incipit.yaml", "model: x/y\n")
  folder.write("workspace/SOUL.md", "Other.")
  const again = reload(workspace)
  expect([workspace.revision, again.revision, reload(again).revision]).toEqual([1, 2, 3])
  expect([workspace.config.model, again.config.model, again.home]).toEqual([undefined, "x/y", folder.home])
  expect(before.files[0]?.text).toBe("Soul.")
})

test("an editor that renames over a file is seen", () => {
  const workspace = openWorkspace(folder.root)
  gatherAgent(workspace)
  renameSync(folder.write("workspace/.SOUL.md.swp", "New soul."), join(folder.root, "SOUL.md"))
  expect(filesNow(workspace)[0]?.text).toBe("New soul.")
})

test("a file that is gone is gone", () => {
  const workspace = openWorkspace(folder.root)
  gatherAgent(workspace)
  rmSync(join(folder.root, "SOUL.md"))
  expect(filesNow(workspace).map(({ path }) => path)).toEqual(["AGENTS.md"])
})

test("a file that cannot be read for the moment keeps its last text, and comes back", () => {
  const workspace = openWorkspace(folder.root)
  gatherAgent(workspace)
  const path = join(folder.root, "SOUL.md")
  rmSync(path)
  symlinkSync("SOUL.md", path)
  expect(filesNow(workspace)[0]).toMatchObject({ text: "Soul.", unavailable: "ELOOP" })
  rmSync(path)
  folder.write("workspace/SOUL.md", "Back.")
  expect(filesNow(workspace)[0]).toEqual(expect.objectContaining({ text: "Back." }))
  expect(filesNow(workspace)[0]?.unavailable).toBeUndefined()
})

test("a change in a folder that was made a moment ago is reported, once", async () => {
  const told: (readonly string[])[] = []
  let tell: () => void = () => {}
  const watcher = watchFolders([folder.root], (paths) => {
    told.push(paths)
    tell()
  })
  await watcher.ready
  const heard = new Promise<void>((done) => {
    tell = done
  })
  folder.write("workspace/rules/deep/new.md", "New.")
  await heard
  await watcher.close()
  expect(told.flat()).toContain(join(folder.root, "rules/deep/new.md"))
})

test("what a link leads to outside of the folder is not watched", async () => {
  const outside = folder.write("other/one.md", "One.")
  symlinkSync(dirname(outside), join(folder.root, "linked"))
  symlinkSync("/", join(folder.root, "disk"))
  const told: string[] = []
  let tell: () => void = () => {}
  const watcher = watchFolders([folder.root], (paths) => {
    told.push(...paths)
    if (paths.some((path) => path.endsWith("last.md"))) tell()
  })
  await watcher.ready
  const heard = new Promise<void>((done) => {
    tell = done
  })
  folder.write("other/two.md", "Two.")
  folder.write("workspace/last.md", "Last.")
  await heard
  await watcher.close()
  expect(told).toEqual([join(folder.root, "last.md")])
})

test("a folder whose name looks like a way up does not end the watching", async () => {
  folder.write("workspace/rules/..\\../one.md", "One.")
  folder.write("workspace/rules/a\\b.md", "Two.")
  const told: string[] = []
  let tell: () => void = () => {}
  const watcher = watchFolders([folder.root], (paths) => {
    told.push(...paths)
    if (paths.includes(join(folder.root, "SOUL.md"))) tell()
  })
  await watcher.ready
  const heard = new Promise<void>((done) => {
    tell = done
  })
  folder.write("workspace/SOUL.md", "Another.")
  await heard
  await watcher.close()
  expect(told).toContain(join(folder.root, "SOUL.md"))
})
