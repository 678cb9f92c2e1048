// What every agent store promises, one method at a time: who may write, what is done once, and in which order. A driver
// runs it with its own way to open an empty store.
import { expect, onTestFinished, test } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import type { Lease } from "../../../src/database/contract/lease.ts"
import type { StoredReply } from "../../../src/database/contract/reply.ts"
import type { SessionKey } from "../../../src/database/contract/sessions.ts"
import type { Item } from "../../../src/database/contract/transcripts.ts"

/** Opens an empty store that goes by this clock. */
export type OpenEmpty = (now: () => number) => Promise<AgentStore>

export const KEY: SessionKey = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" }

/** A store with a session `s` that `a` holds for 30 ms from 0 on, and messages that wait in it. */
export async function held(open: OpenEmpty, ...messages: readonly string[]) {
  let time = 0
  const store = await open(() => time)
  onTestFinished(() => store.close())
  await store.sessions.create("s", KEY)
  const lease = await claim(store, "s", "a")
  const take = (turn: string, session = "s") =>
    store.inbox.receive({ id: turn, turn, session, message: { text: turn }, takenBy: "a" })
  for (const turn of messages) await take(turn)
  const at = (now: number) => {
    time = now
  }
  return { store, take, lease, at }
}

export async function claim(store: AgentStore, session: string, owner: string): Promise<Lease> {
  const claimed = await store.sessions.claim(session, { owner, leaseMs: 30 })
  if (claimed.kind !== "claimed") throw new Error(`${owner} does not get ${session}`)
  return claimed.lease
}

export function reply(turn: string, more: Partial<StoredReply> = {}): StoredReply {
  const text = `The answer to ${turn}.`
  const usage = { uncached: 0, read: 0, write: {}, output: 0 }
  const cost = { usage, costUsd: 0, isSimulated: false }
  return { state: "answered", text, turn, session: "s", steps: 1, cost, durationMs: 0, ...more }
}

export function said(text: string): Item {
  return { kind: "custom", by: "host", text }
}

const LOST = expect.objectContaining({ code: "session-lost" })

