// A SQLite file: what it refuses, what it undoes, and that it tells when it is no longer the file at its path.
import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, onTestFinished, test } from "vitest"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { isBusy, retryWhileBusy } from "../../../src/database/sqlite/failure.ts"
import { type DatabaseOptions, openDatabase } from "../../../src/database/sqlite/open-database.ts"

const FIRST = "CREATE TABLE things (name TEXT)"
const SECOND = "ALTER TABLE things ADD COLUMN size INTEGER\n\nCREATE INDEX by_size ON things(size)"

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-sqlite-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "file.sqlite")
}

function opened(path: string, options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase(path, { migrations: [FIRST], ...options })
  onTestFinished(() => database.close())
  return database
}

test("a file is brought to the newest form, and keeps what it has", () => {
  const path = file()
  opened(path).run("INSERT INTO things VALUES ('one')")
  expect(opened(path, { migrations: [FIRST, SECOND] }).all("SELECT * FROM things")).toEqual([
    { name: "one", size: null },
  ])
  expect(() => opened(path)).toThrow(expect.objectContaining({ code: "newer-database" }))
})

test("a step that fails leaves the form before it", () => {
  const path = file()
  opened(path)
  expect(() => opened(path, { migrations: [FIRST, "CREATE TABLE others (name)\n\nNO SQL"] })).toThrow("NO")
  expect(opened(path).all("SELECT name FROM sqlite_schema")).toEqual([{ name: "things" }])
})

test("what is no database cannot be opened, nor what is not there for reading", () => {
  const path = file()
  expect(() => opened(path, { readOnly: true })).toThrow(
    expect.objectContaining({ code: "unusable-database" }),
  )
  writeFileSync(path, "This is no database. ".repeat(100))
  expect(() => opened(path)).toThrow(expect.objectContaining({ code: "unusable-database" }))
})

test.each([
  ["link", "a link is in the way"],
  ["pipe", "it is not a file"],
])("a %s does not stand for a file", (kind, why) => {
  const path = file()
  if (kind === "pipe") execFileSync("mkfifo", [path])
  else symlinkSync(`${path}.elsewhere`, path)
  expect(() => opened(path)).toThrow(`cannot open ${path}: ${why}`)
  if (kind === "pipe") expect(() => opened(path, { readOnly: true })).toThrow(why)
  expect(readdirSync(dirname(path))).toEqual(["file.sqlite"])
})

test("a database of something else is left as it is", () => {
  const path = file()
  const other = new DatabaseSync(path)
  other.exec("CREATE TABLE theirs (name)")
  other.close()
  const before = readFileSync(path)
  expect(() => opened(path)).toThrow(expect.objectContaining({ code: "unusable-database" }))
  expect(readFileSync(path).equals(before)).toBe(true)
})

test("in a folder that cannot be written, a file without a log is read all the same", () => {
  const path = file()
  const writer = openDatabase(path, { migrations: [FIRST] })
  writer.run("INSERT INTO things VALUES ('one')")
  writer.close()
  chmodSync(path, 0o444)
  chmodSync(dirname(path), 0o555)
  const script = `import { openDatabase } from ${JSON.stringify(resolve("src/database/sqlite/open-database.ts"))}
if (process.getuid?.() === 0) {
  process.setgroups([])
  process.setgid(65534)
  process.setuid(65534)
}
const database = openDatabase(${JSON.stringify(path)}, { migrations: [${JSON.stringify(FIRST)}], readOnly: true })
console.log(JSON.stringify(database.all("SELECT * FROM things")))`
  // Root may write everywhere, so the child becomes nobody, once it has read the code: this clone may be root's alone.
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })
  chmodSync(dirname(path), 0o755)
  expect(ran).toMatchObject({ stdout: '[{"name":"one"}]\n', stderr: "" })
})

test("a transaction is all or nothing", () => {
  const database = opened(file())
  expect(() =>
    database.transaction(() => {
      database.run("INSERT INTO things VALUES ('lost')")
      throw new Error("half done")
    }),
  ).toThrow("half done")
  expect(database.all("SELECT * FROM things")).toEqual([])
  expect(database.transaction(() => database.run("INSERT INTO things VALUES ('kept')").changes)).toBe(1)
})

test("who does not wait is told that another holds it, and gets in when it is patient", async () => {
  const path = file()
  const [one, other] = [opened(path), opened(path, { wait: 0 })]
  const add = () => other.transaction(() => other.run("INSERT INTO things VALUES ('other')").changes)
  one.run("BEGIN IMMEDIATE")
  const waits = retryWhileBusy(add)
  const givesUp = retryWhileBusy(add, 3).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(isBusy(await givesUp)).toBe(true)
  one.run("COMMIT")
  expect(await waits).toBe(1)
})

test("a file that was moved away is gone", () => {
  const path = file()
  const database = opened(path)
  expect(database.isGone()).toBe(false)
  renameSync(path, `${path}.away`)
  expect(database.isGone()).toBe(true)
  opened(path)
  expect(database.isGone()).toBe(true)
})
