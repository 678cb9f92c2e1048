// A folder is known by its real path, device and inode: links to it are the same folder, a copy or a replacement is not.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { folderIdentity, folderKey } from "../../src/files/folder-identity.ts"

let root = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-identity-")))
})
afterEach(() => rmSync(root, { recursive: true }))

function keyOf(path: string): string | undefined {
  const identity = folderIdentity(path)
  return identity && folderKey(identity)
}

test("a link to a folder and a path with dots lead to the same identity", () => {
  mkdirSync(join(root, "ws"))
  symlinkSync(join(root, "ws"), join(root, "link"))
  const key = keyOf(join(root, "ws"))
  expect(key).toMatch(/^\d+:\d+:\d+:\//)
  expect(keyOf(join(root, "link"))).toBe(key)
  expect(keyOf(`${root}/ws/../ws/.`)).toBe(key)
})

test("another folder at the same path is another identity, and so is the same folder at another path", () => {
  mkdirSync(join(root, "ws"))
  const before = folderIdentity(join(root, "ws"))
  renameSync(join(root, "ws"), join(root, "moved"))
  mkdirSync(join(root, "ws"))
  const after = folderIdentity(join(root, "ws"))
  const moved = folderIdentity(join(root, "moved"))
  expect(after?.inode).not.toBe(before?.inode)
  expect(moved?.inode).toBe(before?.inode)
  expect(new Set([before, after, moved].map((one) => one && folderKey(one))).size).toBe(3)
})

test("a folder that was deleted and made again is another one, also where the disk gives it the same inode", async () => {
  mkdirSync(join(root, "ws"))
  const before = keyOf(join(root, "ws"))
  rmSync(join(root, "ws"), { recursive: true })
  // Longer than a tick of the clock that the disk uses.
  await new Promise((done) => setTimeout(done, 20))
  mkdirSync(join(root, "ws"))
  expect(keyOf(join(root, "ws"))).not.toBe(before)
})

test("what is written into a folder, and its rights, leave its identity alone", () => {
  mkdirSync(join(root, "ws"))
  const before = keyOf(join(root, "ws"))
  writeFileSync(join(root, "ws", "AGENTS.md"), "")
  chmodSync(join(root, "ws"), 0o700)
  expect(keyOf(join(root, "ws"))).toBe(before)
})

test("what is missing, a file, and a link that leads nowhere have no identity", () => {
  writeFileSync(join(root, "file"), "")
  symlinkSync(join(root, "gone"), join(root, "broken"))
  for (const name of ["gone", "file", "broken", "file/below"])
    expect(folderIdentity(join(root, name))).toBeUndefined()
})
