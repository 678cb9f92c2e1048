import { execFileSync } from "node:child_process"
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { readBounded } from "../../src/files/read-bounded.ts"

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
