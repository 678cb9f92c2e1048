// What every agent store promises about what it keeps for people: tasks, workflows, writing habits, bulletins, notices;
// about the schedule; and about what it removes.
import { expect, test } from "vitest"
import type { TaskList } from "../../../src/database/contract/tasks.ts"
import { claim, held, KEY, type OpenEmpty, reply, said } from "./agent-store-contract.ts"

const OWNER = { agent: "main", who: "owner", trust: "full" } as const

export function peopleContract(open: OpenEmpty): void {
  test("a person gets their own notices, the newest of them oldest first, and as new once", async () => {
    const { store } = await held(open)
    const add = (who: string, text: string) => store.notices.add({ ...OWNER, who, session: "s", text })
    for (let at = 0; at < 51; at += 1) await add("owner", `${at}`)
    await add("person:bob", "for Bob")
    const shown = async (who: string) =>
      (await store.notices.see({ ...OWNER, who })).map(({ text, isNew }) => `${text} ${isNew}`)
    expect(await shown("person:bob")).toEqual(["for Bob true"])
    expect(await shown("owner")).toEqual(Array.from({ length: 50 }, (_one, at) => `${at + 1} true`))
    await add("owner", "last")
    expect((await shown("owner")).slice(-2)).toEqual(["50 false", "last true"])
    expect(await store.notices.last(OWNER)).toEqual({ at: 0, text: "last" })
    await store.notices.add({ ...OWNER, session: "s", text: "private" })
    expect((await store.notices.see({ ...OWNER, trust: "familiar" })).length).toBe(0)
  })

  test("tasks count from 1 for each list, and none is seen below the trust that it was written at", async () => {
    const { store } = await held(open)
    const bob = { ...OWNER, who: "person:bob", by: "bob (full)" }
    const write = (list: TaskList, title: string) => store.tasks.write(list, { title }, 2)
    expect(await write(OWNER, "one")).toEqual({ id: "1", title: "one", status: "open", steps: [] })
    expect(await write(bob, "his")).toMatchObject({ id: "1", by: "bob (full)" })
    await write(OWNER, "two")
    expect(await write(OWNER, "three")).toBe("too-many-open")
    expect(await store.tasks.write(OWNER, { id: "7", status: "done" }, 2)).toBe("no-such-task")
    await store.tasks.write(OWNER, { id: "1", status: "done" }, 2)
    const ids = async (also?: string) => (await store.tasks.open(OWNER, also)).map(({ id }) => id)
    expect([await ids(), await ids("1")]).toEqual([["2"], ["1", "2"]])
    expect(await store.tasks.list({ ...OWNER, trust: "familiar" })).toEqual([])
    await store.tasks.erase(OWNER)
    expect([await store.tasks.list(OWNER), await write(OWNER, "next")]).toMatchObject([[], { id: "3" }])
  })

  test("a place in a workflow moves from where it was expected, and nowhere else", async () => {
    const { store } = await held(open)
    const [first, second] = ["look", "mend"].map((step, at) => ({ name: "lamp", current: at + 1, step }))
    if (first === undefined || second === undefined) throw new Error("both are there")
    await store.workflows.put(OWNER, first)
    expect(await store.workflows.move(OWNER, second, undefined)).toBe(false)
    expect(await store.workflows.move(OWNER, first, second)).toBe(true)
    expect(await store.workflows.move(OWNER, first, second)).toBe(false)
    expect(await store.workflows.get(OWNER)).toEqual(second)
    expect(await store.workflows.move(OWNER, second, undefined)).toBe(true)
    expect([await store.workflows.get(OWNER), await store.workflows.remove(OWNER)]).toEqual([
      undefined,
      false,
    ])
  })

  test("of two who learn from the same state at once, one has to look again", async () => {
    const { store } = await held(open)
    const { writingHabits } = store
    expect(await writingHabits.replace(OWNER, undefined, "1")).toBe(true)
    expect(await writingHabits.replace(OWNER, undefined, "2")).toBe(false)
    expect(await writingHabits.replace(OWNER, "1", "2")).toBe(true)
    expect(await writingHabits.read(OWNER)).toBe("2")
    await writingHabits.erase(OWNER)
    expect(await writingHabits.read(OWNER)).toBe(undefined)
  })

  test("a bulletin is for one trust, and erased for all", async () => {
    const { store, at } = await held(open)
    const inner = { ...OWNER, trust: "inner" } as const
    const bulletin = { lines: ["one", "two"], entries: ["a"], by: "rule" } as const
    at(8)
    await store.bulletins.write(OWNER, bulletin)
    await store.bulletins.write(inner, { ...bulletin, by: "model" })
    expect(await store.bulletins.read(OWNER)).toEqual({ ...bulletin, at: 8 })
    await store.bulletins.remove(OWNER)
    expect([await store.bulletins.read(OWNER), (await store.bulletins.read(inner))?.by]).toEqual([
      ...[undefined, "model"],
    ])
    await store.bulletins.erase(OWNER)
    expect(await store.bulletins.read(inner)).toBe(undefined)
  })
}

