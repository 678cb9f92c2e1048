// Node runs compiled code that it finds in its cache. A folder for that which somebody else could have filled is not used.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { incipit } from "../run.ts"

let temporary = ""
let compiled = ""
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "incipit-tmp-"))
  compiled = join(temporary, `incipit-compiled-${process.getuid?.() ?? "user"}`)
})
afterEach(() => rmSync(temporary, { recursive: true }))

/** What is in the folder for compiled code after a run that uses the folder for temporary files. */
function filesAfterRun(): readonly string[] {
  const { status, stderr } = incipit(["--version"], { env: { TMPDIR: temporary } })
  expect([status, stderr]).toEqual([0, ""])
  return readdirSync(compiled)
}

test("compiled code is kept where only the user can write", () => {
  expect(filesAfterRun()).toHaveLength(1)
  expect((statSync(compiled).mode & 0o777).toString(8)).toBe("700")
  expect(readdirSync(temporary)).toHaveLength(1)
})

test("a folder that others may write to is not used", () => {
  mkdirSync(compiled)
  chmodSync(compiled, 0o777)
  expect(filesAfterRun()).toEqual([])
})

test("a link in its place is not followed", () => {
  mkdirSync(join(temporary, "elsewhere"), { mode: 0o700 })
  symlinkSync(join(temporary, "elsewhere"), compiled)
  expect(filesAfterRun()).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)("a folder of another user is not used", () => {
  mkdirSync(compiled, { mode: 0o700 })
  chownSync(compiled, 12_345, 12_345)
  expect(filesAfterRun()).toEqual([])
})
