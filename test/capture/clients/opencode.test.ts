import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { OPENCODE } from "../../../src/capture/clients/opencode/opencode.ts"
import { callsIn, filesIn, readAll, testReader } from "./reader-contract.ts"
import { writeText } from "./written-files.ts"

const FOLDER = ".local/share/opencode"
const question = (text: string) => ({
  message: { role: "user", time: { created: 1_000 } },
  parts: [{ type: "text", text }],
})
const answer = (at: number, tokens: object, more: object = {}, parts: readonly object[] = []) => ({
  message: {
    ...{ role: "assistant", providerID: "anthropic", modelID: "claude-sonnet-4-5", cost: 0.25 },
    ...{ path: { cwd: "/work/lamp" }, time: { created: at, completed: at + 5 }, tokens },
    ...more,
  },
  parts,
})
const tokens = (input: number, read: number, write: number, output: number, reasoning = 0) => ({
  ...{ input, output, reasoning, cache: { read, write } },
  total: input + read + write + output + reasoning,
})
const RESULT = {
  type: "tool",
  tool: "read",
  callID: "c1",
  state: { status: "completed", input: { path: "a" }, output: "the log" },
}

const messages = [
  question("Look around."),
  answer(2_000, tokens(1, 0, 900, 20), {}, [{ type: "step-start" }, RESULT]),
  answer(3_000, tokens(2, 900, 50, 10, 6), {}, [{ type: "text", text: "Done." }]),
  answer(4_000, tokens(30, 0, 0, 9), { summary: true, mode: "compaction" }, [
    { type: "text", text: "They looked." },
  ]),
  question("And now?"),
  answer(5_000, tokens(40, 0, 0, 12)),
  answer(6_000, tokens(0, 0, 0, 0), { time: { created: 6_000 } }),
]

