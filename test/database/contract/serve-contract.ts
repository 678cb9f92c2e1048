// What every agent store promises to those who serve people: tokens, pairing, places in conversations, idempotency keys
// and spending.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { NewToken } from "../../../src/database/contract/serve/tokens.ts"
import { held, KEY, type OpenEmpty, reply, said } from "./agent-store-contract.ts"

const LAPTOP: NewToken = {
  ...{ id: "t1", hash: "aa", user: "bo", situation: "dm", scopes: ["talk", "read"], name: "laptop" },
}

export function tokensContract(open: OpenEmpty): void {
  test("a token is valid until it expires or is revoked, and stays listed", async () => {
    const { store, at } = await held(open)
    at(5)
    const never = { expiresAt: undefined, revokedAt: undefined, lastUsedAt: undefined }
    const laptop = { ...LAPTOP, ...never, createdAt: 5 }
    expect(await store.tokens.add(LAPTOP)).toEqual(laptop)
    const phone = { ...LAPTOP, id: "t2", hash: "bb", expiresInMs: 10 }
    expect(await store.tokens.add(phone)).toMatchObject({ id: "t2", expiresAt: 15 })
    expect(await store.tokens.add({ ...LAPTOP, hash: "cc" })).toBe(undefined)
    expect(await store.tokens.add({ ...LAPTOP, id: "t3" })).toBe(undefined)
    const areValid = () => Promise.all(["t1", "t2", "t9"].map((id) => store.tokens.isValid(id)))
    at(14)
    expect(await areValid()).toEqual([true, true, false])
    expect([await store.tokens.valid("aa"), (await store.tokens.valid("bb"))?.id]).toEqual([laptop, "t2"])
    at(15)
    expect(await areValid()).toEqual([true, false, false])
    expect([await store.tokens.valid("bb"), await store.tokens.valid("cc")]).toEqual([undefined, undefined])
    expect([await store.tokens.revoke("t1"), await store.tokens.revoke("t1")]).toEqual([true, false])
    expect(await store.tokens.revoke("t9")).toBe(false)
    expect(await store.tokens.valid("aa")).toBe(undefined)
    expect(await areValid()).toEqual([false, false, false])
    expect((await store.tokens.list()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
      ["t1", 15],
      ["t2", undefined],
    ])
  })

  test("the last use is written now and then", async () => {
    const { store, at } = await held(open)
    await store.tokens.add(LAPTOP)
    const used = async (now: number) => {
      at(now)
      await store.tokens.markUsed("t1", 60)
      return (await store.tokens.valid("aa"))?.lastUsedAt
    }
    expect([await used(3), await used(62), await used(63), await used(64)]).toEqual([3, 3, 63, 63])
  })
}

