// An agent's store with rows of every kind, and everything that can be read from one.
import { digest } from "../../../src/base/digest.ts"
import type { Baseline } from "../../../src/core/epoch/epoch.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import type { Lease } from "../../../src/database/contract/lease.ts"
import { KEY, reply, said } from "../contract/agent-store-contract.ts"

const WHOSE = { agent: "main", who: "owner" } as const
const AT_TRUST = { ...WHOSE, trust: "full" } as const
const HOUR_MS = 3_600_000
const PNG = { mediaType: "image/png", data: Buffer.from([0, 1, 2, 255]).toString("base64"), name: "a.png" }

const BASELINE: Baseline = {
  ...{ epoch: 1, reason: "new", profile: "pi", model: undefined, tools: digest("none") },
  ratio: { factor: 1, exact: true },
  audience: { trust: "full", situation: "dm", mode: "full" },
  ...{ entries: [], blocks: [] },
}

export async function fillStore(store: AgentStore): Promise<void> {
  const lease = await fillConversation(store)
  await fillPersonal(store)
  await fillServing(store)
  await store.sessions.rebase("main", "instructions")
  await store.sessions.renew(lease, HOUR_MS)
}

async function take(store: AgentStore, turn: string, more: object = {}): Promise<void> {
  const message = { text: `Größe\u0000 of ${turn}`, ...more }
  await store.inbox.receive({ id: `m-${turn}`, turn, session: "s", message, takenBy: "a" })
}

async function fillConversation(store: AgentStore): Promise<Lease> {
  await store.sessions.create("s", KEY)
  await store.sessions.create("r", { ...KEY, who: "person:bob", entry: "daily" })
  const claimed = await store.sessions.claim("s", { owner: "a", leaseMs: HOUR_MS })
  if (claimed.kind !== "claimed") throw new Error("nobody else holds it")
  const { lease } = claimed
  await take(store, "t1", { files: [PNG], channel: "mail" })
  await store.inbox.begin(lease, "t1")
  await store.results.keep(lease, { name: "long", trust: "inner", text: "x".repeat(5_000) })
  const append = [said("one"), said("two \u2028 \ud83d\ude00"), said("three")]
  await store.transcripts.change(lease, { turn: "t1", append, baseline: BASELINE })
  await store.inbox.finish(lease, { turn: "t1", past: [1] }, reply("t1"))
  await store.outbox.markSent("t1")
  await store.transcripts.fork("s", { as: "f", upTo: 2 })
  for (const turn of ["t2", "t3", "t4"]) await take(store, turn)
  await store.inbox.begin(lease, "t2")
  await store.inbox.finish(lease, { turn: "t2" }, reply("t2"))
  await store.inbox.begin(lease, "t3")
  await store.runs.start(lease, { turn: "t3", call: "c1" })
  await store.runs.finish(lease, { turn: "t3", call: "c1" }, { text: "done", isError: false })
  await store.runs.start(lease, { turn: "t3", call: "c2" })
  const wait = { id: "w1", kind: "approval", request: '{"tool":"x"}', expiresInMs: HOUR_MS } as const
  await store.waits.suspend(lease, { turn: "t3", on: [wait] })
  await store.inbox.stop("t4")
  const again = await store.sessions.claim("s", { owner: "b", leaseMs: HOUR_MS })
  return again.kind === "claimed" ? again.lease : lease
}

async function fillPersonal(store: AgentStore): Promise<void> {
  await store.notices.add({ ...AT_TRUST, session: "s", text: "Look at this." })
  await store.notices.see(AT_TRUST)
  await store.notices.add({ ...AT_TRUST, session: "s", text: "And this." })
  await store.tasks.write({ ...AT_TRUST, by: "Ada" }, { title: "Oil the hinge", steps: [] }, 9)
  await store.workflows.put(WHOSE, { name: "ship", current: 1, step: "build" })
  await store.writingHabits.replace(WHOSE, undefined, '{"short":true}')
  await store.bulletins.write(AT_TRUST, { lines: ["a"], entries: ["b"], by: "rule" })
  await store.schedule.add("main", { cron: "0 9 * * *", run: "Water the plants" })
  const gone = await store.schedule.add("main", { cron: "0 9 * * *", run: "This one goes" })
  await store.schedule.remove("main", gone.id)
  await store.schedule.settled("main", ["c-daily"])
  const scheduleRun = { agent: "main", entry: "c-daily", due: 1_000 }
  const run = { id: "m-run", turn: "run", session: "r", message: { text: "Run" }, takenBy: "a" }
  await store.inbox.receive(run, { scheduleRun })
}

