// How the store finds what it is asked for: with an index wherever there may be many rows.
import { expect, test, vi } from "vitest"
import { testStore } from "../../agent/world/temporary-store.ts"

test("sessions, open messages and unsent answers are found without looking at every message", async () => {
  const { store, database } = testStore()
  const asked = vi.spyOn(database, "all")
  await store.sessions.list("main")
  const key = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" } as const
  await store.sessions.list("main", { key, limit: 10, after: { usedAt: 1, id: "s" } })
  await store.inbox.open("main")
  await store.inbox.openBeside("main", "a")
  await store.outbox.unsent("main")
  await store.inbox.toStop("main")
  const calls = [...asked.mock.calls]
  const plans = calls.map(([sql, ...values]) =>
    database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail),
  )
  expect(plans).toMatchInlineSnapshot(`
    [
      [
        "SEARCH sessions USING INDEX idx_sessions_agent (agent=?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH inbox USING COVERING INDEX idx_inbox_session (session_id=?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH inbox USING INDEX idx_inbox_session (session_id=?)",
      ],
      [
        "SEARCH sessions USING INDEX idx_sessions_key (key=? AND used_at<?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH inbox USING COVERING INDEX idx_inbox_session (session_id=?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "SEARCH inbox USING INDEX idx_inbox_session (session_id=?)",
        "USE TEMP B-TREE FOR LAST TERM OF ORDER BY",
      ],
      [
        "SCAN inbox USING INDEX idx_inbox_unfinished",
        "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)",
      ],
      [
        "SCAN inbox USING INDEX idx_inbox_unfinished",
        "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)",
      ],
      [
        "SCAN outbox USING INDEX idx_outbox_open",
        "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)",
        "SEARCH inbox USING INDEX sqlite_autoindex_inbox_2 (turn_id=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
      [
        "SCAN inbox USING INDEX idx_inbox_stopping",
        "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)",
      ],
    ]
  `)
})

test("what every request, message and delivery asks is found with an index", async () => {
  const { store, database } = testStore()
  const asked = vi.spyOn(database, "get")
  const key = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" } as const
  await store.tokens.valid("hash")
  await store.channels.arrival("telegram", "1")
  await store.channels.arrivalOf("1")
  await store.places.byResponse(key, "resp_1")
  await store.places.byDigest(key, ["digest"])
  await store.deliveries.take("telegram", 1)
  await store.deliveries.nextDueInMs("telegram")
  await store.deliveries.sentAs("telegram", "1")
  await store.spending.sum({ who: "owner", withinMs: 1 })
  await store.spending.sum({ turn: "1" })
  await store.sessions.create("s", key)
  const claimed = await store.sessions.claim("s", { owner: "a", leaseMs: 1_000 })
  if (claimed.kind !== "claimed") throw new Error("it is free")
  const files = [{ mediaType: "image/png", data: "AAAA" }]
  const message = { id: "1", turn: "1", session: "s", message: { text: "1", files }, takenBy: "a" }
  await store.inbox.receive(message, { steers: true, arrival: { channel: "telegram", id: "2" } })
  await store.steering.take(claimed.lease, "1")
  await store.requests.begin({ caller: "a", key: "k", digest: "", turn: "1", leaseMs: 1, expiresInMs: 1 })
  const changed = vi.spyOn(database, "run")
  await store.transcripts.change(claimed.lease, { turn: "1" })
  await store.inbox.move(claimed.lease, { turn: "1", to: "s" }, { was: {}, now: {} })
  await store.spending.settle("1", { costUsd: 1, tokens: 1 })
  await store.deliveries.delivered("1")
  const plans = [...asked.mock.calls, ...changed.mock.calls].map(([sql, ...values]) =>
    database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail)),
  )
  expect(plans.length).toBeGreaterThan(20)
  expect(plans.flat().filter((detail) => detail.startsWith("SCAN"))).toEqual([])
})
