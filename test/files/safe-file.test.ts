// The one way to open a file that somebody else may have put there: a table of what is opened and what is refused.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, expect, test } from "vitest"
import { identityAt } from "../../src/files/identity.ts"
import { type OpenOptions, readBytes, withSafeFile } from "../../src/files/safe-file.ts"

let root = ""
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-open-")))
  mkdirSync(join(root, "in/deep"), { recursive: true })
  mkdirSync(join(root, "out"))
  writeFileSync(join(root, "in/file"), "text")
  writeFileSync(join(root, "in/deep/file"), "deep")
  writeFileSync(join(root, "out/file"), "theirs")
  linkSync(join(root, "in/file"), join(root, "in/twin"))
  symlinkSync("file", join(root, "in/link"))
  symlinkSync("deep", join(root, "in/linked"))
  symlinkSync("../out/file", join(root, "in/leads-out"))
  symlinkSync("../out", join(root, "in/linked-out"))
  symlinkSync("gone", join(root, "in/broken"))
  symlinkSync("loop", join(root, "in/loop"))
  spawnSync("mkfifo", [join(root, "in/pipe")])
})
afterAll(() => rmSync(root, { recursive: true }))

const OUTSIDE = { kind: "refused", refused: { why: "outside" } }
const LINK = { kind: "refused", refused: { why: "link" } }
const ABSENT = { kind: "absent" }
const notAFile = (isFolder: boolean) => ({ kind: "refused", refused: { why: "not-a-file", isFolder } })
const opened = (text: string) => ({ kind: "opened", value: text })

/** Name, then what becomes of it if links may be followed within `in`, and if they may not be followed at all. */
const CASES: readonly (readonly [string, object, object])[] = [
  ["in/file", opened("text"), opened("text")],
  ["in/deep/file", opened("deep"), opened("deep")],
  ["in/twin", opened("text"), opened("text")],
  ["in/link", opened("text"), LINK],
  ["in/linked/file", opened("deep"), LINK],
  ["in/leads-out", OUTSIDE, LINK],
  ["in/linked-out/file", OUTSIDE, LINK],
  ["out/file", OUTSIDE, OUTSIDE],
  ["in/../out/file", OUTSIDE, OUTSIDE],
  ["in/gone", ABSENT, ABSENT],
  ["in/file/below", ABSENT, ABSENT],
  ["in/broken", ABSENT, LINK],
  ["in/loop", { kind: "unavailable", reason: "ELOOP" }, LINK],
  ["in/deep", notAFile(true), notAFile(true)],
  ["in/pipe", notAFile(false), notAFile(false)],
]

test.each(CASES)("%s", (name, followed, unfollowed) => {
  const open = (followsLinks: boolean) =>
    withSafeFile(`${root}/${name}`, { roots: [join(root, "in")], followsLinks }, (file) =>
      readBytes(file).toString(),
    )
  expect(open(true)).toMatchObject(followed)
  expect(open(false)).toMatchObject(unfollowed)
  expect(openHandles()).toEqual([])
})

function openHandles(): readonly string[] {
  if (!existsSync("/proc/self/fd")) return []
  const targets = readdirSync("/proc/self/fd").map((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`)
    } catch {
      // The handle with which the folder was listed.
      return ""
    }
  })
  return targets.filter((target) => target.startsWith(root))
}

/** Puts another file in the place of one, over and over, and says when it has begun. */
const REPLACES = `
  const { renameSync, writeFileSync } = require("node:fs")
  const [, path] = process.argv
  for (let round = 0; ; round += 1) {
    writeFileSync(path + ".next", "saved")
    renameSync(path + ".next", path)
    if (round === 0) process.stdout.write("begun")
  }`

test("a file that is replaced while it is opened is read, whichever it is", async () => {
  const path = join(root, "in/saved")
  const editor = spawn(process.execPath, ["-e", REPLACES, path], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    await once(editor.stdout, "data")
    const found = new Set<string>()
    for (let round = 0; round < 10_000; round += 1) {
      const options = { roots: [join(root, "in")], followsLinks: round % 2 === 0 }
      found.add(JSON.stringify(withSafeFile(path, options, (file) => readBytes(file).toString())))
    }
    expect([...found]).toEqual([JSON.stringify(opened("saved"))])
    expect(openHandles()).toEqual([])
  } finally {
    editor.kill("SIGKILL")
  }
})

test("its real path, its size and its identity are those of the opened file", () => {
  const found = withSafeFile(join(root, "in/link"), { followsLinks: true }, (file) => ({
    ...file,
    handle: 0,
  }))
  expect(found).toEqual(
    expect.objectContaining({
      value: { handle: 0, path: join(root, "in/file"), size: 4, identity: identityAt(join(root, "in/twin")) },
    }),
  )
})

test.each([
  [3, { kind: "refused", refused: { why: "too-large", bytes: 4, limit: 3 } }],
  [4, opened("text")],
])("with room for %i bytes", (mostBytes, expected) => {
  const options: OpenOptions = { followsLinks: false, mostBytes }
  expect(withSafeFile(join(root, "in/file"), options, (file) => readBytes(file).toString())).toEqual(expected)
})

test.runIf(process.geteuid?.() === 0)("another user's file, in a folder that anybody can write to", () => {
  const folder = join(root, "shared")
  const path = join(folder, "file")
  mkdirSync(folder)
  writeFileSync(path, "theirs")
  chownSync(path, 12_345, 12_345)
  const open = () => withSafeFile(path, { followsLinks: false }, () => "read").kind
  expect(open()).toBe("opened")
  chmodSync(folder, 0o777)
  expect(open()).toBe("refused")
})

test("an error of the caller passes, and the file is closed", () => {
  const fail = () => {
    throw new Error("mine")
  }
  expect(() => withSafeFile(join(root, "in/file"), { followsLinks: false }, fail)).toThrow("mine")
  expect(openHandles()).toEqual([])
})
