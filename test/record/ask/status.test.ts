import { expect, test } from "vitest"
import { statusOf } from "../../../src/record/ask/status.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { withRecord, write } from "../open.ts"

const now = Date.parse("2026-11-15T12:00:00Z")
const hour = 3_600_000
const event = (
  type: RecordEvent["type"],
  hoursAgo: number,
  more: Partial<RecordEvent> = {},
): RecordEvent => ({
  type,
  at: now - hoursAgo * hour,
  ...more,
})

test("channels, sessions, errors and the record itself, at one moment", async () => {
  await withRecord(async (record) => {
    await write(record, [
      event("message_received", 300, { channel: "signal", session: "old" }),
      event("channel_error", 200, { channel: "signal", error: "long ago" }),
      event("channel_error", 3, { channel: "telegram:1", error: "first" }),
      event("channel_error", 2, { channel: "telegram:1", error: "second" }),
      event("message_sent", 1, { channel: "telegram:1", session: "one", user: "alice" }),
      event("turn_started", 5, { session: "two" }),
      ...Array.from({ length: 12 }, (_, at) => event("tool_error", 30 + at, { error: `${at}` })),
    ])
    const health = record.health()
    const {
      errors,
      record: own,
      prices,
      ...rest
    } = await record.read((store) => statusOf(store, { now, health }))
    expect(rest).toEqual({
      windowMs: 24 * hour,
      channels: [
        {
          channel: "signal",
          lastMessageAt: now - 300 * hour,
          errors: 0,
          lastError: undefined,
          lastErrorAt: undefined,
        },
        {
          channel: "telegram:1",
          lastMessageAt: now - hour,
          errors: 2,
          lastError: "second",
          lastErrorAt: now - 2 * hour,
        },
      ],
      sessions: [
        { session: "one", lastAt: now - hour, events: 1 },
        { session: "two", lastAt: now - 5 * hour, events: 1 },
      ],
    })
    expect(errors.map(({ error }) => error)).toEqual(["second", "first", ..."01234567"])
    expect(own?.health).toEqual({ waiting: 0, dropped: 0, lastError: undefined })
    expect(own?.oldestAt).toBe(now - 300 * hour)
    expect((own?.bytes ?? 0) + (own?.logBytes ?? 0)).toBeGreaterThan(4096)
    expect(prices.map(({ ageDays }) => ageDays)).toEqual([38, 45, 86])
  })
})

test("of an empty record there is nothing to tell but that it is there", async () => {
  await withRecord(async (record) => {
    const status = await record.read((store) => statusOf(store, { now, health: record.health() }))
    expect([status.channels, status.sessions, status.errors, status.record?.oldestAt]).toEqual([
      [],
      [],
      [],
      undefined,
    ])
  })
})

test("others get no figures that everybody's events move", async () => {
  await withRecord(async (record) => {
    await write(record, [event("message_sent", 1, { channel: "signal", session: "one", user: "bob" })])
    const sight = { session: "two", user: "alice", trust: "full" } as const
    const status = await record.read((store) => statusOf(store, { now, health: record.health(), sight }))
    expect([status.channels, status.sessions, status.errors, status.record]).toEqual([[], [], [], undefined])
  })
})
