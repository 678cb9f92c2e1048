// A file is known by device and inode: all its names are one file, a copy or a replacement is another. A folder is also
// known by its real path and birth time.
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import {
  contentStamp,
  folderIdentity,
  folderKey,
  identityAt,
  identityOf,
  stampAt,
  stampOf,
} from "../../src/files/identity.ts"

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

const nothing = () => {}

test.each([
  ["itself", "file", nothing, true],
  ["a link to it", "link", () => symlinkSync("file", join(root, "link")), true],
  ["a hard link", "twin", () => linkSync(join(root, "file"), join(root, "twin")), true],
  ["its new name", "moved", () => renameSync(join(root, "file"), join(root, "moved")), true],
  ["itself, written again", "file", () => writeFileSync(join(root, "file"), "more"), true],
  ["a copy", "copy", () => copyFileSync(join(root, "file"), join(root, "copy")), false],
  [
    "a file that took its place",
    "file",
    () => {
      writeFileSync(join(root, "other"), "text")
      renameSync(join(root, "other"), join(root, "file"))
    },
    false,
  ],
])("a file and %s: one identity or two", (_what, name, change, isSame) => {
  writeFileSync(join(root, "file"), "text")
  const before = identityAt(join(root, "file"))
  expect(before).toBe(identityOf(statSync(join(root, "file"), { bigint: true })))
  change()
  expect(identityAt(join(root, name)) === before).toBe(isSame)
})

test.each(["gone", "broken", "file/below", "loop"])("what %s leads to has no identity", (name) => {
  writeFileSync(join(root, "file"), "")
  symlinkSync(join(root, "gone"), join(root, "broken"))
  symlinkSync("loop", join(root, "loop"))
  expect([identityAt(join(root, name)), stampAt(join(root, name))]).toEqual([undefined, undefined])
})

test.each([
  ["nothing", nothing, true, true],
  ["another size", (path: string) => writeFileSync(path, "longer text"), false, false],
  ["another time", (path: string) => utimesSync(path, 1, 1), false, false],
  ["another mode", (path: string) => chmodSync(path, 0o640), false, true],
  ["another name as well", (path: string) => linkSync(path, `${path}-twin`), false, true],
])("after %s, the stamp of a file tells", (_what, change, isSame, isSameContent) => {
  const path = join(root, "file")
  writeFileSync(path, "text")
  // Set back, so that a change within one tick of the disk's clock is a change, too.
  utimesSync(path, 1_000, 1_000)
  const stat = () => statSync(path, { bigint: true })
  const before = stat()
  // The time of the last change of anything but the content cannot be set back, so wait until it has passed.
  while (Date.now() <= Number(before.ctimeMs) + 10);
  change(path)
  expect(stampAt(path)).toBe(stampOf(stat()))
  expect([stampOf(stat()) === stampOf(before), contentStamp(stat()) === contentStamp(before)]).toEqual([
    isSame,
    isSameContent,
  ])
})
