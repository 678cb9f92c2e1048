// Database files that somebody else prepared: what they bring besides rows is refused before it can do anything.
import { execFileSync, spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { RECORD_MIGRATIONS } from "../../../src/database/sqlite/record/schema.ts"
import { MEMORY_MIGRATIONS, memoryTable } from "../../../src/memory/shelf/schema.ts"

const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
const SCHEMAS = {
  store: { migrations: STORE_MIGRATIONS },
  record: { migrations: RECORD_MIGRATIONS },
  memory: { migrations: MEMORY_MIGRATIONS, also: memoryTable },
}

let folder = ""
let made = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-hostile-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A sound file of one of our forms, changed by somebody who may do anything to it. */
function prepared(kind: keyof typeof SCHEMAS, sql: string): string {
  made += 1
  const path = join(folder, `${kind}-${made}.db`)
  openDatabase(path, SCHEMAS[kind]).close()
  const driver = new DatabaseSync(path, { defensive: false })
  driver.exec(sql)
  driver.close()
  return path
}

/** Opened in a process of its own: what never ends would end nothing else. */
function openedElsewhere(path: string, kind: keyof typeof SCHEMAS, then = ""): string {
  const script = `import { openDatabase } from ${JSON.stringify(resolve("src/database/sqlite/open-database.ts"))}
import { ${kind === "store" ? "STORE" : "RECORD"}_MIGRATIONS as migrations } from ${JSON.stringify(
    resolve(
      kind === "store" ? "src/database/sqlite/agent/file/schema.ts" : "src/database/sqlite/record/schema.ts",
    ),
  )}
try {
  const database = openDatabase(${JSON.stringify(path)}, { migrations })
  ${then}
  console.log("opened")
} catch (error) {
  console.log(error.code, error.message)
}`
  const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 280_000,
  })
  return signal === null ? stdout.trim() : `never came back (${signal})`
}

const REFUSED = expect.objectContaining({
  code: "foreign-schema",
  message: expect.stringMatching(
    / has a .* that Incipit did not create$| lacks the .* that Incipit creates$/,
  ),
})

test("a trigger with an endless query does not hang whoever opens and writes the store", () => {
  const path = prepared(
    "store",
    `CREATE TRIGGER hang BEFORE INSERT ON sessions BEGIN SELECT (${ENDLESS}); END`,
  )
  const insert = `database.run("INSERT INTO sessions (id, key, agent, who, situation, trust, mode, created_at, used_at, state) VALUES ('s', 'k', 'main', 'owner', 'dm', 'full', 'full', 0, 0, '{}')")`
  expect(openedElsewhere(path, "store", insert)).toMatch(/^foreign-schema .*trigger hang/)
})

