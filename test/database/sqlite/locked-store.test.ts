// A store whose file another connection has locked: nothing fails, nothing blocks, and everything happens in order.
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { createBusyLine } from "../../../src/database/sqlite/busy-line.ts"
import { testStore } from "../../agent/world/temporary-store.ts"
import { claim, KEY, said } from "../contract/agent-store-contract.ts"

const WRITES = Array.from({ length: 200 }, (_, at) => `${at}`)

/** Holds the write lock until it is released. */
function locked(path: string) {
  const driver = new DatabaseSync(path)
  onTestFinished(() => driver.close())
  driver.exec("BEGIN IMMEDIATE")
  return { release: () => driver.exec("COMMIT") }
}

test("while the file is locked the loop turns, reads are answered, and writes wait; then they are done in order", async () => {
  const { database } = testStore()
  const store = await openStore(database.path)
  onTestFinished(() => store.close())
  await store.sessions.create("s", KEY)
  const lease = await claim(store, "s", "a")
  const lock = locked(database.path)
  let done = 0
  const writes = WRITES.map(async (text) => {
    await store.transcripts.change(lease, { turn: "1", append: [said(text)] })
    done += 1
  })
  for (let turns = 0; turns < 50; turns += 1) await setImmediate()
  expect([await store.transcripts.read("s"), done]).toEqual([[], 0])
  lock.release()
  await Promise.all(writes)
  const items = await store.transcripts.read("s")
  expect(items.map(({ item }) => "text" in item && item.text)).toEqual(WRITES)
})

test("a store can be opened and closed while its file is locked", async () => {
  const { database } = testStore()
  const lock = locked(database.path)
  const store = await openStore(database.path)
  const created = store.sessions.create("s", KEY)
  const closed = store.close()
  await expect(store.sessions.get("s")).rejects.toMatchObject({ code: "unusable-database" })
  lock.release()
  await Promise.all([created, closed])
  expect(database.all("SELECT id FROM sessions")).toEqual([{ id: "s" }])
})

test("once the lock is gone, other work gets its turn between any two that waited", async () => {
  const { database } = testStore()
  const other = new DatabaseSync(database.path)
  onTestFinished(() => other.close())
  const lock = locked(database.path)
  const line = createBusyLine()
  const seen: string[] = []
  const works = ["1", "2", "3"].map((key) =>
    line(() => {
      other.exec(`INSERT INTO salvaged VALUES ('${key}', 1)`)
      seen.push(key)
    }),
  )
  lock.release()
  while (seen.filter((one) => one !== "-").length < works.length) {
    await setImmediate()
    if (seen.length > 0 && seen.at(-1) !== "-") seen.push("-")
  }
  await Promise.all(works)
  expect(seen.slice(0, 5)).toEqual(["1", "-", "2", "-", "3"])
})

test("work that the lock outlasts fails with its cause, and the next in line is tried", async () => {
  const { database } = testStore()
  const other = new DatabaseSync(database.path)
  onTestFinished(() => other.close())
  const lock = locked(database.path)
  const impatient = createBusyLine(0)
  const tries: string[] = []
  const write = (name: string) =>
    impatient(() => {
      tries.push(name)
      other.exec("INSERT INTO salvaged VALUES ('x', 1)")
    })
  const failed = await Promise.allSettled([write("one"), write("two")])
  const locks = failed.map((result) => result.status === "rejected" && String(result.reason))
  expect(locks).toEqual(Array(2).fill("Error: database is locked"))
  lock.release()
  await write("three")
  expect(tries).toEqual(["one", "one", "two", "three"])
})
