// Only a file that SQLite calls damaged is moved, with its log, to a name that is free.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { moveAside } from "../../../src/database/sqlite/damaged.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-damaged-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "file.sqlite")
}

test("a sound file stays, and so does one that another process has just begun", () => {
  const path = file()
  expect(moveAside(path)).toBeUndefined()
  const database = openDatabase(path, { migrations: ["CREATE TABLE things (name)"] })
  onTestFinished(() => database.close())
  expect(moveAside(path)).toBeUndefined()
  expect(existsSync(path)).toBe(true)
})

test("a damaged one goes with its log", () => {
  const path = file()
  writeFileSync(path, "This is no database. ".repeat(100))
  writeFileSync(`${path}-wal`, "log")
  expect(moveAside(path)).toBe(`${path}.damaged-1`)
  expect(existsSync(path) || existsSync(`${path}-wal`)).toBe(false)
  expect(readFileSync(`${path}.damaged-1-wal`, "utf8")).toBe("log")
})