describe.each(Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[])("%s", (kind) => {
  const open = (path: string, readOnly = false) => openDatabase(path, { ...SCHEMAS[kind], readOnly }).close()
  const sound = new DatabaseSync(":memory:")
  const tables = () =>
    sound
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'events_text_%'",
      )
      .all()
      .map(({ name }) => String(name))
  for (const sql of SCHEMAS[kind].migrations.flatMap((step) => step.split(/\n\s*\n/))) sound.exec(sql)

  test("a sound file opens, again and for reading", () => {
    const path = prepared(kind, "")
    open(path)
    open(path, true)
  })

  test.each(tables())("a trigger on %s is refused, also for reading", (table) => {
    for (const when of ["BEFORE INSERT", "AFTER UPDATE", "BEFORE DELETE"]) {
      const path = prepared(kind, `CREATE TRIGGER t ${when} ON ${table} BEGIN SELECT (${ENDLESS}); END`)
      expect(() => open(path)).toThrow(REFUSED)
      expect(() => open(path, true)).toThrow(REFUSED)
    }
  })

  test.each(tables())("a view in the place of %s is refused", (table) => {
    const path = prepared(
      kind,
      `PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE ${table} RENAME TO old_table; CREATE VIEW ${table} AS ${ENDLESS}`,
    )
    expect(() => open(path)).toThrow(REFUSED)
  })

  test.each(tables())("a generated column of %s is refused", (table) => {
    const path = prepared(
      kind,
      `ALTER TABLE ${table} ADD COLUMN trick TEXT AS (hex(zeroblob(100000000))) VIRTUAL`,
    )
    expect(() => open(path)).toThrow(REFUSED)
  })

  test.each(tables())("an index on an expression of %s is refused", (table) => {
    const path = prepared(kind, `CREATE INDEX trick ON ${table} (abs(1))`)
    expect(() => open(path)).toThrow(REFUSED)
  })

  test("a virtual table, a table more and a table less are refused", () => {
    for (const sql of [
      "CREATE VIRTUAL TABLE trick USING fts5(text)",
      "CREATE TABLE trick (text)",
      `PRAGMA foreign_keys = OFF; DROP TABLE ${tables()[0]}`,
    ])
      expect(() => open(prepared(kind, sql))).toThrow(REFUSED)
  })

  test("a view that stands for the list of tables itself is refused", () => {
    const path = prepared(
      kind,
      `PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('view', 'sqlite_schema', 'sqlite_schema', 0, 'CREATE VIEW sqlite_schema AS ${ENDLESS}')`,
    )
    expect(() => open(path)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/foreign-schema|unusable-database/) }),
    )
  })

  test("what is refused stays as it was, and nothing is made beside it", () => {
    const path = prepared(
      kind,
      "CREATE TRIGGER t AFTER INSERT ON trick BEGIN SELECT 1; END".replace("trick", tables()[0] ?? ""),
    )
    const before = readFileSync(path)
    expect(() => open(path)).toThrow(REFUSED)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}-journal`)).toBe(false)
  })
})

test("tables of memory's own that are not as Incipit makes them are refused", () => {
  const sound = prepared("memory", memoryTable("terms_7") ?? "")
  openDatabase(sound, SCHEMAS.memory).close()
  for (const sql of [
    "CREATE TABLE terms_7 (terms)",
    "CREATE VIEW terms_7 AS SELECT 1 AS terms",
    "CREATE VIRTUAL TABLE terms_7 USING fts5(terms)",
    `${memoryTable("terms_7")}; CREATE TABLE terms_8_data (x)`,
  ])
    expect(() => openDatabase(prepared("memory", sql), SCHEMAS.memory)).toThrow(REFUSED)
})

test("malformed files, huge pages and no files at all end with a sentence, and none is waited for", () => {
  const open = (path: string) => openDatabase(path, SCHEMAS.store).close()
  const path = (name: string) => join(folder, name)
  writeFileSync(path("text.db"), "# not a database\n".repeat(400))
  copyFileSync(prepared("store", ""), path("torn.db"))
  writeFileSync(path("torn.db"), readFileSync(path("torn.db")).subarray(0, 5_000))
  mkdirSync(path("folder.db"))
  execFileSync("mkfifo", [path("pipe.db")])
  symlinkSync(path("nowhere.db"), path("link.db"))
  for (const name of ["text.db", "torn.db", "folder.db", "pipe.db", "link.db"])
    expect(() => open(path(name)), name).toThrow()
  const large = new DatabaseSync(path("pages.db"))
  large.exec("PRAGMA page_size = 65536; CREATE TABLE trick (text); PRAGMA user_version = 2")
  large.close()
  expect(() => open(path("pages.db"))).toThrow(REFUSED)
})

test("a journal that names another file, which SQLite would delete, is refused", () => {
  const path = prepared("store", "")
  const victim = join(folder, "precious.txt")
  writeFileSync(victim, "precious")
  writeFileSync(`${path}-journal`, journalNaming(victim))
  expect(() => openDatabase(path, SCHEMAS.store)).toThrow(
    expect.objectContaining({ code: "unusable-database", message: expect.stringContaining("-journal") }),
  )
  expect(readFileSync(victim, "utf8")).toBe("precious")
})

/** As SQLite ends the journal of a transaction over several files. */
function journalNaming(path: string): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from("d9d505f920a163d7", "hex").copy(header)
  header.writeUInt32BE(0, 8)
  header.writeUInt32BE(1, 16)
  header.writeUInt32BE(512, 20)
  header.writeUInt32BE(4096, 24)
  const name = Buffer.from(path)
  const end = Buffer.alloc(16)
  end.writeUInt32BE(name.length, 0)
  end.writeInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  )
  Buffer.from("d9d505f920a163d7", "hex").copy(end, 8)
  const page = Buffer.alloc(4)
  page.writeUInt32BE(262_145)
  return Buffer.concat([header, page, name, end])
}
