import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { readBounded } from "../../src/files/read-bounded.ts"
import { loadConfig } from "../../src/sources/config/config.ts"

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "incipit-bounded-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Ten gigabytes that take no room on the disk. */
function sparse(path: string): string {
  const handle = openSync(path, "w")
  ftruncateSync(handle, 10 * 1024 ** 3)
  closeSync(handle)
  return path
}

test("a file of up to the limit is read whole", () => {
  const path = join(folder(), "a")
  writeFileSync(path, "é".repeat(50))
  expect(readBounded(path, 100)).toBe("é".repeat(50))
  expect(() => readBounded(path, 99)).toThrow(expect.objectContaining({ code: "EFBIG" }))
  writeFileSync(path, "")
  expect(readBounded(path, 10)).toBe("")
})

test("a sparse file of ten gigabytes is refused before any of it is read", () => {
  expect(() => readBounded(sparse(join(folder(), "a")), 1_000)).toThrow(
    expect.objectContaining({ code: "EFBIG" }),
  )
})

test("a pipe that nobody writes to is refused at once, and so is a folder", () => {
  const path = join(folder(), "pipe")
  execFileSync("mkfifo", [path])
  expect(() => readBounded(path, 10)).toThrow(expect.objectContaining({ code: "ENXIO" }))
  expect(() => readBounded(folder(), 10)).toThrow(expect.objectContaining({ code: "EISDIR" }))
})

test("a file that says it is empty is read up to the limit", () => {
  expect(readBounded("/proc/self/stat", 4_096)).toMatch(/^\d+ \(/)
  expect(() => readBounded("/proc/self/stat", 5)).toThrow(expect.objectContaining({ code: "EFBIG" }))
})

// Only the superuser can make a file that belongs to somebody else.
test.runIf(process.geteuid?.() === 0)(
  "a file that another user put into a folder that anybody can write to is refused",
  () => {
    const shared = folder()
    const path = join(shared, "incipit.yaml")
    writeFileSync(path, "model: x\n")
    chownSync(path, 12_345, 12_345)
    expect(readBounded(path, 100)).toBe("model: x\n")
    chmodSync(shared, 0o777)
    expect(() => readBounded(path, 100)).toThrow(/belongs to another user/)
    expect(() => loadConfig(path, "incipit.yaml")).toThrow(/belongs to another user/)
  },
)