async function fillServing(store: AgentStore): Promise<void> {
  const token = { user: "ada", situation: "dm", scopes: ["talk"], name: "laptop" } as const
  await store.tokens.add({ ...token, id: "k1", hash: "h1" })
  await store.tokens.add({ ...token, id: "k2", hash: "h2", expiresInMs: HOUR_MS })
  await store.tokens.revoke("k2")
  const pairing = { channel: "mail", expiresInMs: HOUR_MS, mostOpen: 9 }
  await store.pairings.ask({ ...pairing, sender: "x", hash: "p1", label: "X" })
  await store.pairings.ask({ ...pairing, sender: "y", hash: "p2" })
  await store.pairings.confirm({ hash: "p2", user: "ada", mostWrong: 3 })
  await store.channels.settle({ channel: "mail", id: "1", offset: "2" })
  const deliveries = ["d1", "d2"].map((id) => ({ id, channel: "mail", to: "x", body: `"${id}"`, turn: "t1" }))
  await store.deliveries.add(deliveries)
  await store.deliveries.take("mail", HOUR_MS)
  await store.deliveries.delivered("d1", "sent-1")
  await store.places.remember({ session: "s", seq: 2, turn: "t1", response: "resp", digest: "dig" })
  const question = { id: "q1", agent: "main", session: "s", from: '{"user":"ada"}', request: "{}" }
  await store.questions.ask({ ...question, expiresInMs: HOUR_MS })
  const request = { caller: "ada", key: "k", digest: "d", turn: "t1" }
  await store.requests.begin({ ...request, leaseMs: HOUR_MS, expiresInMs: HOUR_MS })
  await store.requests.answer({ caller: "ada", key: "k" }, '{"text":"hi"}')
  await store.spending.add({ ...WHOSE, id: "c1", turn: "t1", costUsd: 0.1 + 0.2, tokens: 42 })
  await store.spending.reserve(
    { ...WHOSE, id: "c2", turn: "t2", costUsd: null, tokens: 9, leaseMs: HOUR_MS },
    [],
  )
}

/** What every question about the store gives, without changing it. */
export async function readStore(store: AgentStore): Promise<unknown> {
  const turns = ["t1", "t2", "t3", "t4", "run"]
  const each = async <T>(names: readonly string[], ask: (name: string) => Promise<T>) => {
    const found: T[] = []
    for (const name of names) found.push(await ask(name))
    return found
  }
  return {
    sessions: await each(["s", "r", "f"], (id) => store.sessions.get(id)),
    listed: await store.sessions.list("main"),
    transcripts: await each(["s", "r", "f"], (id) => store.transcripts.read(id)),
    branches: await store.transcripts.branches("s"),
    messages: await each(turns, (turn) => store.inbox.message(turn)),
    unfinished: await each(["s", "r"], (id) => store.inbox.unfinished(id)),
    toStop: await store.inbox.toStop("main"),
    replies: await each(turns, (turn) => store.outbox.reply(turn)),
    unsent: await store.outbox.unsent("main"),
    ran: await each(turns, (turn) => store.runs.any(turn)),
    long: await store.results.read({ session: "s", trust: "full" }, "long"),
    waits: await store.waits.open("main", "approval"),
    ...(await readPersonal(store)),
    ...(await readServing(store)),
  }
}

async function readPersonal(store: AgentStore): Promise<object> {
  return {
    lastNotice: await store.notices.last(WHOSE),
    tasks: await store.tasks.list(AT_TRUST),
    workflow: await store.workflows.get(WHOSE),
    habits: await store.writingHabits.read(WHOSE),
    bulletin: await store.bulletins.read(AT_TRUST),
    schedule: await store.schedule.added("main"),
    run: await store.schedule.last("main", "c-daily"),
  }
}

async function readServing(store: AgentStore): Promise<object> {
  return {
    tokens: await store.tokens.list(),
    pairings: [await store.pairings.open(), await store.pairings.paired()],
    offset: await store.channels.offset("mail"),
    arrival: await store.channels.arrival("mail", "1"),
    deliveries: [await store.deliveries.get("d1"), await store.deliveries.get("d2")],
    place: await store.places.byResponse(KEY, "resp"),
    questions: await store.questions.open(),
    spending: await store.spending.sum({}),
  }
}
