// A damaged agent.db is set aside, and what can still be read goes on in a new one: at the start, in the middle of the
// work, after a crash in between, and once.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import fc from "fast-check"
import { expect, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { moveAside } from "../../../src/database/sqlite/damaged.ts"
import { isTrouble } from "../../../src/database/tolerate.ts"
import { clock, inStore, open, refuse, say, server, transcript, workspace } from "../world/agent-world.ts"

const PAGE = 4096
const fileOf = (root: string) => `${root}/.incipit/agent.db`

/** Two conversations, of which one is in plan mode, and a message that waits. */
async function used() {
  const root = workspace()
  const time = clock()
  let isDown = false
  const from = await server(() => (isDown ? refuse(529) : say("Answered.")))
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const first = await agent.send("first")
  await agent.setPlanMode(first.session, true)
  isDown = true
  await agent.send("second", { isNew: true })
  await agent.close()
  isDown = false
  return { root, time, from, first }
}

const KEY = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" } as const

/** A store with long items, which take many pages. */
async function filled(): Promise<string> {
  const root = workspace()
  const store = await openStore(fileOf(root))
  for (const session of ["one", "two"]) {
    await store.sessions.create(session, KEY)
    for (let count = 0; count < 30; count += 1)
      await store.transcripts.add(session, {
        ...{ kind: "custom", by: "test", text: `${count} ${"x".repeat(500 * count)}` },
      })
  }
  await store.close()
  return root
}

/** Pages by number, from 1, as a failing disk leaves them. */
function damage(root: string, pages: readonly number[]): void {
  const bytes = readFileSync(fileOf(root))
  for (const page of pages) bytes.fill(7, (page - 1) * PAGE, Math.min(page * PAGE, bytes.length))
  writeFileSync(fileOf(root), bytes)
}

/** The page at which a table begins. */
function rootPage(root: string, table: string): number {
  const database = new DatabaseSync(fileOf(root), { readOnly: true })
  const row = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?").get(table)
  database.close()
  return Number(row?.rootpage)
}

const quietly = () => {}

test("a file that is no database any more is set aside, and the agent begins again", async () => {
  const root = await filled()
  damage(
    root,
    Array.from({ length: statSync(fileOf(root)).size / PAGE }, (_, at) => at + 1),
  )
  const troubles: string[] = []
  const { agent } = await open(root, undefined, { trouble: (text) => void troubles.push(text) })
  expect((await agent.send("Hello?")).state).toBe("answered")
  expect(troubles.map((text) => text.replaceAll(root, ""))).toEqual([
    "/.incipit/agent.db was damaged. Nothing in it could be recovered, so it was replaced by an empty one. The damaged file is /.incipit/agent.db.damaged-1; delete it when you no longer need it.",
  ])
})

test("what can be read is kept: conversations, modes, what waits", async () => {
  const { root, time, from, first } = await used()
  // No table of its own, so that all rows can be read; it is found out by the first message.
  damage(root, [rootPage(root, "idx_inbox_session")])
  const troubles: string[] = []
  const { agent, late } = await open(root, from, {
    ...{ now: time.now, wait: time.wait, trouble: (text: string) => void troubles.push(text) },
  })
  const again = () => agent.send("And now?", { session: first.session, planMode: true })
  await expect(again()).rejects.toThrow(/was damaged and has been replaced/)
  expect(troubles.map((text) => text.replaceAll(root, "").replace(/\d+ rows/, "<n> rows"))).toEqual([
    "/.incipit/agent.db was damaged. A new one has what could be recovered: 2 conversations, <n> rows in all. The damaged file is /.incipit/agent.db.damaged-1; delete it when you no longer need it.",
  ])
  const [state] = inStore(root, (store) =>
    store.all("SELECT state FROM sessions WHERE id = ?", first.session),
  )
  expect(state).toEqual({ state: '{"planMode":true}' })
  expect((await again()).state).toBe("answered")
  expect(transcript(root, first.session)).toEqual([
    ...["user: first", "assistant: Answered."],
    ...["user: And now?", "assistant: Answered."],
  ])
  time.set(time.now() + 3_600_000)
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["Answered."])
})

test("a process that dies after it has set the file aside leaves the rest to the next, which does it once", async () => {
  const root = await filled()
  const whole = inStore(root, (store) => store.all("SELECT id, item FROM items"))
  damage(root, [rootPage(root, "idx_inbox_session")])
  expect(moveAside(fileOf(root))).toBe(`${fileOf(root)}.damaged-1`)
  const store = await openStore(fileOf(root), { onRepaired: quietly })
  await store.close()
  expect(inStore(root, (found) => found.all("SELECT id, item FROM items"))).toEqual(whole)
  // Erased since: it must not come back.
  const driver = new DatabaseSync(fileOf(root))
  driver.exec("DELETE FROM items WHERE session_id = 'one'")
  driver.close()
  const again = await openStore(fileOf(root), { onRepaired: quietly })
  const [one, two] = [await again.transcripts.read("one"), await again.transcripts.read("two")]
  expect([one.length, two.length]).toEqual([0, 30])
  await again.close()
})

