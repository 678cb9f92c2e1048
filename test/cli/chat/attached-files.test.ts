// `@path` in a message: which files go with it, and what Tab makes of the beginning of a path.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { attachedTo, pathsFrom } from "../../../src/cli/chat/attached.ts"
import { EMPTY, insert, paste } from "../../../src/cli/chat/screen/input.ts"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-attached-"))
  mkdirSync(join(folder, "notes"))
  writeFileSync(join(folder, "notes", "lamp.md"), "The lamp.\n")
  writeFileSync(join(folder, "two words.md"), "Two.\n")
  writeFileSync(join(folder, ".env"), "KEY=1\n")
  writeFileSync(join(folder, "core"), Buffer.from([0, 1, 2, 3]))
  symlinkSync(join(folder, "nowhere"), join(folder, "broken.md"))
  symlinkSync("round.md", join(folder, "notes", "round.md"))
})

afterAll(() => rmSync(folder, { recursive: true }))

const typed = (text: string) => {
  const { files, lines } = attachedTo(insert(EMPTY, text).units, folder)
  return [...files.map(({ name, data }) => `${name}: ${String(data)}`), ...lines]
}

test.each<[string, string, readonly string[]]>([
  ["a file", "what is in @notes/lamp.md", ["notes/lamp.md: The lamp.\n", "with notes/lamp.md (10 B)"]],
  [
    "a file at the end of a sentence",
    "Read @notes/lamp.md.",
    ["notes/lamp.md: The lamp.\n", "with notes/lamp.md (10 B)"],
  ],
  ["a name with blanks", 'see @"two words.md"!', ["two words.md: Two.\n", "with two words.md (5 B)"]],
  ["twice the same", "@.env and @.env", [".env: KEY=1\n", "with .env (6 B)"]],
  ["a person", "ask @bob", []],
  ["an address", "write to ada@notes/lamp.md", []],
  ["a folder", "look at @notes", []],
  ["a link to nothing", "read @broken.md", []],
  ["a link in a circle", "read @notes/round.md", []],
  ["a text too long for a path", `read @${"long".repeat(100)}`, []],
])("%s: %s", (_name, text, expected) => {
  expect(typed(text)).toEqual(expected)
})

test("what cannot be sent is an error, and nothing is left out silently", () => {
  expect(() => typed("see @core")).toThrow(
    "core is neither text nor an image (PNG, JPEG, GIF, WebP) nor a PDF, which are what a model takes",
  )
})

test("a pasted text names no files", () => {
  const { units } = paste(insert(EMPTY, "sum up "), "line\n".repeat(20).concat(" @.env "))
  expect(attachedTo(units, folder)).toEqual({ files: [], lines: [] })
})

test.each<[string, readonly string[]]>([
  ["", ["broken.md", "core", "notes/", "two words.md"].filter((name) => !name.includes(" "))],
  ["no", ["notes/"]],
  ["notes/", ["notes/lamp.md", "notes/round.md"]],
  ["notes/round.md/", []],
  [".e", [".env"]],
  ["nowhere/", []],
])("the paths after @%s", (start, expected) => {
  expect(pathsFrom(start, folder)).toEqual(expected)
})