export function sessionsContract(open: OpenEmpty): void {
  test("of several sessions the one that was used last continues, and what came late makes it no older", async () => {
    const { store, take, at } = await held(open)
    at(5)
    await store.sessions.create("r", KEY)
    expect((await store.sessions.current(KEY))?.id).toBe("r")
    at(9)
    await take("1")
    at(3)
    await take("2")
    expect((await store.sessions.current(KEY))?.id).toBe("s")
    expect((await store.sessions.get("s"))?.usedAt).toBe(9)
    expect(await store.sessions.facts("s")).toEqual({ ...KEY, id: "s", createdAt: 0, usedAt: 9 })
    expect(await store.sessions.facts("none")).toBeUndefined()
  })

  test("those who want a session of one key at once get the same", async () => {
    const { store } = await held(open)
    const key = { ...KEY, who: "person:bob" }
    const got = await Promise.all(["b", "c", "d"].map((id) => store.sessions.currentOrNew(key, id)))
    expect(new Set(got.map(({ session }) => session.id)).size).toBe(1)
    expect(got.filter(({ isNew }) => isNew).length).toBe(1)
  })

  test("sessions are listed with their first words, the last used first, and each begins a new epoch when told", async () => {
    const { store, at } = await held(open, "1", "2")
    at(1)
    await store.sessions.create("r", { ...KEY, who: "person:bob" })
    await store.sessions.create("part", { ...KEY, mode: "subagent" })
    const listed = await store.sessions.list("main")
    expect(listed.map(({ id, turns, title }) => [id, turns, title])).toEqual([
      ["r", 0, ""],
      ["s", 2, "1"],
    ])
    expect((await store.sessions.list("main", { key: KEY })).map(({ id }) => id)).toEqual(["s"])
    const whole = await store.sessions.list("main", { withParts: true })
    expect(whole.map(({ id }) => id)).toEqual(["r", "part", "s"])
    const after = whole[0]
    expect(
      (await store.sessions.list("main", { withParts: true, limit: 1, after })).map(({ id }) => id),
    ).toEqual(["part"])
    await store.sessions.rebase("main", "asked for")
    expect((await store.sessions.get("r"))?.state).toEqual({ rebase: "asked for" })
  })

  test("pages of sessions are together the whole list, also where several were used at the same moment", async () => {
    const { store, at } = await held(open)
    for (const [time, ids] of [
      [1, ["B", "a", "ab"]],
      [2, ["Z", "z", "é"]],
    ] as const) {
      at(time)
      for (const id of ids) await store.sessions.create(id, id === "z" ? { ...KEY, who: "owner2" } : KEY)
    }
    await store.sessions.create("other", { ...KEY, agent: "other" })
    for (const key of [undefined, KEY]) {
      const whole = await store.sessions.list("main", { key })
      expect(whole.length).toBe(key === undefined ? 7 : 6)
      for (const limit of [1, 2, 3, 7, 8]) {
        const pages: (typeof whole)[number][] = []
        for (;;) {
          const page = await store.sessions.list("main", { key, limit, after: pages.at(-1) })
          expect(page.length).toBe(Math.min(limit, whole.length - pages.length))
          pages.push(...page)
          if (page.length < limit) break
        }
        expect(pages).toEqual(whole)
      }
    }
  })

  test("a session is held until its lease is over, its holder is gone, or lets it go", async () => {
    const { store, at, lease } = await held(open)
    const kind = async (owner: string, now: number, deadOwners: readonly string[] = []) => {
      at(now)
      return (await store.sessions.claim("s", { owner, leaseMs: 30, deadOwners })).kind
    }
    expect([await kind("b", 29), await kind("a", 29)]).toEqual(["held", "claimed"])
    expect([await kind("b", 58), await kind("b", 59)]).toEqual(["held", "claimed"])
    expect([await kind("c", 60), await kind("c", 60, ["b"])]).toEqual(["held", "claimed"])
    // It is not theirs any more.
    expect(await store.sessions.renew(lease, 1_000)).toBe(false)
    await store.sessions.release(lease)
    expect([await kind("d", 89), await kind("d", 90)]).toEqual(["held", "claimed"])
    expect((await store.sessions.claim("none", { owner: "a", leaseMs: 30 })).kind).toBe("no-session")
  })

  test("a lease is renewed and released by who has it", async () => {
    const { store, at, lease } = await held(open)
    expect(await store.sessions.renew(lease, 1_000)).toBe(true)
    at(999)
    expect(await store.sessions.claim("s", { owner: "e", leaseMs: 30 })).toEqual({ kind: "held", by: "a" })
    await store.sessions.release(lease)
    expect((await claim(store, "s", "e")).fence).toBeGreaterThan(lease.fence)
  })

  test("who has lost a session and finds it free again, or has it again, still may not write with the old lease", async () => {
    const { store, at, lease } = await held(open, "1")
    at(31)
    const other = await claim(store, "s", "b")
    const writes = () => [
      store.transcripts.change(lease, { turn: "1" }),
      store.transcripts.compact(lease, { known: [], items: [], state: { was: {}, now: {} } }),
      store.inbox.begin(lease, "1"),
      store.inbox.postpone(lease, { turn: "1", wait: { ms: 1 }, error: "" }),
      store.inbox.move(lease, { turn: "1", to: "s" }, { was: {}, now: {} }),
      store.inbox.finish(lease, { turn: "1" }, reply("1")),
      store.runs.start(lease, { turn: "1", call: "c" }),
      store.runs.finish(lease, { turn: "1", call: "c" }, { text: "", isError: false }),
      store.results.keep(lease, { name: "n", trust: "full", text: "" }),
      store.waits.suspend(lease, { turn: "1", on: [] }),
      store.steering.take(lease, "1"),
    ]
    const allLost = () => Promise.all(writes().map((write) => expect(write).rejects.toEqual(LOST)))
    await allLost()
    await store.sessions.release(other)
    await allLost()
    await claim(store, "s", "a")
    await allLost()
  })

  test("what others set or took away while a turn worked stays as they left it", async () => {
    const { store, lease } = await held(open, "1")
    const was = { planMode: true, activeTools: ["read"], touchedInHead: 1 }
    await store.sessions.changeState("s", was)
    await store.sessions.changeState("s", { activeTools: undefined, planMode: false })
    const now = { ...was, planMode: true, touchedInHead: 2, touched: ["a.md"] }
    await store.transcripts.change(lease, { turn: "1", state: { was, now } })
    const state = { planMode: false, touchedInHead: 2, touched: ["a.md"] }
    expect((await store.sessions.get("s"))?.state).toEqual(state)
  })
}

