// A process that does with the store what serving one message does, and kills itself before the n-th statement, also
// within a transaction. Run again without a number, it goes on and completes.
import process from "node:process"
import type { AgentStore } from "../../src/database/contract/agent-store.ts"
import type { Lease } from "../../src/database/contract/lease.ts"
import type { SessionKey } from "../../src/database/contract/sessions.ts"
import type { Item } from "../../src/database/contract/transcripts.ts"
import { agentStoreIn } from "../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../src/database/sqlite/agent/file/schema.ts"
import type { Database } from "../../src/database/sqlite/database.ts"
import { openDatabase } from "../../src/database/sqlite/open-database.ts"

const KEY: SessionKey = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" }
const BOB: SessionKey = { ...KEY, who: "person:bob" }
/** Whoever was killed has lost its leases when the next process begins. */
const LEASE_MS = 1

const fileOf = (text: string) => ({
  ...{ mediaType: "image/png", data: Buffer.from(text).toString("base64") },
})

function said(text: string): Item {
  const value = { type: "file", ...fileOf(text) }
  const parts = [{ kind: "text", text } as const, { kind: "native", format: "file", value } as const]
  return { kind: "message", message: { role: "user", parts } }
}

function dying(database: Database, last: number): Database {
  let count = 0
  const counted =
    <Given extends readonly unknown[], T>(make: (...given: Given) => T) =>
    (...given: Given): T => {
      count += 1
      if (count === last) process.kill(process.pid, "SIGKILL")
      return make(...given)
    }
  return { ...database, run: counted(database.run), get: counted(database.get), all: counted(database.all) }
}

/** Messages, of which the second joins the turn of the first, with files. */
async function answer(store: AgentStore): Promise<void> {
  // Later, the fork is the one that was used last.
  const session = (await store.sessions.get("s")) ?? (await store.sessions.create("s", KEY))
  /** From where the channel was read, as a channel does. */
  const receive = async (turn: string) => {
    if (Number(await store.channels.offset("telegram")) >= Number(turn)) return
    await store.inbox.receive(
      {
        ...{ id: turn, turn, session: session.id, takenBy: "a" },
        message: { text: turn, files: [fileOf(turn)] },
      },
      { arrival: { channel: "telegram", id: turn, offset: turn }, steers: true },
    )
  }
  await receive("1")
  const lease = await claim(store, session.id)
  if ((await store.inbox.message("1"))?.state !== "done") await workOn(store, lease, () => receive("2"))
  await store.sessions.release(lease)
  if ((await store.transcripts.branches(session.id)).length === 0)
    await store.transcripts.fork(session.id, { as: "f", upTo: 1, append: [said("left")] })
}

async function claim(store: AgentStore, session: string): Promise<Lease> {
  for (;;) {
    const claimed = await store.sessions.claim(session, { owner: `${process.pid}`, leaseMs: LEASE_MS })
    if (claimed.kind === "claimed") return claimed.lease
  }
}

async function workOn(store: AgentStore, lease: Lease, another: () => Promise<unknown>): Promise<void> {
  const { session } = lease
  await store.inbox.begin(lease, "1")
  if ((await store.transcripts.begins(session, "1")) === undefined)
    await store.transcripts.change(lease, { turn: "1", append: [said("1")] })
  const call = { id: "c", agent: "main", who: "owner", turn: "1", costUsd: 0.5, tokens: 50 }
  await store.spending.reserve({ ...call, leaseMs: LEASE_MS }, [{ who: "owner", mostUsd: 0.6 }])
  await another()
  const taken = await store.steering.take(lease, "1")
  if (taken.length > 0)
    await store.transcripts.change(lease, {
      ...{ turn: "1", append: taken.map(({ message }) => said(message.text)) },
      joined: taken.map(({ turn }) => turn),
    })
  await store.spending.settle("c", { costUsd: 0.4, tokens: 40 })
  const cost = { usage: { uncached: 0, read: 0, write: {}, output: 0 }, costUsd: 0.4, isSimulated: false }
  const reply = {
    state: "answered",
    text: "Done.",
    turn: "1",
    session,
    steps: 2,
    cost,
    durationMs: 0,
  } as const
  await store.inbox.finish(lease, { turn: "1", append: [said("Done.")] }, reply)
}

async function deliver(store: AgentStore): Promise<void> {
  const part = { channel: "telegram", to: "7", body: "{}", turn: "1" }
  await store.deliveries.add(["a", "b"].map((id) => ({ ...part, id })))
  while ((await store.deliveries.nextDueInMs("telegram")) !== undefined) {
    const delivery = await store.deliveries.take("telegram", LEASE_MS)
    if (delivery !== undefined) await store.deliveries.delivered(delivery.id, `sent ${delivery.id}`)
  }
  await store.outbox.markSent("1")
}

/** A request with a key, a sender who is paired, and a person who is erased. */
async function others(store: AgentStore): Promise<void> {
  const key = { caller: "t", key: "k" }
  const request = { ...key, digest: "d", turn: "1", leaseMs: LEASE_MS, expiresInMs: 1_000_000_000 }
  while ((await store.requests.begin(request)).kind !== "answered") await store.requests.answer(key, "{}")
  const ask = { channel: "telegram", sender: "1", hash: "h", expiresInMs: 1_000_000_000, mostOpen: 1 }
  if ((await store.pairings.ask(ask)) !== "paired")
    await store.pairings.confirm({ hash: "h", user: "ada", mostWrong: 9 })
  await store.tokens.add({ id: "t", hash: "h", user: "bob", situation: "dm", scopes: ["talk"], name: "x" })
  const { session } = await store.sessions.currentOrNew(BOB, "b")
  const files = [fileOf("1"), fileOf("bob's")]
  await store.inbox.receive({
    ...{ id: "b", turn: "b", session: session.id, message: { text: "b", files }, takenBy: "a" },
  })
  await store.upkeep.erase([BOB.who])
}

if (import.meta.main) {
  const [, , path = "", last = "0"] = process.argv
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS })
  const store = agentStoreIn(dying(database, Number(last)), () => Date.now())
  await answer(store)
  await deliver(store)
  await others(store)
  await store.close()
  process.stdout.write("completed")
}
