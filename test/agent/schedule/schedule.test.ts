// What is due and who takes it: first sight, missed runs, clocks that are set, entries that come and go.
import { expect, onTestFinished, test } from "vitest"
import type { Firing } from "../../../src/agent/schedule/due-runs.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"
import { openAt, storeFile } from "./schedule-store.ts"

/** A clock on the wall of UTC, and the schedule that goes by it. */
function world(entries: readonly ConfiguredRun[], start: string, path = storeFile()) {
  let now = Date.parse(`${start}Z`)
  const { schedule, database, store, claim } = openAt(path, { now: () => now, entries })
  onTestFinished(() => database.close())
  const shown = ({ due, missed }: Firing) => `${new Date(due).toISOString().slice(0, 16)} missed ${missed}`
  return {
    schedule,
    claim,
    store,
    path,
    set: (time: string) => {
      now = Date.parse(`${time}Z`)
    },
    /** What is due at a time, each taken at once. */
    at: async (time: string) => {
      now = Date.parse(`${time}Z`)
      const due = await schedule.due()
      for (const firing of due) expect(await claim(firing, `turn ${firing.entry} ${firing.due}`)).toBe(true)
      expect(await schedule.due()).toEqual([])
      return due.map(shown)
    },
  }
}

const DAILY = { cron: "0 8 * * *", run: "HEARTBEAT.md" }
const HOURLY = { cron: "0 * * * *", run: "Look around." }

test("nothing of the time before an entry is seen is due", async () => {
  const { at } = world([DAILY], "2026-01-01T09:00")
  expect(await at("2026-01-01T09:00")).toEqual([])
  expect(await at("2026-01-02T07:59:59.999")).toEqual([])
  expect(await at("2026-01-02T08:00")).toEqual(["2026-01-02T08:00 missed 0"])
  expect(await at("2026-01-02T08:01")).toEqual([])
})

test("what was written counts from when it was written", async () => {
  const { schedule, set, at } = world([], "2026-01-01T09:00")
  await schedule.book().add("30 9 * * *", "Look around.")
  set("2026-01-01T09:40")
  expect(await at("2026-01-01T09:40")).toEqual(["2026-01-01T09:30 missed 0"])
})

test.each([
  ["once", ["2026-01-04T12:00 missed 74"]],
  ["skip", []],
  [
    "all",
    Array.from({ length: 24 }, (_run, index) => {
      const time = new Date(Date.UTC(2026, 0, 3, 13) + index * 3_600_000).toISOString().slice(0, 16)
      return `${time} missed ${index === 0 ? 51 : 0}`
    }),
  ],
] as const)("after a sleep of three days, missed: %s", async (missed, expected) => {
  const { at } = world([{ ...HOURLY, missed }], "2026-01-01T09:30")
  expect(await at("2026-01-01T09:30")).toEqual([])
  expect(await at("2026-01-04T12:30")).toEqual(expected)
  expect(await at("2026-01-04T13:00:59")).toEqual([`2026-01-04T13:00 missed ${missed === "skip" ? 75 : 0}`])
})

test("with missed: skip, a run of two minutes ago was not missed, and an older one was", async () => {
  const at = async (time: string) => {
    const one = world([{ ...HOURLY, missed: "skip" }], "2026-01-01T09:30")
    await one.at("2026-01-01T09:30")
    return await one.at(time)
  }
  expect(await at("2026-01-01T10:02")).toEqual(["2026-01-01T10:00 missed 0"])
  expect(await at("2026-01-01T10:02:00.001")).toEqual([])
})

test("runs of all entries are due oldest first, and those of one moment by their entries", async () => {
  const entries = ["e", "d", "c", "b", "a"].map((run): ConfiguredRun => ({ ...HOURLY, run, missed: "all" }))
  const { schedule, set } = world(
    [{ cron: "30 * * * *", run: "x", missed: "all" }, ...entries],
    "2026-01-01T09:00",
  )
  expect(await schedule.due()).toEqual([])
  set("2026-01-01T11:00")
  const due = (await schedule.due()).map(({ due: time, entry }) => `${new Date(time).toISOString()} ${entry}`)
  expect(due).toHaveLength(12)
  expect(due).toEqual(due.toSorted())
})

test("what is a day old is made up for, what is older is not", async () => {
  const at = async (time: string) => {
    const one = world([{ cron: "0 8 * * 1", run: "x" }], "2026-01-01T00:00")
    await one.at("2026-01-01T00:00")
    return await one.at(time)
  }
  expect(await at("2026-01-06T08:00")).toEqual(["2026-01-05T08:00 missed 0"])
  expect(await at("2026-01-06T08:00:00.001")).toEqual([])
})

test("a run that was left out is mentioned with the next one", async () => {
  const { at } = world([{ cron: "0 8 * * 1", run: "x" }], "2026-01-01T00:00")
  expect(await at("2026-01-01T00:00")).toEqual([])
  expect(await at("2026-01-08T08:00")).toEqual([])
  expect(await at("2026-01-12T08:00")).toEqual(["2026-01-12T08:00 missed 1"])
})

test("a clock that is set back repeats nothing", async () => {
  const { at, schedule } = world([HOURLY], "2026-01-01T09:30")
  await at("2026-01-01T09:30")
  expect(await at("2026-01-01T10:00")).toEqual(["2026-01-01T10:00 missed 0"])
  expect(await at("2026-01-01T08:30")).toEqual([])
  expect(new Date((await schedule.next()) ?? 0).toISOString()).toBe("2026-01-01T11:00:00.000Z")
  expect(await at("2026-01-01T10:30")).toEqual([])
  expect(await at("2026-01-01T11:00")).toEqual(["2026-01-01T11:00 missed 0"])
})

