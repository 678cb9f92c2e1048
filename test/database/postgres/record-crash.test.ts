// What survives when a process that writes is killed, or the server is away for a while.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, onTestFinished, test } from "vitest"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import { recordInto } from "../../../src/record/write/record.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

/** Kills it as soon as it has said so many times that something was written. Returns what it said. */
async function killedAfter(count: number, url: string, name: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "record-writer.ts"), url, name], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (said.length === count) child.kill("SIGKILL")
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "close")
  expect(child.signalCode).toBe("SIGKILL")
  return said
}

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()

  test("writers that are killed lose nothing that was flushed, and leave no half of a batch", async () => {
    const url = server.newUrl()
    const store = await openPostgresRecord(url)
    onTestFinished(() => store.close())
    const said = await Promise.all([1, 7, 20].map((count, at) => killedAfter(count, url, `writer ${at}`)))
    const rows = await store.events.written(
      {},
      { after: 0, upTo: await store.events.lastId(), limit: 10_000 },
    )
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_row, at) => at + 1))
    const spans = rows.flatMap(({ span_id }) => span_id ?? [])
    expect(new Set(spans).size).toBe(spans.length)
    expect(said.flat().filter((span) => !spans.includes(span))).toEqual([])
    const { total, turns } = await store.costs({ by: "turn" })
    const half = rows.length / 2
    expect([spans.length, total?.calls, turns.count, total?.costUsd]).toEqual([half, half, half, half / 2])
  })

  test("while the server is away, nobody waits and nothing is lost", async () => {
    const record = recordInto(await openPostgresRecord(server.newUrl()))
    const append = (span: string) => record.append({ type: "tool_call", at: Date.UTC(2026, 10, 15), span })
    append("before")
    await record.flush()
    await server.stop()
    append("meanwhile")
    expect(await record.flushIfFree()).toBe(false)
    append("meanwhile, too")
    await server.start()
    while (record.health().waiting > 0) await record.flush()
    const rows = await record.read((store) => store.events.written({}, { after: 0, upTo: 9, limit: 9 }))
    expect(rows.map(({ span_id }) => span_id)).toEqual(["before", "meanwhile", "meanwhile, too"])
    expect(record.health()).toMatchObject({ waiting: 0, dropped: 0 })
    await record.close()
  }, 120_000)
})