function database(home: string): DatabaseSync {
  const path = join(home, FOLDER, "opencode.db")
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL, version text NOT NULL, time_created integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('ses_1', '/work/lamp', '1.18.33', 1)`)
  for (const [at, { message, parts }] of messages.entries()) {
    db.prepare("INSERT INTO message VALUES (?, 'ses_1', ?)").run(`msg_${at}`, JSON.stringify(message))
    for (const [n, part] of parts.entries())
      db.prepare("INSERT INTO part VALUES (?, ?, 'ses_1', ?)").run(
        `prt_${at}_${n}`,
        `msg_${at}`,
        JSON.stringify(part),
      )
  }
  return db
}

/** As before there was a database. */
function filed(home: string): void {
  const storage = `${FOLDER}/storage`
  writeText(
    home,
    `${storage}/session/p/ses_1.json`,
    JSON.stringify({ id: "ses_1", directory: "/work/lamp", version: "0.9.0" }),
  )
  for (const [at, { message, parts }] of messages.entries()) {
    writeText(home, `${storage}/message/ses_1/msg_${at}.json`, JSON.stringify(message))
    for (const [n, part] of parts.entries())
      writeText(home, `${storage}/part/msg_${at}/prt_${n}.json`, JSON.stringify(part))
  }
}

testReader({
  name: "OpenCode's database",
  reader: OPENCODE,
  grows: false,
  record: (home) => database(home).close(),
})
testReader({ name: "OpenCode's files", reader: OPENCODE, grows: false, record: filed })

test("both forms have the same calls, with what was sent", async () => {
  const [stored, plain] = [mkdtempSync(join(tmpdir(), "opencode-")), mkdtempSync(join(tmpdir(), "opencode-"))]
  database(stored).close()
  filed(plain)
  const calls = await callsIn(OPENCODE, stored)
  expect((await callsIn(OPENCODE, plain)).map((call) => ({ ...call, version: "1.18.33" }))).toEqual(calls)
  expect(calls.map(({ id, usage, thread, at }) => ({ id, usage, thread, at }))).toEqual([
    {
      id: "msg_1",
      usage: { uncached: 1, read: 0, write: { "5m": 900 }, output: 20 },
      thread: "ses_1",
      at: 2_005,
    },
    {
      id: "msg_2",
      usage: { uncached: 2, read: 900, write: { "5m": 50 }, output: 16 },
      thread: "ses_1",
      at: 3_005,
    },
    {
      id: "msg_3",
      usage: { uncached: 30, read: 0, write: {}, output: 9 },
      thread: "ses_1/summary",
      at: 4_005,
    },
    { id: "msg_5", usage: { uncached: 40, read: 0, write: {}, output: 12 }, thread: "ses_1", at: 5_005 },
  ])
  const asked = { role: "user", content: [{ type: "text", text: "Look around." }] }
  const called = {
    role: "assistant",
    content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }],
  }
  const result = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "the log" }] }],
  }
  expect(calls.map(({ request }) => request?.messages)).toEqual([
    [asked],
    [asked, called, result],
    [asked, called, result, { role: "assistant", content: [{ type: "text", text: "Done." }] }],
    [
      { role: "assistant", content: [{ type: "text", text: "They looked." }] },
      { role: "user", content: [{ type: "text", text: "And now?" }] },
    ],
  ])
})

test("a database that its client has open is read with its newest rows, and nothing is left beside it or in temporary files", async () => {
  const home = mkdtempSync(join(tmpdir(), "opencode-"))
  const db = database(home)
  const before = [readdirSync(join(home, FOLDER)), copies()]
  const [file] = await filesIn(OPENCODE, home)
  if (file === undefined) throw new Error("not found")
  const first = await readAll(OPENCODE.usage(file))
  expect(first.calls.length).toBe(4)
  expect([readdirSync(join(home, FOLDER)), copies()]).toEqual(before)
  for await (const _ of OPENCODE.calls(file)) break
  expect(copies()).toEqual(before[1])
  const more = answer(7_000, tokens(3, 0, 0, 1)).message
  db.prepare("INSERT INTO message VALUES ('msg_8', 'ses_1', ?)").run(JSON.stringify(more))
  const second: string[] = []
  for await (const read of OPENCODE.usage(file, first.after))
    if (read.kind === "call") second.push(read.call.id)
  expect(second).toEqual(["msg_8"])
  db.close()
})

test("a file that is no database, or another one's, is said and stops nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "opencode-"))
  const path = writeText(home, `${FOLDER}/opencode.db`, "not a database at all, but long enough to look at")
  const [file] = await OPENCODE.files(path)
  if (file === undefined) throw new Error("not found")
  expect((await readAll(OPENCODE.usage(file))).notes.map(({ code }) => code)).toEqual(["capture-unreadable"])
  writeFileSync(path, "")
  const db = new DatabaseSync(path)
  db.exec(
    "CREATE TABLE session (id text); CREATE TABLE part (id text); CREATE VIEW message AS SELECT 1 AS id",
  )
  db.close()
  expect((await readAll(OPENCODE.calls(file))).notes).toEqual([
    {
      code: "capture-unreadable",
      path: file.path,
      why: "its tables are not those of a version that is known",
    },
  ])
})

test("numbers that no client writes stop nothing else", async () => {
  const home = mkdtempSync(join(tmpdir(), "opencode-"))
  const db = database(home)
  db.exec(
    "INSERT INTO message (rowid, id, session_id, data) VALUES (9223372036854775800, 'msg_9', 'ses_1', '{}')",
  )
  db.exec("INSERT INTO message (rowid, id, session_id, data) VALUES (90, 'msg_a', 'ses_1', x'00ff')")
  db.close()
  const [file] = await filesIn(OPENCODE, home)
  if (file === undefined) throw new Error("not found")
  const { calls, notes } = await readAll(OPENCODE.usage(file))
  expect([calls.length, notes.map(({ code }) => code)]).toEqual([
    4,
    ["capture-unreadable", "capture-lines-skipped"],
  ])
})

function copies(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("incipit-copy-"))
}