export function pairingsContract(open: OpenEmpty): void {
  const ada = { channel: "telegram", sender: "1" }
  const bo = { channel: "telegram", sender: "2" }
  const code = { expiresInMs: 10, mostOpen: 2 }
  const right = { user: "ada", mostWrong: 3 }

  test("a sender gets one code, and is paired by it once", async () => {
    const { store, at } = await held(open)
    const { pairings } = store
    expect(await pairings.ask({ ...ada, ...code, hash: "a", label: "Ada" })).toBe("opened")
    expect(await pairings.ask({ ...ada, ...code, hash: "b" })).toBe("pending")
    expect(await pairings.ask({ ...bo, ...code, hash: "a" })).toBe("code-taken")
    expect(await pairings.open()).toEqual([{ ...ada, label: "Ada", at: 0, expiresAt: 10 }])
    at(9)
    const paired = { ...ada, user: "ada", at: 9 }
    expect(await pairings.find(ada)).toBe(undefined)
    expect(await pairings.confirm({ ...right, hash: "a" })).toEqual(paired)
    expect(await pairings.confirm({ ...right, user: "eve", hash: "a" })).toBe(undefined)
    expect([await pairings.find(ada), await pairings.paired(), await pairings.open()]).toEqual([
      ...[paired, [paired], []],
    ])
    expect(await pairings.find({ ...ada, channel: "signal" })).toBe(undefined)
    expect(await pairings.ask({ ...ada, ...code, hash: "c" })).toBe("paired")
    expect([await pairings.forget(ada), await pairings.forget(ada)]).toEqual([true, false])
    expect(await pairings.find(ada)).toBe(undefined)
  })

  test("a code expires, and a channel has only so many open", async () => {
    const { store, at } = await held(open)
    const { pairings } = store
    await pairings.ask({ ...ada, ...code, hash: "a" })
    await pairings.ask({ ...bo, ...code, hash: "b" })
    expect(await pairings.ask({ ...ada, ...code, sender: "3", hash: "c" })).toBe("too-many")
    expect(await pairings.ask({ ...code, channel: "signal", sender: "3", hash: "c" })).toBe("opened")
    at(10)
    expect(await pairings.confirm({ ...right, hash: "a" })).toBe(undefined)
    expect([await pairings.open(), await pairings.deny(ada)]).toEqual([[], false])
    expect(await pairings.ask({ ...ada, ...code, hash: "a" })).toBe("opened")
  })

  test("wrong codes close those that are open, and a denied sender gets no other", async () => {
    const { store } = await held(open)
    const { pairings } = store
    await pairings.ask({ ...ada, ...code, hash: "a" })
    for (const hash of ["x", "y"]) expect(await pairings.confirm({ ...right, hash })).toBe(undefined)
    await pairings.ask({ ...bo, ...code, hash: "b" })
    expect(await pairings.confirm({ ...right, hash: "z" })).toBe(undefined)
    expect(await pairings.confirm({ ...right, hash: "a" })).toBe(undefined)
    expect((await pairings.open()).map(({ sender }) => sender)).toEqual(["2"])
    expect([await pairings.deny(bo), await pairings.deny(bo)]).toEqual([true, false])
    expect(await pairings.confirm({ ...right, hash: "b" })).toBe(undefined)
    expect(await pairings.ask({ ...bo, ...code, hash: "c" })).toBe("denied")
    expect(await pairings.forget(bo)).toBe(true)
    expect(await pairings.ask({ ...bo, ...code, hash: "c" })).toBe("opened")
  })

  test("a code that may not have arrived is replaced by another, and the first is no longer valid", async () => {
    const { store, at } = await held(open)
    const { pairings } = store
    const ask = (hash: string, replaces: boolean) =>
      pairings.ask({ ...ada, ...code, mostOpen: 1, hash, replaces })
    expect([await ask("a", true), await ask("b", false), await ask("b", true)]).toEqual([
      ...["opened", "pending", "opened"],
    ])
    at(1)
    expect(await pairings.confirm({ ...right, hash: "a" })).toBe(undefined)
    expect(await pairings.confirm({ ...right, hash: "b" })).toMatchObject(ada)
    expect(await ask("c", true)).toBe("paired")
  })
}

export function placesContract(open: OpenEmpty): void {
  test("a place is found by its response and its digest, with the key of its session and no other", async () => {
    const { store, take } = await held(open, "1")
    await store.places.remember({ session: "s", seq: 2, turn: "1", response: "resp_1", digest: "d1" })
    const place = { session: "s", seq: 2, turn: "1", isLast: true }
    expect(await store.places.byResponse(KEY, "resp_1")).toEqual(place)
    expect(await store.places.byDigest(KEY, ["d2", "d1"])).toEqual({ ...place, digest: "d1" })
    const others = [
      { who: "person:bob" },
      { situation: "group" },
      { trust: "inner" },
      { agent: "b" },
    ] as const
    for (const other of others) {
      expect(await store.places.byResponse({ ...KEY, ...other }, "resp_1")).toBe(undefined)
      expect(await store.places.byDigest({ ...KEY, ...other }, ["d1"])).toBe(undefined)
    }
    await take("2")
    expect((await store.places.byResponse(KEY, "resp_1"))?.isLast).toBe(false)
    await store.places.remember({ session: "s", seq: 9, turn: "2", response: "resp_1" })
    expect((await store.places.byResponse(KEY, "resp_1"))?.seq).toBe(2)
  })

  test("the longest prefix wins, then a place that nothing follows, then the newest", async () => {
    const { store, take } = await held(open, "1", "2")
    await store.sessions.create("r", KEY)
    await take("3", "r")
    for (const [session, seq, turn, digest] of [
      ...[["r", 2, "3", "hello"] as const, ["s", 2, "1", "hello"] as const],
      ["s", 4, "2", "hello you"] as const,
    ])
      await store.places.remember({ session, seq, turn, digest })
    const found = async (...digests: readonly string[]) => {
      const place = await store.places.byDigest(KEY, digests)
      return `${place?.session} ${place?.seq} ${place?.isLast}`
    }
    expect(await found("hello you", "hello")).toBe("s 4 true")
    expect(await found("hello me", "hello")).toBe("r 2 true")
    await take("4", "r")
    expect(await found("hello")).toBe("s 2 false")
    expect(await store.places.byDigest(KEY, [])).toBe(undefined)
  })

  test("a fork from before a summary has what was summarised, and one from after it has the summary", async () => {
    const { store, lease } = await held(open, "1")
    const state = { was: {}, now: {} }
    const append = (...texts: readonly string[]) =>
      store.transcripts.change(lease, { turn: "1", append: texts.map(said) })
    await append("a", "b", "refused")
    await store.transcripts.change(lease, { turn: "1", past: [3] })
    const summarise = (known: readonly number[], text: string) =>
      store.transcripts.compact(lease, { known, items: [{ turn: undefined, item: said(text) }], state })
    await summarise([1, 2], "a and b")
    await append("c")
    await summarise([4, 5], "a to c")
    const forked = async (upTo: number) => {
      await store.transcripts.fork("s", { as: `at ${upTo}`, upTo })
      const items = await store.transcripts.read(`at ${upTo}`)
      return items.map(({ item }) => "text" in item && item.text)
    }
    expect([await forked(1), await forked(3), await forked(5), await forked(6)]).toEqual([
      ["a"],
      ["a", "b"],
      ["a and b", "c"],
      ["a to c"],
    ])
  })
}

