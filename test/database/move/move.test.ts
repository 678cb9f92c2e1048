// Moving a state folder from SQLite into PostgreSQL: everything arrives, nothing in the files changes, and whatever is in
// the way is said.
import { writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import { AGENT_TABLES, LEFT_IN_FILES } from "../../../src/database/move/agent-tables.ts"
import { type MoveReport, moveState } from "../../../src/database/move/move-state.ts"
import { RECORD_TABLES } from "../../../src/database/move/record-tables.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { openRecordFile } from "../../../src/database/sqlite/record/open-record.ts"
import { recordInto } from "../../../src/record/write/record.ts"
import { event, NOON } from "../../record/record-file.ts"
import { NO_SERVER, PASSWORD, schemaOf, testServer } from "../postgres/postgres-server.ts"
import { pruneRecord } from "./filled-record.ts"
import { bytesOf, emptyState, filledState, readDatabase, readFiles } from "./moved-state.ts"

const rowsIn = ({ tables }: MoveReport) => new Map(tables.map(({ table, rows }) => [table, rows]))

describe.skipIf(NO_SERVER)(NO_SERVER ?? "into PostgreSQL", () => {
  const server = testServer()

  test("every kind of row arrives, both sides answer the same, and the files stay as they were", async () => {
    const files = await filledState()
    const before = bytesOf(files)
    const url = server.newUrl()
    const report = await moveState({ files, url })
    expect(report).toMatchObject({ kind: "moved", schema: schemaOf(url), continued: 0 })
    expect(JSON.stringify(report)).not.toContain(PASSWORD)
    expect(bytesOf(files)).toEqual(before)
    // A table without a row would show nothing.
    expect([...rowsIn(report)].filter(([, rows]) => rows === 0)).toEqual([])
    expect(await readDatabase(url)).toEqual(await readFiles(files))
  })

  test("every column on both sides is accounted for", async () => {
    const files = await filledState()
    const url = server.newUrl()
    await moveState({ files, url })
    const columns = await server.sql(
      `SELECT table_name AS name, string_agg(column_name, ' ' ORDER BY column_name) AS columns
      FROM information_schema.columns WHERE table_schema = $1 GROUP BY 1`,
      schemaOf(url),
    )
    const moves = [...AGENT_TABLES, ...RECORD_TABLES]
    const listed = new Map(moves.map((move) => [move.table, Object.keys(move.columns).toSorted().join(" ")]))
    const own = /^(record_events_.*|record_last|record_loose_.*|schema_versions|moves|moved_tables)$/
    const stored = columns.filter(({ name }) => !own.test(String(name)))
    expect(new Map(stored.map(({ name, columns: found }) => [name, found]))).toEqual(listed)
    const file = new DatabaseSync(files.store, { readOnly: true })
    onTestFinished(() => file.close())
    const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const known = [...AGENT_TABLES.map(({ table }) => table), ...LEFT_IN_FILES, "sqlite_sequence"]
    expect(tables.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
  })

  test("conversations go on: numbers follow those of the files, and a session that was held is free", async () => {
    const files = await filledState()
    const url = server.newUrl()
    await moveState({ files, url })
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    const claimed = await store.sessions.claim("s", { owner: "c", leaseMs: 1_000 })
    expect(claimed).toMatchObject({ kind: "claimed", lease: { fence: 3 } })
    const message = { text: "And now?" }
    const taken = await store.inbox.receive({ id: "n", turn: "n", session: "s", message, takenBy: "c" })
    expect(taken).toMatchObject({ order: 5 })
    // The file has given 2 to an entry that was removed.
    expect(await store.schedule.add("main", { cron: "0 9 * * *", run: "New" })).toMatchObject({ id: "3" })
    const record = await openPostgresRecord(url)
    expect(await record.events.lastId()).toBe(9)
    const recorder = recordInto(record)
    recorder.append(event({ at: NOON, turn: "t9" }))
    await recorder.flush()
    expect(await record.events.lastId()).toBe(10)
    await recorder.close()
  })

  test("what is old is removed from the copy as from the file, with the texts that only it named", async () => {
    const files = await filledState()
    const url = server.newUrl()
    await moveState({ files, url })
    const [copy, file] = [await openPostgresRecord(url), openRecordFile(files.record)]
    const removed = await pruneRecord(file)
    expect(removed).toMatchObject({ events: 2, receipts: 1 })
    expect(await pruneRecord(copy)).toEqual(removed)
    await Promise.all([file.close(), copy.close()])
  })

  test("a dry run counts, and creates nothing", async () => {
    const files = await filledState()
    const url = server.newUrl()
    const planned = await moveState({ files, url, isDry: true })
    expect(planned.kind).toBe("planned")
    const made = await server.sql("SELECT 1 FROM pg_namespace WHERE nspname = $1", schemaOf(url))
    expect(made).toEqual([])
    expect(rowsIn(planned)).toEqual(rowsIn(await moveState({ files, url })))
    expect((await moveState({ files, url, isDry: true })).kind).toBe("before")
  })

  test("a second run finds that all is done, and says what it was", async () => {
    const files = await filledState()
    const url = server.newUrl()
    const first = await moveState({ files, url })
    expect(await moveState({ files, url })).toEqual({ ...first, kind: "before" })
    const store = await openStore(files.store)
    await store.sessions.create("new", {
      agent: "main",
      who: "x",
      situation: "dm",
      trust: "full",
      mode: "full",
    })
    await store.close()
    await expect(moveState({ files, url })).rejects.toMatchObject({
      code: "database-not-empty",
      message: expect.stringContaining("were moved to postgres://postgres@127.0.0.1"),
    })
  })

  test("files that somebody has open are not moved, and nobody opens them meanwhile", async () => {
    const files = await filledState()
    const store = await openStore(files.store)
    const url = server.newUrl()
    await expect(moveState({ files, url, isDry: true })).rejects.toMatchObject({
      code: "files-in-use",
      message: `another process has ${files.store} open`,
    })
    await store.close()
    const seen: unknown[] = []
    const onProgress = () => {
      if (seen.length > 0) return
      const other = new DatabaseSync(files.store)
      try {
        other.exec("UPDATE sessions SET key = 'x'")
      } catch (error) {
        seen.push(error instanceof Error && error.message)
      }
      other.close()
    }
    await moveState({ files, url, onProgress })
    expect(seen).toEqual(["database is locked"])
  })

  test("a target with data of others is refused, and stays as it is", async () => {
    const [files, url] = [await filledState(), server.newUrl()]
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    await store.tokens.add({ id: "k", hash: "h", user: "u", situation: "dm", scopes: [], name: "n" })
    const refused = {
      code: "database-not-empty",
      message: expect.stringMatching(/ has other data in tokens$/),
    }
    for (const isDry of [true, false])
      await expect(moveState({ files, url, isDry })).rejects.toMatchObject(refused)
    expect(await store.tokens.list()).toHaveLength(1)
    const other = server.newUrl()
    await moveState({ files, url: other })
    await expect(moveState({ files: await filledState(), url: other })).rejects.toMatchObject({
      code: "database-not-empty",
      message: expect.stringContaining("has what was moved from"),
    })
  })

  test("older and newer tables, and newer files, are refused", async () => {
    const files = await filledState()
    const url = server.newUrl()
    const store = await openPostgresStore(url)
    await store.close()
    const versions = `${schemaOf(url)}.schema_versions`
    await server.sql(`UPDATE ${versions} SET version = 9`)
    await expect(moveState({ files, url, isDry: true })).rejects.toMatchObject({ code: "newer-database" })
    await expect(moveState({ files, url })).rejects.toMatchObject({ code: "newer-database" })
    const file = new DatabaseSync(files.store)
    file.exec("PRAGMA user_version = 99")
    file.close()
    await expect(moveState({ files, url: server.newUrl() })).rejects.toMatchObject({ code: "newer-database" })
  })

  test("what was changed in the target is found", async () => {
    const files = await filledState()
    const url = server.newUrl()
    const schema = schemaOf(url)
    // As a defect would: a trigger of the test changes one text on its way.
    await (await openPostgresStore(url)).close()
    await server.sql(`CREATE FUNCTION ${schema}.spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.title := upper(NEW.title); RETURN NEW; END $$`)
    await server.sql(
      `CREATE TRIGGER spoil BEFORE INSERT ON ${schema}.tasks FOR EACH ROW EXECUTE FUNCTION ${schema}.spoil()`,
    )
    await expect(moveState({ files, url })).rejects.toMatchObject({
      code: "move-differs",
      message: expect.stringMatching(/^tasks in .* has 1 rows, but not the same$/),
    })
    // No agent begins to work with it.
    await expect(openPostgresStore(url)).rejects.toMatchObject({ code: "unfinished-move" })
  })

  test("no files, no server", async () => {
    const files = emptyState()
    await expect(moveState({ files, url: server.newUrl() })).rejects.toMatchObject({ code: "no-state" })
    const unreachable = "postgres://ada:not-to-be-printed@127.0.0.1:1/x"
    const filled = await filledState()
    const before = bytesOf(filled)
    await expect(moveState({ files: filled, url: unreachable })).rejects.toMatchObject({
      code: "unreachable-database",
      message: expect.not.stringContaining(PASSWORD),
    })
    expect(bytesOf(filled)).toEqual(before)
    writeFileSync(files.store, "this is not a database, but text")
    await expect(moveState({ files, url: unreachable })).rejects.toMatchObject({ code: "unusable-database" })
  })
})
