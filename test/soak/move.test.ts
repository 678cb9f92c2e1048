// A store with many sessions and a record with many events, moved into PostgreSQL by processes that are killed again and
// again: in the end, both sides have the same digests and give the same answers.
import process from "node:process"
import { describe, expect, test } from "vitest"
import { moveState } from "../../src/database/move/move-state.ts"
import { openPostgresStore } from "../../src/database/postgres/agent/open-store.ts"
import { openPostgresRecord } from "../../src/database/postgres/record/open-record.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { costs } from "../../src/record/ask/cost.ts"
import { queryEvents } from "../../src/record/ask/logs.ts"
import { recordInto } from "../../src/record/write/record.ts"
import { KEY, reply, said } from "../database/contract/agent-store-contract.ts"
import { emptyState, runMove } from "../database/move/moved-state.ts"
import { NO_SERVER, testServer } from "../database/postgres/postgres-server.ts"
import { noteFigures } from "../figures.ts"
import { event, NOON } from "../record/record-file.ts"

const SESSIONS = Number(process.env.MOVE_SESSIONS ?? 1_000)
const EVENTS = Number(process.env.MOVE_EVENTS ?? 1_000_000)
/** Each process is killed at this statement; a tenth of what the whole takes, or less. */
const KILLED_AT = Math.max(150, Math.floor(EVENTS / 1_500))
const TYPES = ["tool_call", "api_call", "message_received"] as const
const WORDS = ["alpha", "beta", "Größe", "日本語"]

async function fillSessions(path: string): Promise<void> {
  const store = await openStore(path)
  for (let at = 0; at < SESSIONS; at += 1) {
    const session = `s${at}`
    await store.sessions.create(session, { ...KEY, who: `person:${at % 97}` })
    const claimed = await store.sessions.claim(session, { owner: "a", leaseMs: 60_000 })
    if (claimed.kind !== "claimed") throw new Error("nobody else is there")
    for (const turn of [`t${at}`, `u${at}`]) {
      const message = { text: `Message of ${turn}` }
      await store.inbox.receive({ id: turn, turn, session, message, takenBy: "a" })
      await store.inbox.begin(claimed.lease, turn)
      const append = [said(turn), said("x".repeat(500))]
      await store.inbox.finish(claimed.lease, { turn, append }, reply(turn, { session }))
    }
    await store.sessions.release(claimed.lease)
  }
  await store.close()
}

async function fillEvents(path: string): Promise<void> {
  const recorder = recordInto(openRecordFile(path))
  for (let at = 0; at < EVENTS; at += 1) {
    const usage = { uncached: at % 1_000, read: 1_024, write: {}, output: at % 50 }
    recorder.append(
      event({
        type: TYPES[at % TYPES.length] ?? "tool_call",
        at: NOON + at * 1_000,
        ...{ session: `s${at % SESSIONS}`, turn: `t${at % 50_000}`, trace: `x${at % 50_000}`, usage },
        ...{ model: "m", costUsd: 0.25, data: { text: WORDS[at % WORDS.length], at } },
        ...(at % 20 === 0 && { level: "error", error: `failed at ${at}` }),
      }),
    )
    if (at % 2_000 === 0) await recorder.flush()
  }
  await recorder.close()
}

async function answers(
  store: Awaited<ReturnType<typeof openStore>>,
  record: ReturnType<typeof openRecordFile>,
): Promise<unknown> {
  const sessions = await store.sessions.list("main")
  const transcripts: unknown[] = []
  for (const { id } of sessions.slice(0, 50)) transcripts.push(await store.transcripts.read(id))
  return {
    ...{ sessions, transcripts },
    unsent: await store.outbox.unsent("main"),
    newest: await queryEvents(record, { limit: 200 }),
    errors: await queryEvents(record, { level: "error", session: "s0" }),
    found: await queryEvents(record, { text: "grosse" }),
    days: await costs(record, { by: "day", timeZone: "UTC", sight: undefined }),
    status: [await record.events.sessions(0), await record.events.oldest(), await record.events.lastId()],
  }
}

describe.skipIf(NO_SERVER)(NO_SERVER ?? "into PostgreSQL", () => {
  const server = testServer()

  test(`${SESSIONS} sessions and ${EVENTS} events, killed again and again`, async (context) => {
    const files = emptyState()
    await fillSessions(files.store)
    await fillEvents(files.record)
    const began = performance.now()
    const whole = await moveState({ files, url: server.newUrl() })
    const seconds = Math.round((performance.now() - began) / 1_000)
    const url = server.newUrl()
    let kills = 0
    let printed = ""
    for (; printed === ""; kills += 1) {
      printed = await runMove(files, url, KILLED_AT)
      // What is compared at the end takes longer than one of them lives.
      if (printed === "" && kills >= 9) printed = await runMove(files, url)
    }
    const { tables, continued } = JSON.parse(printed)
    expect(tables).toEqual(whole.tables)
    noteFigures(context, {
      rows: tables.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0),
      ...{ kills, "rows found by the last": continued, "seconds without a kill": seconds },
    })
    const [file, copy] = [await openStore(files.store), await openPostgresStore(url)]
    const [log, logCopy] = [openRecordFile(files.record), await openPostgresRecord(url)]
    expect(await answers(copy, logCopy)).toEqual(await answers(file, log))
    await Promise.all([file.close(), copy.close(), log.close(), logCopy.close()])
  })
})