export function requestsContract(open: OpenEmpty): void {
  const KEYED = { caller: "t1", key: "k" }
  const request = { ...KEYED, digest: "d", turn: "1", leaseMs: 10, expiresInMs: 100 }

  test("a request is carried out once, and its repetition gets the same answer", async () => {
    const { store, at } = await held(open)
    const { requests } = store
    expect(await requests.begin(request)).toEqual({ kind: "begun", turn: "1" })
    expect(await requests.begin({ ...request, turn: "2" })).toEqual({ kind: "running", turn: "1" })
    expect(await requests.begin({ ...request, digest: "e" })).toEqual({ kind: "differs" })
    expect((await requests.begin({ ...request, caller: "t2", turn: "3" })).kind).toBe("begun")
    await requests.answer(KEYED, "first")
    await requests.answer(KEYED, "second")
    await requests.release(KEYED)
    at(99)
    const answered = { kind: "answered", turn: "1", answer: "first" }
    expect(await requests.begin({ ...request, turn: "2" })).toEqual(answered)
    at(100)
    expect(await requests.begin({ ...request, turn: "4" })).toEqual({ kind: "begun", turn: "4" })
  })

  test("who repeats a request that was left, or let go, has the turn of the first attempt", async () => {
    const { store, at } = await held(open)
    const { requests } = store
    await requests.begin(request)
    at(10)
    expect(await requests.begin({ ...request, turn: "2" })).toEqual({ kind: "begun", turn: "1" })
    expect((await requests.begin({ ...request, turn: "3" })).kind).toBe("running")
    await requests.release(KEYED)
    expect(await requests.begin({ ...request, turn: "4" })).toEqual({ kind: "begun", turn: "1" })
  })
}

/** Sums of these are exact. */
const anyCost = fc.option(fc.integer({ min: 0, max: 1_000 }).map((parts) => parts / 1_024))
const anyCall = fc.record({
  id: fc.nat(20).map(String),
  agent: fc.constantFrom("main", "b"),
  who: fc.constantFrom("owner", "person:bob"),
  turn: fc.constantFrom("1", "2"),
  costUsd: anyCost,
  tokens: fc.nat(1_000),
  at: fc.nat(100),
})

