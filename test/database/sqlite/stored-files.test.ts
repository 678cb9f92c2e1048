// The bytes of files are stored once, apart from what names them, and go with the last conversation that does.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Message } from "../../../src/core/model/message.ts"
import type { MessageFile } from "../../../src/database/contract/message-file.ts"
import type { Item } from "../../../src/database/contract/transcripts.ts"
import { testStore } from "../../agent/world/temporary-store.ts"
import { claim, KEY, reply } from "../contract/agent-store-contract.ts"

const PNG: MessageFile = { mediaType: "image/png", data: Buffer.alloc(3_000, 1).toString("base64") }
const PDF: MessageFile = {
  ...{ mediaType: "application/pdf", name: "plan.pdf", data: Buffer.from("plan").toString("base64") },
}

const message = (turn: string, files: readonly MessageFile[], session = "s") => ({
  ...{ id: turn, turn, session, message: { text: turn, files }, takenBy: "a" },
})

function shown(...files: readonly MessageFile[]): Item {
  const parts: Message["parts"] = files.map((file) => ({
    ...{ kind: "native", format: "file", value: { type: "file", ...file } },
  }))
  return { kind: "message", message: { role: "user", parts: [{ kind: "text", text: "Look." }, ...parts] } }
}

async function world() {
  const { store, database } = testStore()
  await store.sessions.create("s", KEY)
  const rows = (table: string) => Number(database.get(`SELECT count(*) AS rows FROM ${table}`)?.rows)
  const bytesIn = (table: string, column: string) =>
    Number(database.get(`SELECT coalesce(max(length(${column})), 0) AS long FROM ${table}`)?.long)
  return { store, database, rows, bytesIn }
}

test("messages and items are read as they were written, and their rows stay short", async () => {
  const { store, rows, bytesIn } = await world()
  await store.inbox.receive(message("1", [PNG, PDF]))
  const files = async () => (await store.inbox.message("1"))?.message.files
  expect(await files()).toEqual([PNG, PDF])
  expect((await store.inbox.open("main")).map((one) => one.message)).toEqual([{ text: "1" }])
  const lease = await claim(store, "s", "a")
  const call: Item = {
    kind: "message",
    message: {
      role: "user",
      parts: [
        {
          ...{ kind: "tool-result", id: "c", text: "a chart" },
          native: { format: "file", value: { type: "file", ...PNG } },
        },
      ],
    },
  }
  const [first] = await store.transcripts.change(lease, { turn: "1", append: [shown(PNG, PDF), call] })
  expect(first?.item).toEqual(shown(PNG, PDF))
  const read = async (session = "s") => (await store.transcripts.read(session)).map(({ item }) => item)
  expect(await read()).toEqual([shown(PNG, PDF), call])
  await store.transcripts.change(lease, { turn: "1", replace: [{ seq: 2, item: shown(PDF) }] })
  await store.transcripts.fork("s", { as: "f", upTo: 2 })
  expect([await read(), await read("f")]).toEqual(Array(2).fill([shown(PNG, PDF), shown(PDF)]))
  expect([rows("files"), rows("file_uses")]).toEqual([2, 4])
  expect(bytesIn("inbox", "message") + bytesIn("items", "item")).toBeLessThan(1_000)
})

test("an edit keeps the files of a message or brings others, and a moved message has its own", async () => {
  const { store } = await world()
  await store.sessions.create("r", { ...KEY, who: "person:bob" })
  const arrival = { channel: "telegram", id: "u1" }
  await store.inbox.receive(message("1", [PNG]), { arrival })
  const edit = (id: string, files?: readonly MessageFile[]) =>
    store.channels.edit(
      { channel: "telegram", id },
      { of: "u1", message: { text: id, ...(files && { files }) } },
    )
  const now = async () => (await store.inbox.message("1"))?.message
  await edit("e1")
  expect(await now()).toEqual({ text: "e1", files: [PNG] })
  await edit("e2", [PDF])
  const lease = await claim(store, "s", "a")
  await store.inbox.move(lease, { turn: "1", to: "r" }, { was: {}, now: {} })
  expect(await now()).toEqual({ text: "e2", files: [PDF] })
  await store.sessions.release(lease)
  await store.upkeep.erase([KEY.who])
  expect(await now()).toEqual({ text: "e2", files: [PDF] })
})