export function inboxContract(open: OpenEmpty): void {
  test("a message is stored once, whoever sends it again", async () => {
    const { store, take } = await held(open, "1")
    const again = { id: "1", turn: "2", session: "s", message: { text: "again" }, takenBy: "b" }
    expect(await store.inbox.receive(again)).toMatchObject({ turn: "1", message: { text: "1" } })
    expect(await store.inbox.received("1")).toEqual(await store.inbox.message("1"))
    await expect(take("3", "none")).rejects.toMatchObject({ code: "unusable-database" })
  })

  test("messages are processed in their order, each until it is done", async () => {
    const { store, lease } = await held(open, "1", "2", "3")
    const { inbox } = store
    expect([(await inbox.next("s"))?.turn, (await inbox.last("s"))?.turn]).toEqual(["1", "3"])
    expect((await inbox.open("main")).map(({ turn }) => turn)).toEqual(["1", "2", "3"])
    expect(await inbox.open("other")).toEqual([])
    expect(await inbox.begin(lease, "1")).toBe(true)
    expect((await inbox.next("s"))?.turn).toBe("1")
    await inbox.finish(lease, { turn: "1" }, reply("1"))
    await inbox.finish(lease, { turn: "2" }, reply("2", { state: "failed" }))
    expect([await inbox.begin(lease, "1"), await inbox.begin(lease, "2")]).toEqual([false, false])
    const states = ["1", "2", "3"].map(async (turn) => (await inbox.message(turn))?.state)
    expect(await Promise.all(states)).toEqual(["done", "failed", "waiting"])
    expect((await inbox.next("s"))?.turn).toBe("3")
  })

  test("a message is another's only when it is taken over", async () => {
    const { store, lease } = await held(open, "1")
    await store.sessions.release(lease)
    const other = await claim(store, "s", "b")
    await store.inbox.begin(other, "1")
    expect((await store.inbox.message("1"))?.takenBy).toBe("a")
    await store.inbox.begin(other, "1", { takesOver: true })
    expect((await store.inbox.message("1"))?.takenBy).toBe("b")
  })

  test("only a message that nobody has begun with is taken back, and its answer is kept", async () => {
    const { store, lease } = await held(open, "1", "2", "3")
    await store.inbox.begin(lease, "1")
    await store.transcripts.change(lease, { turn: "2", append: [said("begun")] })
    await store.inbox.postpone(lease, { turn: "2", wait: { ms: 5 }, error: "limited" })
    const back = async (turn: string) => store.inbox.takeBack(reply(turn, { state: "stopped" }))
    expect([await back("1"), await back("2"), await back("3"), await back("3")]).toEqual([
      ...[false, false, true, false],
    ])
    const states = ["1", "2", "3"].map(async (turn) => (await store.outbox.reply(turn))?.state)
    expect(await Promise.all(states)).toEqual([undefined, undefined, "stopped"])
  })

  test("a message that was taken back stays so, whatever its holder meant to do with it", async () => {
    const { store, lease } = await held(open, "1", "2", "3")
    await store.sessions.create("r", { ...KEY, trust: "familiar" })
    for (const turn of ["2", "3"]) await store.inbox.takeBack(reply(turn, { state: "stopped" }))
    const behind = { turn: "2", wait: { behind: "1" }, error: "an earlier message is still queued" }
    await store.inbox.postpone(lease, behind)
    await store.inbox.move(lease, { turn: "3", to: "r" }, { was: {}, now: {} })
    const states = ["1", "2", "3"].map(async (turn) => (await store.inbox.message(turn))?.state)
    expect(await Promise.all(states)).toEqual(["waiting", "done", "done"])
    expect((await store.inbox.open("main")).map(({ turn }) => turn)).toEqual(["1"])
  })

  test("a message that is put off keeps what its turn has made of the session, and counts", async () => {
    const { store, lease, at } = await held(open, "1", "2")
    const beside = async (owner: string) =>
      (await store.inbox.openBeside("main", owner)).map(({ turn }) => turn)
    await store.inbox.begin(lease, "1")
    expect([await beside("a"), await beside("b")]).toEqual([[], ["1", "2"]])
    at(2)
    const state = { was: {}, now: { touched: ["a.md"] } }
    const asked = { by: "anthropic", forMs: 9 }
    const wait = { turn: "1", wait: { ms: 5 }, asked, error: "limited", state }
    expect(await store.inbox.postpone(lease, wait)).toBe(7)
    expect([await beside("a"), await beside("b")]).toEqual([["1"], ["1", "2"]])
    const behind = { turn: "2", wait: { behind: "1" }, error: "an earlier message is still queued" }
    expect(await store.inbox.postpone(lease, behind)).toBe(7)
    expect(await store.inbox.message("1")).toMatchObject({
      ...{ state: "waiting", attempts: 1, notBefore: 7, asked: { by: "anthropic", until: 11 } },
    })
    expect((await store.sessions.get("s"))?.state).toEqual({ touched: ["a.md"] })
  })

  test("a message that is moved is due in the other session, and what was said of it stays behind as past", async () => {
    const { store, lease, at } = await held(open, "1")
    await store.sessions.create("r", { ...KEY, trust: "familiar" })
    await store.transcripts.change(lease, { turn: "1", append: [said("of the old one")] })
    at(4)
    await store.inbox.move(lease, { turn: "1", to: "r" }, { was: {}, now: { planMode: true } })
    expect(await store.inbox.next("s")).toBe(undefined)
    expect(await store.inbox.next("r")).toMatchObject({ turn: "1", state: "waiting", notBefore: 4 })
    expect(await store.transcripts.read("s")).toEqual([])
    expect((await store.sessions.get("s"))?.state).toEqual({ planMode: true })
  })

  test("answers are to be sent in the order in which they were given, each once, and silence never", async () => {
    const { store, lease, take } = await held(open, "1", "2", "3")
    const { inbox, outbox } = store
    await store.sessions.create("o", { ...KEY, agent: "other" })
    await take("4", "o")
    const other = await claim(store, "o", "a")
    for (const turn of ["2", "1"]) await inbox.finish(lease, { turn }, reply(turn))
    await inbox.finish(lease, { turn: "3" }, reply("3", { state: "silent", text: "" }))
    await inbox.finish(other, { turn: "4" }, reply("4", { session: "o" }))
    const unsent = async (agent: string) => (await outbox.unsent(agent)).map(({ message: { turn } }) => turn)
    expect([await unsent("main"), await unsent("other")]).toEqual([["2", "1"], ["4"]])
    expect([await outbox.isSent("3"), await outbox.isSent("2")]).toEqual([true, false])
    expect([await outbox.markSent("2"), await outbox.markSent("2")]).toEqual([true, false])
    expect([await unsent("main"), await outbox.isSent("2")]).toEqual([["1"], true])
  })
}

