// Real paths, table by table: what each function says of a path that exists, does not, or leads nowhere.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  existingPathOf,
  fromHome,
  realPath,
  requireRealPath,
  writeTarget,
} from "../../src/files/real-path.ts"

let root = ""
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-real-")))
  mkdirSync(join(root, "folder"))
  writeFileSync(join(root, "folder/file"), "")
  symlinkSync("folder", join(root, "link"))
  symlinkSync("gone", join(root, "broken"))
  symlinkSync("loop", join(root, "loop"))
})
afterAll(() => rmSync(root, { recursive: true }))

/** Path, then what is real of it; what a comparison sees; what a write would reach. `-` is nothing. */
describe.each([
  ["folder/file", "folder/file", "folder/file", "folder/file"],
  ["link", "folder", "folder", "folder"],
  ["link/file", "folder/file", "folder/file", "folder/file"],
  ["link/../folder/./file", "folder/file", "folder/file", "folder/file"],
  ["link/new", "-", "folder/new", "folder/new"],
  ["link/new/deep", "-", "folder/new/deep", "folder/new/deep"],
  ["broken", "-", "broken", "-"],
  ["broken/below", "-", "broken/below", "-"],
  ["loop", "-", "loop", "-"],
  ["link/file/below", "-", "folder/file/below", "folder/file/below"],
])("%s", (given, existing, compared, written) => {
  const path = () => `${root}/${given}`
  const expected = (name: string) => (name === "-" ? undefined : join(root, name))

  test("as it exists", () => {
    expect(existingPathOf(path())).toBe(expected(existing))
    if (existing === "-") expect(() => requireRealPath(path())).toThrow(/ENOENT|ELOOP|ENOTDIR/)
    else expect(requireRealPath(path())).toBe(expected(existing))
  })

  test("for a comparison, and for a write", () => {
    expect(realPath(path())).toBe(expected(compared))
    expect(writeTarget(path())).toBe(expected(written))
  })
})

test.each([
  ["~", "/home/ada", "/home/ada"],
  ["~/notes", "/home/ada", "/home/ada/notes"],
  ["~ada/notes", "/home/ada", "~ada/notes"],
  ["~/notes", undefined, "~/notes"],
  ["a/~/b", "/home/ada", "a/~/b"],
])("%s with the home %s is %s", (path, home, expected) => expect(fromHome(path, home)).toBe(expected))
