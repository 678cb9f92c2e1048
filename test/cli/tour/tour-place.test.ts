// The tour changes SOUL.md of the user's own workspace, and takes the change back: never through a link, and never over
// what somebody else wrote meanwhile.
import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeChange, soulChange } from "../../../src/cli/tour/place.ts"

function folderWith(soul: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), "incipit-tour-place-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "SOUL.md")
  if (soul !== undefined) writeFileSync(path, soul)
  return { path, place: { folder, isSample: false } }
}

test("a link in place of SOUL.md is neither read nor written", () => {
  const { path, place } = folderWith(undefined)
  const outside = folderWith("A private key.\n")
  symlinkSync(outside.path, path)
  expect(soulChange(place)).toBeUndefined()
})

test("a file with two names is changed under this one alone", () => {
  const { path, place } = folderWith(undefined)
  const outside = folderWith("A private key.\n")
  linkSync(outside.path, path)
  const change = soulChange(place)
  if (change !== undefined) makeChange(change, place, {})
  expect(readFileSync(outside.path, "utf8")).toBe("A private key.\n")
})

test("the change is taken back at the end, unless the file was changed meanwhile", () => {
  for (const [written, left] of [
    [undefined, "Kind.\n"],
    ["Stern.\n", "Stern.\n"],
  ] as const) {
    const { path, place } = folderWith("Kind.\n")
    const atExit: (() => void)[] = []
    const terminal = { onExit: (then: () => void) => void atExit.push(then) }
    const change = soulChange(place)
    if (change !== undefined) makeChange(change, place, terminal)
    expect(readFileSync(path, "utf8")).toBe("Answer in one sentence, and say where you looked.\n\nKind.\n")
    if (written !== undefined) writeFileSync(path, written)
    for (const then of atExit) then()
    expect(readFileSync(path, "utf8")).toBe(left)
  }
})

test("a file that was changed before the yes is left alone", () => {
  const { path, place } = folderWith("Kind.\n")
  const change = soulChange(place)
  writeFileSync(path, "Stern.\n")
  expect(() => change && makeChange(change, place, {})).toThrow("it was changed in the meantime")
  expect(readFileSync(path, "utf8")).toBe("Stern.\n")
})