export function transcriptsContract(open: OpenEmpty): void {
  test("what came while a summary was made stays, after it, and belongs to no turn", async () => {
    const { store, lease, at } = await held(open, "1")
    const [old] = await store.transcripts.change(lease, { turn: "1", append: [said("old")] })
    at(3)
    await store.transcripts.add("s", said("meanwhile"))
    at(4)
    await store.transcripts.compact(lease, {
      ...{ known: [old?.seq ?? 0], state: { was: {}, now: {} } },
      items: [{ turn: undefined, item: { kind: "summary", text: "Old things." } }],
    })
    const items = await store.transcripts.read("s")
    expect(items.map(({ turn, at: then, item }) => [turn, then, "text" in item && item.text])).toEqual([
      [undefined, 4, "Old things."],
      [undefined, 3, "meanwhile"],
    ])
  })

  test("items from outside are added in their order, all or none", async () => {
    const { store } = await held(open, "1")
    const unwritable: Item = { kind: "custom", by: "host", text: "x", data: 1n }
    await expect(store.transcripts.add("s", said("a"), unwritable)).rejects.toThrow()
    expect(await store.transcripts.read("s")).toEqual([])
    await store.transcripts.add("s", said("b"), said("c"))
    expect((await store.transcripts.read("s")).map(({ item }) => item)).toEqual([said("b"), said("c")])
  })

  test("every kind of part is read as it was stored", async () => {
    const { store, lease } = await held(open, "1")
    const native = { format: "anthropic", value: { citations: [{ type: "page_location" }] } } as const
    const item: Item = {
      kind: "message",
      message: {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "Hm.", data: { anthropic: { signature: "s" } } },
          { kind: "text", text: "Yes.", native },
          { kind: "tool-call", id: "a", name: "read", input: { unread: "{" }, unread: "malformed" },
          { kind: "tool-result", id: "a", text: "[1]", json: true, isError: true },
          { kind: "native", ...native, fields: true },
        ],
      },
    }
    await store.transcripts.change(lease, { turn: "1", append: [item] })
    await store.transcripts.change(lease, { turn: "1", append: [said("later")] })
    expect((await store.transcripts.read("s")).map(({ item: read }) => read)).toEqual([item, said("later")])
  })

  test("what came from outside during a turn follows that turn", async () => {
    const { store, lease } = await held(open, "1")
    await store.transcripts.change(lease, { turn: "1", append: [said("one")] })
    await store.transcripts.add("s", said("meanwhile"))
    await store.transcripts.change(lease, { turn: "1", append: [said("two")] })
    const items = await store.transcripts.read("s")
    expect(items.map(({ item }) => "text" in item && item.text)).toEqual(["one", "two", "meanwhile"])
  })

  test("an item that is replaced is read as it is now, and the others are the same objects", async () => {
    const { store, lease } = await held(open, "1")
    const append = [said("old"), said("same")]
    const [{ seq } = { seq: 0 }] = await store.transcripts.change(lease, { turn: "1", append })
    const [, before] = await store.transcripts.read("s")
    await store.transcripts.change(lease, { turn: "1", replace: [{ seq, item: said("new") }] })
    const items = await store.transcripts.read("s")
    expect(items.map(({ item }) => item)).toEqual([said("new"), said("same")])
    expect(items[1]?.item).toBe(before?.item)
  })

  test("items of another session are neither replaced nor past", async () => {
    const { store, lease } = await held(open, "1")
    await store.sessions.create("o", { ...KEY, who: "person:bob" })
    const other = await claim(store, "o", "a")
    const [{ seq } = { seq: 0 }] = await store.transcripts.change(other, { turn: "x", append: [said("his")] })
    await store.transcripts.change(lease, { turn: "1", replace: [{ seq, item: said("mine") }], past: [seq] })
    expect((await store.transcripts.read("o")).map(({ item }) => item)).toEqual([said("his")])
  })

  test("a tool is started once; what is known of it goes with its turn", async () => {
    const { store, lease } = await held(open, "1")
    const run = { turn: "1", call: "c" }
    const start = () => store.runs.start(lease, run)
    expect(await store.runs.any("1")).toBe(false)
    expect([await start(), await start()]).toEqual(["new", { result: undefined }])
    expect(await store.runs.any("1")).toBe(true)
    await store.runs.finish(lease, run, { text: "Done.", isError: false })
    expect(await start()).toEqual({ result: { text: "Done.", isError: false } })
    expect(await store.runs.find(run)).toEqual({ result: { text: "Done.", isError: false } })
    await store.inbox.finish(lease, { turn: "1" }, reply("1"))
    expect(await start()).toBe("new")
  })

  test("a withdrawn run was never started, and a finished one is not withdrawn", async () => {
    const { store, lease } = await held(open, "1")
    const run = { turn: "1", call: "c" }
    expect(await store.runs.find(run)).toBe(undefined)
    await store.runs.start(lease, run)
    expect(await store.runs.find(run)).toEqual({ result: undefined })
    await store.runs.withdraw(lease, run)
    expect([await store.runs.find(run), await store.runs.any("1")]).toEqual([undefined, false])
    await store.runs.start(lease, run)
    await store.runs.finish(lease, run, { text: "Done.", isError: false })
    await store.runs.withdraw(lease, run)
    expect(await store.runs.find(run)).toEqual({ result: { text: "Done.", isError: false } })
  })

  test("a long result is kept once, for those with the trust that it was requested with", async () => {
    const { store, lease } = await held(open, "1")
    const keep = (text: string) => store.results.keep(lease, { name: "n", trust: "inner", text })
    expect([await keep("whole"), await keep("another")]).toEqual([true, true])
    const read = (trust: "full" | "familiar", name = "n") => store.results.read({ session: "s", trust }, name)
    expect([await read("full"), await read("familiar"), await read("full", "m")]).toEqual([
      ...["whole", undefined, undefined],
    ])
    expect(await store.results.keep(lease, { name: "m", trust: "full", text: "x".repeat(1_000_001) })).toBe(
      false,
    )
  })

  test("long lines of a kept result are broken, so that tools can read it by lines", async () => {
    const { store, lease } = await held(open, "1")
    await store.results.keep(lease, { name: "n", trust: "full", text: `a\n${"x".repeat(4_001)}\nb` })
    const text = (await store.results.read({ session: "s", trust: "full" }, "n")) ?? ""
    expect(text.split("\n").map(({ length }) => length)).toEqual([1, 2_000, 2_000, 1, 1])
  })

  test("a session keeps its newest results, up to eight million characters", async () => {
    const { store, lease } = await held(open, "1")
    const names = Array.from({ length: 9 }, (_, at) => `n${at}`)
    const text = `${"x".repeat(1_999)}\n`.repeat(500)
    for (const name of names) await store.results.keep(lease, { name, trust: "full", text })
    const kept = names.map((name) => store.results.read({ session: "s", trust: "full" }, name))
    expect((await Promise.all(kept)).map((one) => one?.length)).toEqual([
      undefined,
      ...Array(8).fill(text.length),
    ])
  })

  test("items and messages count from 1 in each session", async () => {
    const { store, lease, take } = await held(open, "1", "2")
    await store.sessions.create("o", { ...KEY, who: "person:bob" })
    const other = await claim(store, "o", "a")
    await take("3", "o")
    const seqs = async (holder: Lease, ...texts: readonly string[]) =>
      (await store.transcripts.change(holder, { turn: "1", append: texts.map(said) })).map(({ seq }) => seq)
    expect([await seqs(lease, "a", "b"), await seqs(other, "c"), await seqs(lease, "d")]).toEqual([
      ...[[1, 2], [1], [3]],
    ])
    const orders = ["1", "2", "3"].map(async (turn) => (await store.inbox.message(turn))?.order)
    expect(await Promise.all(orders)).toEqual([1, 2, 1])
  })

  test("a fork shares what was said up to an item, and each continues by itself", async () => {
    const { store, lease, at } = await held(open, "1")
    const append = ["one", "two", "three"].map(said)
    await store.transcripts.change(lease, { turn: "1", append })
    at(6)
    const branch = { session: "f", from: "s", upTo: 2, at: 6 }
    expect(await store.transcripts.fork("s", { as: "f", upTo: 2 })).toEqual(branch)
    expect(await store.transcripts.branches("s")).toEqual([branch])
    expect(await store.transcripts.fork("none", { as: "g", upTo: 2 })).toBe(undefined)
    await store.transcripts.change(await claim(store, "f", "b"), { turn: "2", append: [said("other")] })
    const texts = async (session: string) =>
      (await store.transcripts.read(session)).map(({ seq, item }) => [seq, "text" in item && item.text])
    expect(await texts("f")).toEqual([
      ...[
        [1, "one"],
        [2, "two"],
        [3, "other"],
      ],
    ])
    expect(await texts("s")).toEqual([
      ...[
        [1, "one"],
        [2, "two"],
        [3, "three"],
      ],
    ])
    expect(await store.sessions.get("f")).toMatchObject({ ...KEY, state: {}, createdAt: 6 })
    const begins = ["1", "2", "3"].map((turn) => store.transcripts.begins("f", turn))
    expect(await Promise.all(begins)).toEqual([1, 3, undefined])
    await store.transcripts.fork("f", { as: "g", upTo: 1, state: { planMode: true } })
    expect(await store.sessions.current(KEY)).toMatchObject({ id: "g", state: { planMode: true } })
  })

  test("a fork begins with what follows there, all or none", async () => {
    const { store, lease } = await held(open, "1")
    await store.transcripts.change(lease, { turn: "1", append: ["one", "two"].map(said) })
    const append = [said("left: two"), said("three")]
    await store.transcripts.fork("s", { as: "f", upTo: 1, append, state: { planMode: true } })
    expect((await store.sessions.get("f"))?.state).toEqual({ planMode: true })
    const read = async () =>
      (await store.transcripts.read("f")).map(({ seq, turn, item }) => [
        ...[seq, turn, "text" in item && item.text],
      ])
    const items = [
      [1, "1", "one"],
      [2, undefined, "left: two"],
      [3, undefined, "three"],
    ]
    expect(await read()).toEqual(items)
    await expect(store.transcripts.fork("s", { as: "f", upTo: 2 })).rejects.toThrow()
    expect([await read(), (await store.transcripts.branches("s")).length]).toEqual([items, 1])
  })

  test("where a turn begins is known, also when its first item is past", async () => {
    const { store, lease } = await held(open, "1", "2")
    await store.transcripts.change(lease, { turn: "1", append: [said("one")] })
    await store.transcripts.change(lease, { turn: "2", append: ["two", "three"].map(said), past: [1] })
    await store.transcripts.change(lease, { turn: "2", past: [2] })
    const begins = (turn: string) => store.transcripts.begins("s", turn)
    expect([await begins("1"), await begins("2"), await begins("3")]).toEqual([1, 2, undefined])
  })

  test("a fork has nothing of what is past", async () => {
    const { store, lease, at } = await held(open, "1")
    await store.transcripts.change(lease, { turn: "1", append: ["one", "two"].map(said) })
    await store.transcripts.change(lease, { turn: "1", past: [1] })
    at(6)
    await store.sessions.release(lease)
    const stored = async () => (await store.upkeep.erase([KEY.who], { isDry: true })).items
    expect(await stored()).toBe(2)
    await store.transcripts.fork("s", { as: "f", upTo: 2 })
    expect(await stored()).toBe(3)
  })
}