test("a clock that was years ahead holds nothing up when it is set right", async () => {
  const { at, schedule } = world([HOURLY], "2026-01-01T09:30")
  await at("2026-01-01T09:30")
  expect(await at("2035-01-01T10:00")).toEqual(["2035-01-01T10:00 missed 1000"])
  expect(await at("2026-01-01T10:00")).toEqual(["2026-01-01T10:00 missed 0"])
  expect(new Date((await schedule.next()) ?? 0).toISOString()).toBe("2026-01-01T11:00:00.000Z")
  expect(await at("2035-01-01T10:00")).toEqual([])
})

test("an entry that was first seen under such a clock counts from now", async () => {
  const { at } = world([HOURLY], "2035-01-01T09:30")
  expect(await at("2035-01-01T09:30")).toEqual([])
  expect(await at("2026-01-01T10:00")).toEqual([])
  expect(await at("2026-01-01T11:00")).toEqual(["2026-01-01T11:00 missed 0"])
})

test("a run is taken once, and none after a newer one", async () => {
  const { schedule, claim, set } = world([DAILY], "2026-01-01T09:00")
  await schedule.due()
  set("2026-01-02T08:00")
  const [first] = await schedule.due()
  set("2026-01-03T08:00")
  const [second] = await schedule.due()
  if (first === undefined || second === undefined) throw new Error("both are due")
  expect(await claim(second, "two")).toBe(true)
  expect([await claim(second, "again"), await claim(first, "late")]).toEqual([false, false])
  expect(await schedule.last(second.entry)).toEqual({ due: second.due, turn: "two", state: "waiting" })
})

test("a run whose message cannot be stored is not taken", async () => {
  const { schedule, set, store } = world([DAILY], "2026-01-01T09:00")
  await schedule.due()
  set("2026-01-02T08:00")
  const [due] = await schedule.due()
  const message = { id: "m", turn: "one", session: "there is none", message: { text: "" }, takenBy: "a" }
  const scheduleRun = { agent: "main", entry: due?.entry ?? "", due: due?.due ?? 0 }
  await expect(store.inbox.receive(message, { scheduleRun })).rejects.toThrow("FOREIGN KEY")
  expect(await schedule.due()).toEqual([due])
})

test("an entry that is removed while its run is due is not taken", async () => {
  const { schedule, claim, set } = world([], "2026-01-01T09:00")
  const { id } = await schedule.book().add("0 8 * * *", "x")
  set("2026-01-02T08:00")
  const due = await schedule.due()
  expect(due).toHaveLength(1)
  expect([await schedule.book().remove(id), await schedule.book().remove(id)]).toEqual([true, false])
  for (const firing of due) expect(await claim(firing, "late")).toBe(false)
  expect((await schedule.book().add("0 8 * * *", "x")).id).toBe("2")
})

test("an entry that is taken out of the configuration and put back is a new one", async () => {
  const first = world([DAILY], "2026-01-01T09:00")
  expect(await first.at("2026-01-01T09:00")).toEqual([])
  expect(await first.at("2026-01-02T08:00")).toEqual(["2026-01-02T08:00 missed 0"])
  const without = world([HOURLY], "2026-01-02T09:00", first.path)
  expect(await without.at("2026-01-02T09:00")).toEqual([])
  const back = world([DAILY], "2026-01-04T09:00", first.path)
  expect(await back.at("2026-01-04T09:00")).toEqual([])
  expect(await back.at("2026-01-05T08:00")).toEqual(["2026-01-05T08:00 missed 0"])
})

test("the book lists both kinds, keeps the same entry once, and refuses what is no schedule", async () => {
  const { schedule } = world([DAILY, DAILY], "2026-01-01T09:00")
  const book = schedule.book()
  const added = { id: "1", cron: "@weekly", run: "Look around.", next: Date.UTC(2026, 0, 4) }
  expect([await book.add(" @weekly ", "Look around.\n"), await book.add("@weekly", "Look around.")]).toEqual([
    added,
    added,
  ])
  expect(await book.list()).toEqual([{ id: "cb9175909", ...DAILY, next: Date.UTC(2026, 0, 2, 8) }, added])
  await expect(book.add("0 25 * * *", "x")).rejects.toThrow(
    'Not scheduled: "25" is not a valid hour: use 0 to 23, *, lists, ranges from low to high, and steps such as */2.',
  )
  await expect(book.add("@daily", " ")).rejects.toThrow("Not scheduled: there is nothing to run.")
  await expect(book.remove("cb9175909")).rejects.toThrow(
    "The entry cb9175909 is in incipit.yaml and can only be removed there.",
  )
})

test("agents in one store do not see each other's entries", async () => {
  const path = storeFile()
  const now = () => 0
  const [one, other] = ["main", "keeper"].map((agent) => openAt(path, { now, agent }))
  const { id = "" } = (await one?.schedule.book().add("@daily", "x")) ?? {}
  expect([await other?.schedule.entries(), await other?.schedule.book().remove(id)]).toEqual([[], false])
  expect(await other?.claim({ entry: id, due: 0 }, "turn")).toBe(false)
  const seen = () => one?.database.all("SELECT agent, entry FROM schedule_seen")
  await one?.schedule.due()
  await other?.schedule.due()
  expect(seen()).toEqual([{ agent: "main", entry: id }])
  one?.database.close()
  other?.database.close()
})

test("entries go by their own zone", async () => {
  const { schedule } = world(
    [
      { ...DAILY, zone: "Asia/Kolkata" },
      { ...DAILY, zone: "America/New_York" },
    ],
    "2026-01-01T00:00",
  )
  expect((await schedule.book().list()).map(({ next }) => new Date(next ?? 0).toISOString())).toEqual([
    "2026-01-01T02:30:00.000Z",
    "2026-01-01T13:00:00.000Z",
  ])
})