export function spendingContract(open: OpenEmpty): void {
  test("sums are those of the calls that match, each counted once", async () => {
    const filters = fc.record(
      {
        agent: fc.constantFrom("main", "b"),
        who: fc.constantFrom("owner", "person:bob"),
        turn: fc.constantFrom("1", "2"),
        withinMs: fc.nat(100),
      },
      { requiredKeys: [] },
    )
    const property = fc.asyncProperty(fc.array(anyCall), filters, async (calls, filter) => {
      let time = 0
      const store = await open(() => time)
      for (const { at, ...call } of calls) {
        time = at
        await store.spending.add(call)
      }
      time = 100
      const once = calls.filter(({ id }, at) => calls.findIndex((one) => one.id === id) === at)
      const { agent, who, turn, withinMs = 100 } = filter
      const counted = once.filter(
        (call) =>
          (agent ?? call.agent) === call.agent &&
          (who ?? call.who) === call.who &&
          (turn ?? call.turn) === call.turn &&
          call.at >= 100 - withinMs,
      )
      expect(await store.spending.sum(filter)).toEqual({
        costUsd: counted.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
        tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
        calls: counted.length,
        open: 0,
        unpriced: counted.filter(({ costUsd }) => costUsd === null).length,
      })
      await store.close()
    })
    await fc.assert(property, { numRuns: 10 })
  })

  const call = { agent: "main", who: "person:bob", turn: "1", costUsd: 0.1, tokens: 100, leaseMs: 50 }

  test("calls that are made at once stay within every limit together", async () => {
    const { store } = await held(open)
    const { spending } = store
    const limits = [
      { turn: "1", mostTokens: 5_000 },
      { who: "person:bob", withinMs: 1_000, mostUsd: 0.7 },
    ]
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => spending.reserve({ ...call, id: `${at}` }, limits)),
    )
    // Floating point: 0.1 seven times is not exactly 0.7.
    const kinds = all.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual([...Array(13).fill("exceeds"), ...Array(7).fill("reserved")])
    const exceeds = all.find(({ kind }) => kind === "exceeds")
    expect(exceeds).toMatchObject({ limit: 1, used: { tokens: 700, calls: 7, open: 7, unpriced: 0 } })
    // Another person's calls count elsewhere, and a call without a price counts in tokens.
    const other = { ...call, id: "other", who: "person:ada", costUsd: null, tokens: 4_301 }
    expect(await spending.reserve(other, limits)).toMatchObject({ kind: "exceeds", limit: 0 })
    expect((await spending.reserve({ ...other, tokens: 4_300 }, limits)).kind).toBe("reserved")
    expect(await spending.sum({ who: "person:ada" })).toMatchObject({
      costUsd: 0,
      unpriced: 1,
      tokens: 4_300,
    })
  })

  test("what was reserved counts until it is settled, given back, or its process is gone", async () => {
    const { store, at } = await held(open)
    const { spending } = store
    const limits = [{ mostTokens: 100 }]
    const tries = async (id: string) => (await spending.reserve({ ...call, id }, limits)).kind
    expect([await tries("1"), await tries("2"), await tries("1")]).toEqual([
      "reserved",
      "exceeds",
      "reserved",
    ])
    await spending.release("1")
    expect([await tries("2"), await tries("3")]).toEqual(["reserved", "exceeds"])
    await spending.settle("2", { costUsd: 0.01, tokens: 0 })
    expect([await tries("2"), await tries("3"), await tries("4")]).toEqual([
      "reserved",
      "reserved",
      "exceeds",
    ])
    at(51)
    expect(await tries("4")).toBe("reserved")
    // It was only slow.
    await spending.settle("3", { costUsd: 0.02, tokens: 60 })
    await spending.release("3")
    await spending.settle("4", { costUsd: null, tokens: 7 })
    expect(await spending.sum({})).toEqual({ costUsd: 0.03, tokens: 67, calls: 3, unpriced: 1, open: 0 })
  })
}

const DAY = 24 * 3_600_000