export function waitsContract(open: OpenEmpty): void {
  const wait = (id: string, expiresInMs = 100) =>
    ({ id, kind: "approval", request: "{}", expiresInMs }) as const

  test("a suspended turn holds no session, and the messages after it wait until it has all its answers", async () => {
    const { store, lease, at } = await held(open, "1", "2")
    await store.inbox.begin(lease, "1")
    at(3)
    const state = { was: {}, now: { planMode: true } }
    await store.waits.suspend(lease, { turn: "1", on: [wait("w"), wait("x")], state })
    await expect(store.transcripts.change(lease, { turn: "1" })).rejects.toEqual(LOST)
    expect([(await store.inbox.message("1"))?.state, await store.inbox.next("s")]).toEqual([
      ...["suspended", undefined],
    ])
    expect((await store.inbox.open("main")).map(({ turn }) => turn)).toEqual(["2"])
    const open1 = { id: "w", kind: "approval", request: "{}", turn: "1", session: "s" }
    expect(await store.waits.open("main", "approval")).toMatchObject([
      { ...open1, at: 3, expiresAt: 103, answer: undefined },
      { id: "x" },
    ])
    expect(await store.waits.open("main", "client-tools")).toEqual([])
    expect([await store.waits.resolve("w", '"yes"'), await store.waits.resolve("w", '"no"')]).toEqual([
      ...["answered", "unknown"],
    ])
    at(9)
    expect(await store.waits.resolve("x", '"no"')).toBe("resumed")
    expect(await store.inbox.next("s")).toMatchObject({ turn: "1", state: "waiting", notBefore: 9 })
    expect((await store.waits.of("1")).map(({ answer }) => answer)).toEqual(['"yes"', '"no"'])
    await store.inbox.finish(await claim(store, "s", "b"), { turn: "1" }, reply("1"))
    expect(await store.waits.of("1")).toEqual([])
  })

  test("an answer that comes too late counts as none, and nobody answers what was not asked", async () => {
    const { store, lease, at } = await held(open, "1")
    await store.waits.suspend(lease, { turn: "1", on: [wait("w", 10)] })
    at(10)
    expect([await store.waits.resolve("w", '"yes"'), await store.waits.resolve("none", "1")]).toEqual([
      ...["expired", "unknown"],
    ])
    expect((await store.inbox.message("1"))?.state).toBe("suspended")
  })

  test("a turn whose time is over goes on without its answers, and may wait again", async () => {
    const { store, lease, at } = await held(open, "1", "2")
    await store.inbox.begin(lease, "1")
    await store.waits.suspend(lease, { turn: "1", on: [wait("w", 10), wait("x", 10)] })
    await store.waits.resolve("w", '"yes"')
    at(9)
    expect([await store.waits.expire("main"), await store.inbox.next("s")]).toEqual([0, undefined])
    at(10)
    expect([await store.waits.expire("other"), await store.waits.expire("main")]).toEqual([0, 1])
    expect(await store.waits.expire("main")).toBe(0)
    expect(await store.inbox.next("s")).toMatchObject({ turn: "1", state: "waiting", notBefore: 10 })
    expect((await store.waits.of("1")).map(({ answer }) => answer)).toEqual(['"yes"', "null"])
    expect(await store.waits.resolve("x", '"yes"')).toBe("unknown")
    const next = await claim(store, "s", "b")
    await store.inbox.begin(next, "1")
    await store.waits.suspend(next, { turn: "1", on: [wait("y")] })
    expect(await store.waits.resolve("y", '"yes"')).toBe("resumed")
  })
}

