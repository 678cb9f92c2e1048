// Results go to the file that the user named, not to where a link in its place leads.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { warmIncipit as incipit } from "../run.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-output-"))
  mkdirSync(join(folder, "clone"))
  writeFileSync(join(folder, "clone", "SOUL.md"), "Kind.\n")
})
afterEach(() => rmSync(folder, { recursive: true }))

const simulate = (to: string) => incipit(["simulate", "--save", to], { cwd: join(folder, "clone") })

test("a link in place of the file leaves what it leads to as it was", () => {
  writeFileSync(join(folder, "bashrc"), "mine\n")
  symlinkSync(join(folder, "bashrc"), join(folder, "clone", "calls.jsonl"))
  const { status, stderr } = simulate("calls.jsonl")
  expect([status, stderr]).toEqual([2, expect.stringContaining("it is a link; name the file it points to")])
  expect(readFileSync(join(folder, "bashrc"), "utf8")).toBe("mine\n")
})

test("a link to a file that is not there yet makes none", () => {
  symlinkSync(join(folder, "new"), join(folder, "clone", "calls.jsonl"))
  expect(simulate("calls.jsonl").status).toBe(2)
  expect(statSync(join(folder, "new"), { throwIfNoEntry: false })).toBeUndefined()
})

test("a file is written for its owner alone, and a device can still be named", () => {
  expect(simulate("calls.jsonl").status).toBe(0)
  expect((statSync(join(folder, "clone", "calls.jsonl")).mode & 0o777).toString(8)).toBe("600")
  symlinkSync("/dev/null", join(folder, "clone", "nowhere"))
  expect(simulate("nowhere").status).toBe(0)
})
