// The history file: what is kept, what is not, and that nobody else may read it.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openHistory } from "../../../src/cli/chat/screen/history.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-history-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

function path(): string {
  return join(folder, ".incipit", "history")
}

test("texts with lines come back; repeats, blanks and what begins with a blank do not", () => {
  const history = openHistory(path())
  for (const text of ["one", "one", "two\nlines \u001b", " secret", "   ", "one"]) history.add(text)
  expect(history.entries).toEqual(["one", "two\nlines \u001b", "one"])
  expect(openHistory(path()).entries).toEqual(["one", "two\nlines \u001b", "one"])
  expect(readFileSync(path(), "utf8")).toBe('"one"\n"two\\nlines \\u001b"\n"one"\n')
})

test("nobody else may read it, even if it was there before", () => {
  openHistory(path()).add("one")
  chmodSync(path(), 0o644)
  openHistory(path()).add("two")
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test("a workspace that was moved away is not made again for it", () => {
  const gone = join(folder, "gone")
  openHistory(join(gone, ".incipit", "history")).add("one")
  expect(existsSync(gone)).toBe(false)
})

test("it does not grow for ever", () => {
  const history = openHistory(path())
  for (let at = 0; at < 1_300; at += 1) history.add(`message ${at}`)
  const again = openHistory(path())
  expect({ first: again.entries[0], count: again.entries.length }).toEqual({
    first: "message 300",
    count: 1_000,
  })
  expect(readFileSync(path(), "utf8").split("\n")).toHaveLength(1_001)
})

test("a very long text is remembered, but not in the file", () => {
  const history = openHistory(path())
  history.add("short")
  history.add("x".repeat(30_000))
  expect([history.entries.length, openHistory(path()).entries]).toEqual([2, ["short"]])
})

test("lines that are none are passed over, and a file that cannot be written is no trouble", () => {
  openHistory(path()).add("one")
  writeFileSync(path(), '"one"\n{"a":1}\n"half\n')
  expect(openHistory(path()).entries).toEqual(["one"])
  const nowhere = openHistory(join(path(), "not", "a", "folder"))
  nowhere.add("two")
  expect(nowhere.entries).toEqual(["two"])
})

test.each([["history"], ["history.new"], [""]])("nothing is written through a link: .incipit/%s", (name) => {
  const target = join(folder, "theirs", name === "" ? "history" : "profile")
  mkdirSync(join(folder, "theirs"))
  writeFileSync(target, "mine\n", { mode: 0o644 })
  if (name === "") symlinkSync("theirs", join(folder, ".incipit"))
  else {
    mkdirSync(join(folder, ".incipit"))
    if (name === "history.new") writeFileSync(path(), '"$(a command)"\n"and more"\n'.repeat(700))
    symlinkSync(target, join(folder, ".incipit", name))
  }
  openHistory(path()).add("one")
  expect([readFileSync(target, "utf8"), statSync(target).mode & 0o777]).toEqual(["mine\n", 0o644])
})

test("a pipe is not waited for", () => {
  mkdirSync(join(folder, ".incipit"))
  execFileSync("mkfifo", [path()])
  const history = openHistory(path())
  history.add("one")
  expect(history.entries).toEqual(["one"])
})
