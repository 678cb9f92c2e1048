// What the store promises by itself, one method at a time: who may write, what is done once, and in which order.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openStore } from "../../../src/agent/store/store.ts"
import type { SessionKey, StoredReply } from "../../../src/agent/store/stored.ts"
import type { Item } from "../../../src/agent/store/transcript.ts"
import { NO_COST } from "../../../src/agent/turn/work.ts"
import { workspace } from "../fault-world.ts"

const KEY: SessionKey = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" }

/** A store with a session `s` that `a` holds, and messages that wait in it. */
function opened(...messages: readonly string[]) {
  const store = openStore(join(workspace(), ".incipit", "agent.db"))
  onTestFinished(() => store.close())
  store.createSession("s", KEY, 0)
  store.claim("s", "a", { now: 0, leaseMs: 30, mayBeAlive: () => true })
  const take = (turn: string, session = "s", at = 0) =>
    store.receive(turn, { turn, session, at, message: { text: turn }, takenBy: "a" })
  for (const turn of messages) take(turn)
  return { store, take, held: { session: "s", owner: "a" } }
}

function reply(turn: string, more: Partial<StoredReply> = {}): StoredReply {
  const text = `The answer to ${turn}.`
  return { state: "answered", text, turn, session: "s", steps: 1, cost: NO_COST, durationMs: 0, ...more }
}

function said(text: string): Item {
  return { kind: "custom", by: "host", text }
}

test("of several sessions the one that was used last goes on, and what came late makes it no older", () => {
  const { store, take } = opened()
  store.createSession("r", KEY, 5)
  expect(store.currentSession(KEY)?.id).toBe("r")
  take("1", "s", 9)
  take("2", "s", 3)
  expect([store.currentSession(KEY)?.id, store.session("s")?.usedAt]).toEqual(["s", 9])
})

test("a session is held until its lease is over, its holder is gone, or lets it go", () => {
  const { store } = opened()
  const claim = (owner: string, now: number, isAlive = true) =>
    store.claim("s", owner, { now, leaseMs: 30, mayBeAlive: () => isAlive })
  expect([claim("b", 29), claim("a", 29), claim("b", 58), claim("b", 59)]).toEqual([false, true, false, true])
  expect([claim("c", 60), claim("c", 60, false)]).toEqual([false, true])
  store.renew("s", "b", 1_000)
  store.release("s", "b")
  expect([claim("d", 89), claim("d", 90)]).toEqual([false, true])
  store.renew("s", "d", 1_000)
  expect(claim("e", 999)).toBe(false)
  store.release("s", "d")
  expect(claim("e", 999)).toBe(true)
})

test("a message that somebody else has claimed is not taken in", () => {
  const { store } = opened()
  const waiting = { turn: "1", session: "s", at: 0, message: { text: "1" }, takenBy: "a" }
  expect(store.receive("1", waiting, () => false)).toBe(undefined)
  expect(store.open("main")).toEqual([])
})

test("messages are worked off in their order, each until it is done", () => {
  const { store, held } = opened("1", "2", "3")
  expect([store.nextOf("s")?.turn, store.lastOf("s")?.turn]).toEqual(["1", "3"])
  expect(store.open("main").map(({ turn }) => turn)).toEqual(["1", "2", "3"])
  expect(store.open("other")).toEqual([])
  expect(store.begin(held, "1")).toBe(true)
  expect(store.nextOf("s")?.turn).toBe("1")
  store.finish(held, { turn: "1", at: 1 }, reply("1"))
  store.finish(held, { turn: "2", at: 2 }, reply("2", { state: "failed" }))
  expect([store.begin(held, "1"), store.begin(held, "2")]).toEqual([false, false])
  expect(["1", "2", "3"].map((turn) => store.waiting(turn)?.state)).toEqual(["done", "failed", "waiting"])
  expect(store.nextOf("s")?.turn).toBe("3")
})

test("a message is another's only when it is taken over", () => {
  const { store } = opened("1")
  store.release("s", "a")
  store.claim("s", "b", { now: 0, leaseMs: 30, mayBeAlive: () => true })
  const held = { session: "s", owner: "b" }
  store.begin(held, "1")
  expect(store.waiting("1")?.takenBy).toBe("a")
  store.begin(held, "1", true)
  expect(store.waiting("1")?.takenBy).toBe("b")
})

test("only a message that nobody has begun with is taken back, and its answer is kept", () => {
  const { store, held } = opened("1", "2", "3")
  store.begin(held, "1")
  store.change(held, { turn: "2", at: 1, append: [said("begun")] })
  store.postpone(held, { turn: "2", notBefore: 5, error: "limited" })
  expect(["1", "2", "3", "3"].map((turn) => store.takeBack(2, reply(turn, { state: "stopped" })))).toEqual([
    false,
    false,
    true,
    false,
  ])
  expect(["1", "2", "3"].map((turn) => store.reply(turn)?.state)).toEqual([undefined, undefined, "stopped"])
})

