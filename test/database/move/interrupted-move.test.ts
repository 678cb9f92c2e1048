// A move that is killed, loses its server, or finds changed files when it is run again.
import { join } from "node:path"
import process from "node:process"
import { describe, expect, test } from "vitest"
import { moveState } from "../../../src/database/move/move-state.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { StateFiles } from "../../../src/files/paths.ts"
import { bringState } from "../../agent/adopt/adopted-state.ts"
import { noteFigures } from "../../figures.ts"
import { NO_SERVER, schemaOf, testServer } from "../postgres/postgres-server.ts"
import { bytesOf, emptyState, filledState, readDatabase, readFiles, runMove } from "./moved-state.ts"

/** How many moves are killed, evenly spread over the statements of one. */
const KILLS = Number(process.env.MOVE_KILLS ?? 3)

describe.skipIf(NO_SERVER)(NO_SERVER ?? "into PostgreSQL", () => {
  const server = testServer()

  test("killed at any statement and run again, it ends with the same", {
    timeout: 3_600_000,
  }, async (context) => {
    const files = await filledState()
    const before = bytesOf(files)
    const whole = JSON.parse(await runMove(files, server.newUrl()))
    const { statements } = whole
    const continued: number[] = []
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const url = server.newUrl()
      const last = Math.floor((statements * kill) / (KILLS + 1))
      expect(await runMove(files, url, last)).toBe("")
      const again = JSON.parse(await runMove(files, url))
      expect({ last, tables: again.tables }).toEqual({ last, tables: whole.tables })
      expect(await readDatabase(url)).toEqual(await readFiles(files))
      continued.push(again.continued)
      await server.sql(`DROP SCHEMA ${schemaOf(url)} CASCADE`)
    }
    noteFigures(context, { kills: continued.length })
    // Otherwise, nothing was continued.
    expect(continued.some((rows) => rows > 0)).toBe(true)
    expect(bytesOf(files)).toEqual(before)
  })

  test("while a move is unfinished, no agent uses the database; afterwards it does", async () => {
    const [files, url] = [await filledState(), server.newUrl()]
    await stoppedAt(files, url, "inbox")
    await expect(openPostgresStore(url)).rejects.toMatchObject({
      code: "unfinished-move",
      message: expect.stringMatching(/^a move of files into postgres:\/\/postgres@.* has not finished$/),
    })
    expect(await moveState({ files, url, isDry: true })).toMatchObject({ kind: "planned", continued: 14 })
    expect(await moveState({ files, url })).toMatchObject({ kind: "moved", continued: 14 })
    expect(await readDatabase(url)).toEqual(await readFiles(files))
  })

  test("if the files were used since, it begins again", async () => {
    const [files, url] = [await filledState(), server.newUrl()]
    await stoppedAt(files, url, "inbox")
    const store = await openStore(files.store)
    await store.notices.add({ agent: "main", who: "x", trust: "full", session: "s", text: "Changed." })
    await store.close()
    expect(await moveState({ files, url })).toMatchObject({ kind: "moved", continued: 0 })
    expect(await readDatabase(url)).toEqual(await readFiles(files))
  })

  test("rows that others wrote into an unfinished copy are not taken for its own", async () => {
    const [files, url] = [await filledState(), server.newUrl()]
    await stoppedAt(files, url, "inbox")
    await server.sql(`INSERT INTO ${schemaOf(url)}.task_ids VALUES ('main', 'x', 1)`)
    await expect(moveState({ files, url })).rejects.toMatchObject({
      code: "database-not-empty",
      message: expect.stringMatching(/ has other data in task_ids$/),
    })
  })

  test("the server restarts in between: the move waits for it", async () => {
    const [files, url] = [await filledState(), server.newUrl()]
    let restarted: Promise<void> | undefined
    const onProgress = () => {
      restarted ??= server.stop().then(() => server.start())
    }
    const { kind } = await moveState({ files, url, onProgress })
    await restarted
    expect(kind).toBe("moved")
    expect(await readDatabase(url)).toEqual(await readFiles(files))
  })

  test("files of 0.1.0 arrive as they are read, and are not even migrated", async () => {
    const { store } = emptyState()
    const folder = join(store, "..")
    bringState(folder)
    const files = {
      store: join(folder, ".incipit", "agent.db"),
      record: join(folder, ".incipit", "record.db"),
    }
    const url = server.newUrl()
    const before = bytesOf({ ...emptyState(), ...files })
    expect(await moveState({ files, url })).toMatchObject({ kind: "moved" })
    expect(bytesOf({ ...emptyState(), ...files })).toEqual(before)
    const [copy, file] = [await openPostgresStore(url), await openStore(files.store)]
    try {
      const [session] = await copy.sessions.list("main")
      expect(session).toMatchObject({ turns: 3, title: "Hello there, who are you?" })
      const id = session?.id ?? ""
      expect(await copy.sessions.get(id)).toEqual(await file.sessions.get(id))
      expect(await copy.transcripts.read(id)).toEqual(await file.transcripts.read(id))
      expect(await copy.inbox.unfinished(id)).toEqual(await file.inbox.unfinished(id))
      expect(await copy.schedule.added("main")).toEqual(await file.schedule.added("main"))
    } finally {
      await Promise.all([copy.close(), file.close()])
    }
  })
})

/** Copies up to a table, and stops there. */
async function stoppedAt(files: StateFiles, url: string, table: string): Promise<void> {
  const onProgress = (progress: { readonly table: string }) => {
    if (progress.table === table) throw new Error("stopped")
  }
  await expect(moveState({ files, url, onProgress })).rejects.toThrow("stopped")
}
