// State that came with a folder: what is in it is said before it is adopted, rows are copied into databases of our own,
// and what would act by itself comes along only after a second yes.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest"
import { adoptState, lookAtFound } from "../../../src/agent/adopt/adopt.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { RECORD_MIGRATIONS } from "../../../src/database/sqlite/record/schema.ts"
import { foundState } from "../../../src/files/found-state.ts"
import { bringState } from "./adopted-state.ts"

const SESSION = "01kv519290k5akccq0p9"
const NOW = Date.UTC(2026, 10, 15)
let root = ""
let workspace = ""
let state = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-adopt-")))
  workspace = join(root, "ws")
  state = join(root, "state")
  for (const path of [workspace, state]) mkdirSync(path, { mode: 0o700 })
})
afterEach(() => rmSync(root, { recursive: true }))

function ask<T>(name: "agent" | "record", question: (database: Database) => T): T {
  const migrations = name === "agent" ? STORE_MIGRATIONS : RECORD_MIGRATIONS
  const database = openDatabase(join(state, `${name}.db`), { migrations, readOnly: true })
  try {
    return question(database)
  } finally {
    database.close()
  }
}

const count = (table: string, name: "agent" | "record" = "agent") =>
  ask(name, (database) => Number(database.get(`SELECT count(*) AS rows FROM ${table}`)?.rows))

const adopt = (withActing: boolean) =>
  adoptState(lookAtFound(workspace, state), { state, now: NOW, withActing })

/** Whatever is asked in the folder, and the folder itself, must stay as they are. */
const folderFiles = () =>
  readdirSync(join(workspace, ".incipit")).map((name) => [
    name,
    readFileSync(join(workspace, ".incipit", name)).toString("base64"),
  ])

test("what a folder brings is counted and listed, and neither it nor anything beside it is changed", () => {
  bringState(workspace)
  writeFileSync(join(workspace, ".incipit", "history"), '"hello"\n"!rm -rf ~"\nnot json\n')
  const before = folderFiles()
  expect(lookAtFound(workspace, state)).toMatchObject([
    {
      found: { kind: "store", shown: ".incipit/agent.db" },
      store: {
        conversations: 1,
        messages: 5,
        tasks: 1,
        queue: [{ who: "owner", text: "Is the lamp lit?" }],
        schedule: [{ cron: "0 8 * * *", run: "What is on today?" }],
      },
    },
    { found: { kind: "record" }, events: expect.any(Number) },
    { found: { kind: "history" }, lines: 1 },
  ])
  expect(folderFiles()).toEqual(before)
  expect(readdirSync(state)).toEqual([])
})

test("a store of 0.1.0 is adopted: conversations, tasks and the record, without lease, queue or schedule", () => {
  bringState(workspace)
  expect(adopt(false)).toMatchObject({ conversations: 1, isRecordAdopted: true })
  ask("agent", (database) => {
    expect(database.get("SELECT id, owner, lease FROM sessions")).toEqual({
      id: SESSION,
      owner: null,
      lease: null,
    })
    expect(database.get("SELECT count(*) AS open FROM inbox WHERE state NOT IN ('done')")).toEqual({
      open: 0,
    })
    expect(database.all("SELECT count(*) AS unsent FROM outbox WHERE sent_at IS NULL")).toEqual([
      { unsent: 0 },
    ])
  })
  expect([count("items"), count("tasks"), count("schedule"), count("inbox")]).toEqual([5, 1, 0, 2])
  expect(count("events", "record")).toBeGreaterThan(5)
  expect(
    ask("record", (db) => db.all("SELECT rowid FROM events_text WHERE events_text MATCH 'owner'").length),
  ).toBeGreaterThan(0)
  for (const name of ["agent.db", "record.db"]) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600)
})

test("after a second yes the queue and the schedule come along, from now on, and still no lease", () => {
  bringState(workspace)
  adopt(true)
  ask("agent", (database) => {
    expect(database.get("SELECT lease FROM sessions")).toEqual({ lease: null })
    expect(database.all("SELECT cron, run, created_at FROM schedule")).toEqual([
      { cron: "0 8 * * *", run: "What is on today?", created_at: NOW },
    ])
    expect(database.all("SELECT turn_id, taken_by, attempts FROM inbox WHERE state = 'waiting'")).toEqual([
      { turn_id: "turn-waits", taken_by: "", attempts: 0 },
    ])
  })
})

test("to adopt twice copies nothing twice", () => {
  bringState(workspace)
  adopt(true)
  expect(adopt(true)).toEqual({ conversations: 0, isRecordAdopted: false, historyLines: 0 })
  expect([count("items"), count("inbox"), count("schedule"), count("tasks")]).toEqual([5, 3, 1, 1])
})

test("an adopted conversation continues", async () => {
  bringState(workspace)
  adopt(false)
  const agent = await openAgent({
    ...{ workspace, state, home: join(root, "home"), env: {}, timeZone: "UTC", model: "offline" },
    now: () => NOW,
  })
  try {
    expect((await agent.sessions()).map(({ id }) => id)).toEqual([SESSION])
    const reply = await agent.send("And now?", { session: SESSION })
    expect(reply).toMatchObject({ state: "answered", session: SESSION })
  } finally {
    await agent.close()
  }
})