test("a message that is put off keeps what its turn has made of the session, and counts", () => {
  const { store, held } = opened("1")
  store.begin(held, "1")
  const state = { was: {}, now: { touched: ["a.md"] } }
  store.postpone(held, { turn: "1", notBefore: 5, error: "limited", state })
  expect(store.waiting("1")).toMatchObject({ state: "waiting", attempts: 1, notBefore: 5 })
  expect(store.session("s")?.state).toEqual({ touched: ["a.md"] })
})

test("what somebody asks for while a turn runs stays, whatever the turn still has", () => {
  const { store, held } = opened("1")
  store.changeState("s", { planMode: true })
  const was = store.session("s")?.state ?? {}
  store.changeState("s", { planMode: false, activeTools: ["read"] })
  store.change(held, { turn: "1", at: 1, state: { was, now: { ...was, touched: ["a.md"] } } })
  expect(store.session("s")?.state).toEqual({ planMode: false, activeTools: ["read"], touched: ["a.md"] })
})

test("a tool is started once; what is known of it goes with its turn", () => {
  const { store, held } = opened("1")
  const start = () => store.startTool(held, { turn: "1", call: "c", at: 0 })
  expect([start(), start()]).toEqual(["new", { result: undefined }])
  store.finishTool("1", "c", { text: "Done.", isError: false })
  expect(start()).toEqual({ result: { text: "Done.", isError: false } })
  store.finish(held, { turn: "1", at: 1 }, reply("1"))
  expect(start()).toBe("new")
})

test("answers are to be sent in the order in which they were given, each once, and silence never", () => {
  const { store, held, take } = opened("1", "2", "3")
  store.createSession("o", { ...KEY, agent: "other" }, 0)
  take("4", "o")
  store.claim("o", "a", { now: 0, leaseMs: 30, mayBeAlive: () => true })
  for (const turn of ["2", "1"]) store.finish(held, { turn, at: 1 }, reply(turn))
  store.finish(held, { turn: "3", at: 1 }, reply("3", { state: "silent", text: "" }))
  store.finish({ session: "o", owner: "a" }, { turn: "4", at: 1 }, reply("4", { session: "o" }))
  const unsent = (agent: string) => store.unsent(agent).map(({ message: { turn } }) => turn)
  expect([unsent("main"), unsent("other")]).toEqual([["2", "1"], ["4"]])
  expect(["3", "2"].map((turn) => store.isSent(turn))).toEqual([true, false])
  expect([store.markSent("2", 7), store.markSent("2", 8)]).toEqual([true, false])
  expect([unsent("main"), store.isSent("2")]).toEqual([["1"], true])
})

test("what came while a summary was made stays, after it, and belongs to no turn", () => {
  const { store, held } = opened("1")
  const [old] = store.change(held, { turn: "1", at: 1, append: [said("old")] })
  store.addItem("s", said("meanwhile"), 3)
  store.compact(held, {
    ...{ at: 4, known: [old?.id ?? 0], state: { was: {}, now: {} } },
    items: [{ turn: undefined, item: { kind: "summary", text: "Old things." } }],
  })
  expect(store.items("s").map(({ turn, at, item }) => [turn, at, "text" in item && item.text])).toEqual([
    [undefined, 4, "Old things."],
    [undefined, 3, "meanwhile"],
  ])
})

test("what others set or took away while a turn worked stays as they left it", () => {
  const { store, held } = opened("1")
  const was = { planMode: true, activeTools: ["read"], touchedInHead: 1 }
  store.changeState("s", was)
  store.changeState("s", { activeTools: undefined, planMode: false })
  store.change(held, { turn: "1", at: 1, state: { was, now: { ...was, planMode: true, touchedInHead: 2 } } })
  expect(store.session("s")?.state).toEqual({ planMode: false, touchedInHead: 2 })
})

test("an item that is replaced is read as it is now", () => {
  const { store, held } = opened("1")
  const [{ id } = { id: 0 }] = store.change(held, { turn: "1", at: 1, append: [said("old")] })
  const before = store.items("s")
  expect(store.items("s")[0]?.item).toBe(before[0]?.item)
  store.change(held, { turn: "1", at: 2, replace: [{ id, item: said("new") }] })
  expect(store.items("s").map(({ item }) => item)).toEqual([said("new")])
})

test("a person gets their own notices, the newest of them oldest first, and as new once", () => {
  const { store } = opened()
  const add = (who: string, text: string) =>
    store.addNotice({ agent: "main", who, session: "s", trust: "full", at: 0, text })
  for (let at = 0; at < 51; at += 1) add("owner", `${at}`)
  add("person:bob", "for Bob")
  const shown = (who: string, at = 1) =>
    store.notices({ agent: "main", who, trust: "full" }, at).map(({ text, isNew }) => `${text} ${isNew}`)
  expect(shown("person:bob")).toEqual(["for Bob true"])
  expect(shown("owner")).toEqual(Array.from({ length: 50 }, (_one, at) => `${at + 1} true`))
  add("owner", "last")
  expect(shown("owner", 2).slice(-2)).toEqual(["50 false", "last true"])
  const times = store.database.all("SELECT DISTINCT seen_at FROM notices WHERE who = 'owner'")
  expect(times.map(({ seen_at: at }) => at)).toEqual([1, 2])
})