export function steeringContract(open: OpenEmpty): void {
  const steering = async () => {
    const world = await held(open, "1")
    const { inbox } = world.store
    const send = (turn: string) =>
      inbox.receive({ id: turn, turn, session: "s", message: { text: turn }, takenBy: "a" }, { steers: true })
    const take = async (lease = world.lease) =>
      (await world.store.steering.take(lease, "1")).map(({ turn }) => turn)
    const states = (...turns: readonly string[]) =>
      Promise.all(
        turns.map(async (turn) => {
          const { state, into } = (await inbox.message(turn)) ?? {}
          return `${state} ${into}`
        }),
      )
    return { ...world, send, take, states }
  }
  const joins = (...joined: readonly string[]) => ({ turn: "1", append: joined.map(said), joined })

  test("a turn that is worked on takes up what comes meanwhile, once, and writes it with its words", async () => {
    const { store, lease, send, take, states } = await steering()
    // Before the work it is a message like any other.
    expect(await send("early")).toMatchObject({ steers: false, state: "waiting" })
    await store.inbox.begin(lease, "1")
    expect([await take(), await send("two")]).toMatchObject([[], { steers: true, into: undefined }])
    expect([await send("two"), await send("three")]).toMatchObject([{ turn: "two" }, { order: 4 }])
    expect(await take()).toEqual(["two", "three"])
    await store.transcripts.change(lease, joins("two", "three"))
    expect(await take()).toEqual([])
    await store.inbox.finish(lease, { turn: "1" }, reply("1"))
    expect(await states("1", "two", "three")).toEqual(["done undefined", "joined 1", "joined 1"])
    expect(await store.inbox.next("s")).toMatchObject({ turn: "early" })
    expect(await store.inbox.last("s")).toMatchObject({ turn: "early" })
    for (const turn of ["1", "early"])
      await store.places.remember({ session: "s", seq: 9, turn, response: turn })
    const isLast = async (turn: string) => (await store.places.byResponse(KEY, turn))?.isLast
    expect([await isLast("1"), await isLast("early")]).toEqual([false, true])
    // Its sender repeats it.
    expect(await send("two")).toMatchObject({ state: "joined", into: "1" })
    expect((await store.inbox.open("main")).map(({ turn }) => turn)).toEqual(["early"])
  })

  test("whoever dies between taking and writing leaves it to the next holder, and it joins once", async () => {
    const { store, lease, send, take, at } = await steering()
    await store.inbox.begin(lease, "1")
    await send("two")
    await take()
    at(40)
    const next = await claim(store, "s", "b")
    await store.inbox.begin(next, "1", { takesOver: true })
    expect(await take(next)).toEqual(["two"])
    await expect(store.transcripts.change(lease, joins("two"))).rejects.toEqual(LOST)
    await store.transcripts.change(next, joins("two"))
    await expect(store.transcripts.change(next, joins("two"))).rejects.toThrow()
    expect((await store.transcripts.read("s")).length).toBe(1)
  })

  test("what a turn has not written when it ends, or moves away with, is answered in its own turn", async () => {
    for (const end of ["finish", "move", "refused"] as const) {
      const { store, lease, send, take, states } = await steering()
      await store.sessions.create("r", KEY)
      await store.inbox.begin(lease, "1")
      await send("written")
      await take()
      await store.transcripts.change(lease, joins("written"))
      await send("taken")
      await take()
      await send("new")
      if (end === "finish") await store.inbox.finish(lease, { turn: "1" }, reply("1"))
      else if (end === "refused")
        await store.inbox.finish(lease, { turn: "1", past: [1] }, reply("1", { state: "failed" }))
      else await store.inbox.move(lease, { turn: "1", to: "r" }, { was: {}, now: {} })
      const written = end === "finish" ? "joined 1" : "waiting undefined"
      const waits = "waiting undefined"
      expect(await states("written", "taken", "new")).toEqual([written, waits, waits])
      expect((await store.inbox.next("s"))?.turn).toBe(end === "finish" ? "taken" : "written")
      // A later turn does not take up what came during this one.
      expect(await store.steering.take(lease, "taken")).toEqual([])
    }
  })

  test("it is taken back or edited until a turn takes it", async () => {
    const { store, lease, send, take } = await steering()
    await store.inbox.begin(lease, "1")
    await send("two")
    await send("three")
    expect(await store.inbox.takeBack(reply("two", { state: "stopped" }))).toBe(true)
    expect(await take()).toEqual(["three"])
    expect(await store.inbox.takeBack(reply("three", { state: "stopped" }))).toBe(false)
  })
}