export function scheduleContract(open: OpenEmpty): void {
  const run = (turn: string) => ({ id: turn, turn, session: "s", message: { text: "" }, takenBy: "a" })

  test("a run is claimed with its message, once, and none after a newer one", async () => {
    const { store } = await held(open)
    const claimed = async (due: number, turn: string, entry = "c1") =>
      store.inbox.receive(run(turn), { scheduleRun: { agent: "main", entry, due } })
    expect(await claimed(7, "1")).toMatchObject({ turn: "1" })
    expect([await claimed(7, "2"), await claimed(5, "3"), await claimed(7, "4", "1")]).toEqual([
      ...["taken", "taken", "taken"],
    ])
    expect(await store.schedule.last("main", "c1")).toEqual({ due: 7, turn: "1", state: "waiting" })
    expect(await store.inbox.message("2")).toBe(undefined)
  })

  test("a run whose message cannot be stored is not claimed", async () => {
    const { store } = await held(open)
    const scheduleRun = { agent: "main", entry: "c1", due: 7 }
    const lost = store.inbox.receive({ ...run("1"), session: "none" }, { scheduleRun })
    await expect(lost).rejects.toMatchObject({ code: "unusable-database" })
    expect(await store.inbox.receive(run("2"), { scheduleRun })).toMatchObject({ turn: "2" })
  })

  test("an entry is added once, removed once, and counts since it was added or first seen", async () => {
    const { store, at } = await held(open)
    const { schedule } = store
    at(4)
    const entry = await schedule.add("main", { cron: "@daily", run: "x" })
    expect(await schedule.add("main", { cron: "@daily", run: "x" })).toEqual(entry)
    expect([await schedule.added("main"), await schedule.added("other")]).toEqual([[entry], []])
    at(9)
    const settled = async () => [...(await schedule.settled("main", [entry.id, "c1"])).values()]
    expect(await settled()).toEqual([4, 9])
    at(12)
    expect(await settled()).toEqual([4, 9])
    await schedule.keepOnly("main", [entry.id])
    expect(await settled()).toEqual([4, 12])
    const remove = (agent: string) => schedule.remove(agent, entry.id)
    expect([await remove("other"), await remove("main"), await remove("main")]).toEqual([false, true, false])
  })
}

export function upkeepContract(open: OpenEmpty): void {
  test("what is over and old goes; what waits, is not handed over or is current stays", async () => {
    const { store, at, lease } = await held(open, "1")
    await store.transcripts.change(lease, { turn: "1", append: [said("old")] })
    await store.inbox.finish(lease, { turn: "1" }, reply("1"))
    at(50)
    await store.sessions.create("newer", KEY)
    const prune = (isDry = false) => store.upkeep.prune({ olderThanMs: 10, isDry })
    expect((await prune()).sessions).toBe(0)
    await store.outbox.markSent("1")
    const report = { sessions: 1, turns: 1, items: 1, notices: 0 }
    expect([await prune(true), await prune()]).toEqual([report, report])
    await store.upkeep.shrink()
    expect((await store.sessions.list("main")).map(({ id }) => id)).toEqual(["newer"])
  })

  test("one person is erased, unless somebody works on a conversation of theirs", async () => {
    const { store, at } = await held(open, "1")
    await store.sessions.create("b", { ...KEY, who: "person:bob" })
    await claim(store, "b", "a")
    await expect(store.upkeep.erase(["person:bob"])).rejects.toMatchObject({ code: "session-lost" })
    at(31)
    await store.tasks.write({ ...OWNER, who: "person:bob" }, { title: "his" }, 5)
    const report = { sessions: 1, ids: ["b"], tasks: 1, turns: 0, items: 0, notices: 0, rooms: 0 }
    expect(await store.upkeep.erase(["person:bob"], { isDry: true })).toEqual(report)
    expect(await store.upkeep.erase(["person:bob"])).toEqual(report)
    await store.upkeep.shrink({ thoroughly: true })
    expect((await store.sessions.list("main")).map(({ id }) => id)).toEqual(["s"])
    expect(await store.isGone()).toBe(false)
  })
}
