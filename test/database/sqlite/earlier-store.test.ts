// A store that Incipit 0.1.0 wrote: it opens, everything in it is read, and conversations go on.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { bringState } from "../../agent/adopt/adopted-state.ts"
import { reply, said } from "../contract/agent-store-contract.ts"

const SESSION = "01kv519290k5akccq0p9"

test("a store of 0.1.0 opens, is read, and continues", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-earlier-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  bringState(folder)
  const store = await openStore(join(folder, ".incipit", "agent.db"))
  onTestFinished(() => store.close())
  const [session] = await store.sessions.list("main")
  expect(session).toMatchObject({ id: SESSION, turns: 3, title: "Hello there, who are you?" })
  expect((await store.transcripts.read(SESSION)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect((await store.tasks.list({ agent: "main", who: "owner", trust: "full" }))[0]?.title).toBe(
    "Oil the hinge",
  )
  expect((await store.schedule.added("main")).map(({ run }) => run)).toEqual(["What is on today?"])
  expect(await store.inbox.next(SESSION)).toMatchObject({ turn: "turn-waits", order: 3 })
  // Its holder is gone: another one takes over.
  const held = await store.sessions.claim(SESSION, { owner: "a", leaseMs: 1_000 })
  if (held.kind !== "held") throw new Error("it was left held")
  const claimed = await store.sessions.claim(SESSION, { owner: "a", leaseMs: 1_000, deadOwners: [held.by] })
  if (claimed.kind !== "claimed") throw new Error("it is not claimed")
  const { lease } = claimed
  await store.inbox.begin(lease, "turn-waits")
  const [added] = await store.transcripts.change(lease, { turn: "turn-waits", append: [said("It is.")] })
  expect(added?.seq).toBe(6)
  await store.inbox.finish(lease, { turn: "turn-waits" }, reply("turn-waits", { session: SESSION }))
  const next = { id: "m", turn: "t", session: SESSION, message: { text: "And now?" }, takenBy: "a" }
  expect(await store.inbox.receive(next)).toMatchObject({ order: 4, state: "waiting" })
})

/** Before messages could join a turn, calls were reserved, and files were stored apart. */
const BEFORE_JOINING = STORE_MIGRATIONS.findIndex((sql) => sql.includes("ADD COLUMN steers"))

test("a store from before files were stored apart opens with all that it has, and continues", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-earlier-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, "agent.db")
  const earlier = openDatabase(path, { migrations: STORE_MIGRATIONS.slice(0, BEFORE_JOINING) })
  const file = { mediaType: "image/png", data: "AAAA" }
  const part = { kind: "native", format: "file", value: { type: "file", ...file } }
  const item = { kind: "message", message: { role: "user", parts: [part] } }
  earlier.run(
    `INSERT INTO sessions (id, key, agent, who, situation, trust, mode, created_at, used_at, state, last_item, last_message)
    VALUES ('s', 'k', 'main', 'owner', 'dm', 'full', 'full', 1, 1, '{}', 1, 1)`,
  )
  earlier.run(
    `INSERT INTO inbox (message_id, session_id, turn_id, at, message, taken_by, state, seq)
    VALUES ('m', 's', '1', 1, ?, 'a', 'waiting', 1)`,
    JSON.stringify({ text: "Look.", files: [file] }),
  )
  earlier.run("INSERT INTO items (session_id, at, item, seq) VALUES ('s', 1, ?, 1)", JSON.stringify(item))
  earlier.run("INSERT INTO spending VALUES ('c', 'main', 'owner', '1', 1, 0.5)")
  earlier.close()
  const store = await openStore(path, { now: () => 2 })
  onTestFinished(() => store.close())
  expect(await store.inbox.next("s")).toMatchObject({
    ...{ turn: "1", state: "waiting", steers: false, into: undefined },
    message: { text: "Look.", files: [file] },
  })
  expect((await store.transcripts.read("s"))[0]?.item).toEqual(item)
  const spent = { costUsd: 0.5, tokens: 0, calls: 1, unpriced: 0, open: 0 }
  expect(await store.spending.sum({})).toEqual(spent)
  await store.transcripts.fork("s", { as: "f", upTo: 1 })
  expect((await store.transcripts.read("f"))[0]?.item).toEqual(item)
})