test("rows behind a damaged page are found", async () => {
  const root = await filled()
  const pages = statSync(fileOf(root)).size / PAGE
  const lost = Array.from({ length: 6 }, (_, at) => Math.floor(pages / 2) + at)
  damage(root, lost)
  const store = await openStore(fileOf(root), { onRepaired: quietly })
  const reads = ["one", "two"].map((session) => store.transcripts.read(session))
  await expect(Promise.all(reads)).rejects.toThrow()
  await Promise.allSettled(reads)
  await store.close()
  const ids = inStore(root, (found) =>
    found.all("SELECT id FROM items ORDER BY id").map(({ id }) => Number(id)),
  )
  expect([ids[0], ids.at(-1)]).toEqual([1, 60])
  expect(ids.length).toBeGreaterThan(45)
  expect(ids.length).toBeLessThan(60)
})

test("what serving keeps is kept: tokens, senders, arrivals, deliveries, places, spending, and files that are whole", async () => {
  const root = workspace()
  const store = await openStore(fileOf(root))
  await store.sessions.create("s", KEY)
  const files = ["boat", "mast"].map((text) => ({
    ...{ mediaType: "image/png", data: Buffer.alloc(9_000, text).toString("base64") },
  }))
  const message = { id: "m", turn: "t", session: "s", message: { text: "Look.", files }, takenBy: "a" }
  await store.inbox.receive(message, { arrival: { channel: "telegram", id: "u1", offset: "2" } })
  await store.tokens.add({ id: "t", hash: "h", user: "bo", situation: "dm", scopes: ["talk"], name: "x" })
  const sender = { channel: "telegram", sender: "1" }
  await store.pairings.ask({ ...sender, hash: "h", expiresInMs: 1_000_000, mostOpen: 5 })
  await store.pairings.confirm({ hash: "h", user: "bo", mostWrong: 5 })
  await store.deliveries.add([{ id: "d", channel: "telegram", to: "1", body: "{}" }])
  await store.places.remember({ session: "s", seq: 1, turn: "t", response: "resp_t" })
  await store.spending.add({ id: "c", agent: "main", who: "owner", turn: "t", costUsd: 1, tokens: 7 })
  await store.requests.begin({
    ...{ caller: "t", key: "k", digest: "d", turn: "t", leaseMs: 1_000_000, expiresInMs: 1_000_000 },
  })
  await store.close()
  const bytes = readFileSync(fileOf(root))
  // One bit of a picture, which SQLite does not notice, and an index, which it does.
  bytes[bytes.indexOf(Buffer.alloc(4_000, "mast"))] = 0
  writeFileSync(fileOf(root), bytes)
  damage(root, [rootPage(root, "idx_inbox_session")])
  moveAside(fileOf(root))
  const again = await openStore(fileOf(root), { onRepaired: quietly })
  const kept = (await again.inbox.message("t"))?.message.files
  expect(kept).toMatchObject([files[0], { mediaType: "text/plain" }])
  expect((await again.channels.arrivalOf("t"))?.id).toBe("u1")
  expect(await again.channels.offset("telegram")).toBe("2")
  expect((await again.tokens.valid("h"))?.user).toBe("bo")
  expect((await again.pairings.find(sender))?.user).toBe("bo")
  expect((await again.deliveries.take("telegram", 1))?.id).toBe("d")
  expect((await again.places.byResponse(KEY, "resp_t"))?.turn).toBe("t")
  expect((await again.spending.sum({})).tokens).toBe(7)
  const request = { caller: "t", key: "k", digest: "d", turn: "u", leaseMs: 1, expiresInMs: 1 }
  expect(await again.requests.begin(request)).toMatchObject({ kind: "running", turn: "t" })
  await again.close()
})

test("whichever pages are damaged, the store can be used again, and all that it kept can be read", async () => {
  const sound = readFileSync(fileOf(await filled()))
  const root = workspace()
  mkdirSync(`${root}/.incipit`)
  const used = async () => {
    const store = await openStore(fileOf(root), { onRepaired: quietly })
    try {
      const items = [...(await store.transcripts.read("one")), ...(await store.transcripts.read("two"))]
      await store.inbox.open("main")
      await store.sessions.create("new", KEY)
      return items.every(({ item }) => item.kind === "custom")
    } catch (error) {
      if (isTrouble(error)) return undefined
      throw error
    } finally {
      await store.close()
    }
  }
  const pages = fc.integer({ min: 1, max: sound.length / PAGE })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(pages, { minLength: 1, maxLength: 4 }), async (damaged) => {
      for (const name of readdirSync(`${root}/.incipit`)) rmSync(`${root}/.incipit/${name}`)
      writeFileSync(fileOf(root), sound)
      damage(root, damaged)
      // The first look may be the one that finds the damage.
      expect((await used()) ?? (await used())).toBe(true)
    }),
    { numRuns: 25 },
  )
})