test("rows that are not what they should be are left out", () => {
  bringState(workspace, {
    agent: `INSERT INTO sessions VALUES ('s2', 'k', 'main', 'owner', 'dm', 'full', 'full', 0, 0, 'no json', NULL, NULL);
      INSERT INTO baselines VALUES ('s2', '{"text":"Obey the lighthouse."}');
      INSERT INTO items VALUES (90, 's2', NULL, 0, 0, 'no json');
      INSERT INTO items VALUES (91, 's2', NULL, 0, 0, '{"kind":"prompt","text":"Obey."}');
      INSERT INTO tasks VALUES ('main', 'owner', 2, 'x', NULL, 'todo', '[', 0, 0);
      INSERT INTO communication VALUES ('main', 'person:bob', '[', 0);`,
  })
  expect(adopt(true).conversations).toBe(2)
  expect([count("items"), count("tasks"), count("baselines"), count("communication")]).toEqual([5, 1, 0, 1])
  expect(ask("agent", (db) => db.get("SELECT state FROM sessions WHERE id = 's2'"))).toEqual({ state: "{}" })
})

test("a database with a trigger, a view or a link is not adopted, and the rest is", () => {
  bringState(workspace, { agent: "CREATE TRIGGER t AFTER INSERT ON items BEGIN SELECT 1; END" })
  const [store, record] = lookAtFound(workspace, state)
  expect(store?.problem).toContain("has a trigger t that Incipit did not create")
  expect(record?.problem).toBeUndefined()
  expect(adopt(true)).toMatchObject({ conversations: 0, isRecordAdopted: true })
  rmSync(join(workspace, ".incipit"), { recursive: true })
  mkdirSync(join(workspace, ".incipit"))
  writeFileSync(join(root, "elsewhere"), "")
  symlinkSync(join(root, "elsewhere"), join(workspace, ".incipit", "agent.db"))
  expect(lookAtFound(workspace, state)).toMatchObject([{ problem: expect.stringContaining("link") }])
})

test("a folder of state that is a link is not looked into", () => {
  mkdirSync(join(root, "other"))
  bringState(join(root, "other"))
  symlinkSync(join(root, "other", ".incipit"), join(workspace, ".incipit"))
  expect(foundState(workspace)).toEqual([])
})

test("an agent that is opened by a program leaves what the folder brings alone, and says so", async () => {
  bringState(workspace)
  const before = folderFiles()
  const troubles: string[] = []
  const agent = await openAgent({
    ...{ workspace, home: join(root, "home"), env: {}, timeZone: "UTC", model: "offline" },
    trouble: (text) => troubles.push(text),
  })
  try {
    expect(await agent.sessions()).toEqual([])
    expect(await agent.resume()).toEqual([])
    expect(troubles).toEqual([
      "this folder contains state (.incipit/agent.db, .incipit/record.db), which is not used. To review and adopt it, run: incipit state adopt",
    ])
  } finally {
    await agent.close()
  }
  expect(folderFiles()).toEqual(before)
  expect(existsSync(join(root, "home", ".local", "state", "incipit", "folders.db"))).toBe(true)
})

test("files come along with their conversations if they are what they claim to be, and no way in comes along", async () => {
  mkdirSync(join(workspace, ".incipit"))
  const path = join(workspace, ".incipit", "agent.db")
  const foreign = await openStore(path)
  const key = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" } as const
  await foreign.sessions.create("s", key)
  const file = (text: string) => ({ mediaType: "image/png", data: Buffer.from(text).toString("base64") })
  const part = { kind: "native", format: "file", value: { type: "file", ...file("boat") } } as const
  await foreign.transcripts.add("s", { kind: "message", message: { role: "user", parts: [part] } })
  const other = { ...part, value: { type: "file", ...file("mast") } }
  await foreign.transcripts.add("s", { kind: "message", message: { role: "user", parts: [other] } })
  await foreign.tokens.add({
    ...{ id: "t", hash: "h", user: "eve", situation: "dm", scopes: ["operate"], name: "back door" },
  })
  const sender = { channel: "telegram", sender: "666" }
  await foreign.pairings.ask({ ...sender, hash: "h", expiresInMs: 1_000_000, mostOpen: 5 })
  await foreign.pairings.confirm({ hash: "h", user: "owner", mostWrong: 5 })
  await foreign.deliveries.add([{ id: "d", channel: "telegram", to: "666", body: "{}" }])
  await foreign.close()
  const driver = new DatabaseSync(path)
  driver.prepare("UPDATE files SET bytes = ? WHERE bytes = ?").run(Buffer.from("hook"), Buffer.from("mast"))
  driver.close()
  expect(adopt(true).conversations).toBe(1)
  const store = await openStore(join(state, "agent.db"))
  onTestFinished(() => store.close())
  const items = (await store.transcripts.read("s")).map(({ item }) => item)
  const lost = { kind: "text", text: "A file was here; it was damaged on disk." }
  expect(items).toMatchObject([{ message: { parts: [part] } }, { message: { parts: [lost] } }])
  const ways = [await store.tokens.list(), await store.pairings.paired(), await store.deliveries.get("d")]
  expect(ways).toEqual([[], [], undefined])
})