export function serveUpkeepContract(open: OpenEmpty): void {
  test("what is not sent yet stays, with its conversation; what is over goes when it is old", async () => {
    const { store, at, lease } = await held(open, "1", "2")
    for (const turn of ["1", "2"]) await store.inbox.finish(lease, { turn }, reply(turn))
    await store.outbox.markSent("2")
    await store.outbox.markSent("1")
    await store.deliveries.add([{ id: "p", channel: "telegram", to: "7", body: "{}", turn: "1" }])
    await store.channels.settle({ channel: "telegram", id: "u1" })
    await store.tokens.add({ ...LAPTOP, expiresInMs: 1 })
    await store.spending.add({ id: "c", agent: "main", who: "owner", turn: "1", costUsd: 1, tokens: 1 })
    at(DAY)
    await store.sessions.create("newer", KEY)
    const prune = () => store.upkeep.prune({ olderThanMs: 10 })
    expect(await prune()).toMatchObject({ sessions: 0, turns: 0 })
    expect([await store.deliveries.get("p"), await store.tokens.list()]).toMatchObject([{ id: "p" }, []])
    await store.deliveries.delivered("p")
    expect(await prune()).toMatchObject({ sessions: 1, turns: 2 })
    expect(await store.deliveries.get("p")).toBe(undefined)
    // A service that repeats it must not be heard twice, and limits look back further.
    expect(await store.channels.settle({ channel: "telegram", id: "u1" })).toBe(false)
    expect((await store.spending.sum({})).calls).toBe(1)
    at(40 * DAY)
    await prune()
    expect((await store.spending.sum({})).calls).toBe(0)
    expect(await store.channels.settle({ channel: "telegram", id: "u1" })).toBe(true)
  })

  test("what has expired or was sent long ago goes by itself, and no conversation with it", async () => {
    const { store, at, lease } = await held(open, "1", "2")
    await store.inbox.finish(lease, { turn: "1" }, reply("1"))
    for (const id of ["sent", "waits"])
      await store.deliveries.add([{ id, channel: "telegram", to: id, body: "{}" }])
    await store.deliveries.delivered("sent")
    const keyed = { caller: "t", key: "k", digest: "d", turn: "9", leaseMs: 1, expiresInMs: 1 }
    await store.requests.begin(keyed)
    await store.spending.add({ id: "c", agent: "main", who: "owner", turn: "1", costUsd: 1, tokens: 1 })
    const left = async () => [
      ...[(await store.deliveries.get("sent"))?.state, (await store.deliveries.get("waits"))?.state],
      ...[(await store.spending.sum({})).calls, (await store.inbox.message("1"))?.state],
    ]
    at(29 * DAY)
    await store.upkeep.sweep()
    expect(await left()).toEqual(["delivered", "waiting", 1, "done"])
    at(33 * DAY)
    await store.upkeep.sweep()
    expect(await left()).toEqual([undefined, "waiting", 0, "done"])
    expect(await store.requests.begin({ ...keyed, turn: "8" })).toEqual({ kind: "begun", turn: "8" })
  })

  test("with a person go their tokens, pairings, places and what they spent, and nobody else's", async () => {
    const { store, at } = await held(open)
    at(1)
    const sender = { channel: "telegram", sender: "1" }
    for (const [id, user, who] of [
      ["1", "bob", "person:bob"],
      ["2", "ada", "person:ada"],
    ] as const) {
      await store.tokens.add({ ...LAPTOP, id, hash: id, user })
      await store.pairings.ask({ ...sender, sender: id, hash: id, expiresInMs: 5, mostOpen: 5 })
      await store.pairings.confirm({ hash: id, user, mostWrong: 5 })
      await store.spending.add({ id, agent: "main", who, turn: id, costUsd: 1, tokens: 1 })
      await store.sessions.create(id, { ...KEY, who })
      const text = { text: id, channel: `telegram:${id}` }
      const message = { id, turn: id, session: id, message: text, takenBy: "a" }
      await store.inbox.receive(message, { arrival: { channel: "telegram", id, replyTo: id } })
      const to = { channel: "telegram", to: `telegram:${id}`, body: "{}" }
      await store.deliveries.add([
        { ...to, id: `answer ${id}`, turn: id },
        { ...to, id: `notice ${id}` },
      ])
      await store.places.remember({ session: id, seq: 1, turn: id, digest: "d" })
      await store.requests.begin({
        caller: id,
        key: id,
        digest: "d",
        turn: id,
        leaseMs: 100,
        expiresInMs: 100,
      })
    }
    await store.tokens.add({ ...LAPTOP, id: "owner's", hash: "owner's", user: "" })
    await store.upkeep.erase(["person:bob"])
    const kept = async (id: string, who: string) => [
      (await store.tokens.valid(id)) !== undefined,
      (await store.pairings.find({ ...sender, sender: id })) !== undefined,
      (await store.spending.sum({ who })).calls,
      (await store.places.byDigest({ ...KEY, who }, ["d"])) !== undefined,
      (await store.channels.arrival("telegram", id))?.replyTo,
      (await store.deliveries.get(`answer ${id}`)) !== undefined,
      (await store.deliveries.get(`notice ${id}`)) !== undefined,
      await store.requests.begin({
        ...{ caller: id, key: id, digest: "d", turn: "new", leaseMs: 100, expiresInMs: 100 },
      }),
    ]
    expect(await kept("1", "person:bob")).toEqual([
      ...[false, false, 0, false, undefined, false, false, { kind: "begun", turn: "new" }],
    ])
    expect(await kept("2", "person:ada")).toEqual([
      ...[true, true, 1, true, "2", true, true, { kind: "running", turn: "2" }],
    ])
    at(40)
    await store.upkeep.erase(["person:owner", "owner"])
    expect((await store.tokens.list()).map(({ id }) => id)).toEqual(["2"])
  })
}