test("bytes go with the last conversation that has them", async () => {
  const { store, rows } = await world()
  await store.sessions.create("r", { ...KEY, who: "person:bob" })
  await store.inbox.receive(message("1", [PNG, PDF]))
  await store.inbox.receive(message("2", [PNG], "r"))
  await store.upkeep.erase([KEY.who], { isDry: true })
  expect(rows("files")).toBe(2)
  await store.upkeep.erase([KEY.who])
  expect((await store.inbox.message("2"))?.message.files).toEqual([PNG])
  expect(rows("files")).toBe(1)
  await store.upkeep.erase(["person:bob"])
  expect([rows("files"), rows("file_uses")]).toEqual([0, 0])
})

test("in a conversation that goes on, they go once nothing names them", async () => {
  const { store, rows } = await world()
  const lease = await claim(store, "s", "a")
  for (const turn of ["1", "2"]) {
    await store.inbox.receive(message(turn, turn === "1" ? [PNG] : [PDF]))
    await store.transcripts.change(lease, { turn, append: [shown(turn === "1" ? PNG : PDF)] })
    await store.inbox.finish(lease, { turn }, reply(turn, { state: "silent" }))
  }
  const prune = () => store.upkeep.prune({ olderThanMs: -1 })
  await prune()
  expect(rows("files")).toBe(2)
  await store.transcripts.change(lease, { turn: "2", past: [1] })
  await prune()
  expect((await store.transcripts.read("s")).map(({ item }) => item)).toEqual([shown(PDF)])
  expect(rows("files")).toBe(1)
})

test("a digest is no key to files of others, and a model is told of bytes that were lost", async () => {
  const { store, database } = await world()
  await store.sessions.create("r", { ...KEY, who: "person:bob" })
  await store.inbox.receive(message("1", [PNG]))
  await store.transcripts.add("s", shown(PNG))
  database.run("INSERT INTO items (session_id, seq, at, item) SELECT 'r', 1, 0, item FROM items")
  const lost = { kind: "text", text: "A file was here; it was damaged on disk." }
  const [stolen] = await store.transcripts.read("r")
  expect(stolen?.item).toMatchObject({ message: { parts: [{ text: "Look." }, lost] } })
  database.run("DELETE FROM files")
  const text = { mediaType: "text/plain", data: Buffer.from(lost.text).toString("base64") }
  expect((await store.inbox.message("1"))?.message.files).toEqual([{ ...PNG, ...text }])
})

test("on a full disk a message is refused whole, and taken once there is room", async () => {
  const { store, database, rows } = await world()
  const arrival = { channel: "telegram", id: "u1", offset: "2" }
  const large = { mediaType: "image/png", data: Buffer.alloc(500_000, 7).toString("base64") }
  const receive = () => store.inbox.receive(message("1", [large]), { arrival })
  const pages = Number(database.get("PRAGMA page_count")?.page_count)
  database.get(`PRAGMA max_page_count = ${pages + 20}`)
  await expect(receive()).rejects.toMatchObject({ code: "unusable-database" })
  expect([await store.channels.offset("telegram"), rows("inbox"), rows("files")]).toEqual([undefined, 0, 0])
  database.get("PRAGMA max_page_count = 1000000")
  expect(await receive()).toMatchObject({ turn: "1", message: { files: [large] } })
  expect([await store.channels.offset("telegram"), rows("files")]).toEqual(["2", 1])
})

test("whatever was written is read, to the letter", async () => {
  const base64 = fc.oneof(
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    // Other programs leave bits behind the last byte, and breaks.
    fc.constantFrom("QR==", "QQ", "QQ==\n", "not base64", ""),
  )
  const { store } = await world()
  const property = fc.asyncProperty(base64, async (data) => {
    await store.transcripts.add("s", shown({ ...PDF, data }))
    expect((await store.transcripts.read("s")).at(-1)?.item).toEqual(shown({ ...PDF, data }))
  })
  await fc.assert(property, { numRuns: 20 })
})
