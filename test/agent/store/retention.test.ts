// How the agent's store is kept small, and how one person is erased from it: what goes, and what stays.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/record/prune.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { bodyText } from "../../../src/database/sqlite/record/text-links.ts"
import {
  clock,
  inRecord,
  inStore,
  NIGHT,
  open,
  refuse,
  say,
  server,
  transcript,
  workspace,
  write,
} from "../world/agent-world.ts"

const DAY = 86_400_000
const CONFIG = `profile: incipit
feeds: { communication: off }
environment: { host: off }
users: { bob: { trust: familiar } }
`

const STEPS = "\n## Steps\n1. Begin"

/** Conversations of the owner and of Bob, long ago; one of them with a message that waits. */
async function longAgo(config = CONFIG) {
  const root = workspace({ "incipit.yaml": config })
  const time = clock()
  const from = await server(({ body }) =>
    JSON.stringify(body.messages).includes("Wait") ? refuse(529) : say("The code is HERRING."),
  )
  // Sessions are told apart by when they were used.
  const now = () => {
    time.set(time.now() + 1)
    return time.now()
  }
  const { agent } = await open(root, from, { now, wait: time.wait })
  const over = await agent.send("Over and done.")
  const waits = await agent.send("Wait for it.", { isNew: true })
  const unsent = await agent.send("Not handed over.", { isNew: true })
  const current = await agent.send("Current.", { isNew: true })
  await agent.send("Current, again.")
  const bob = await agent.send("From Bob: KIPPER.", { as: "bob" })
  await agent.kept({ as: "bob" }).tasks.write({ title: "Eat the SPRAT" })
  await agent.kept().tasks.write({ title: "Oil the hinge" })
  agent
    .kept({ as: "bob" })
    .plans.save({ goal: "Eat the sprat", text: `# Plan: Eat the sprat${STEPS}` }, bob.session)
  agent.kept().plans.save({ goal: "Oil the hinge", text: `# Plan: Oil the hinge${STEPS}` }, current.session)
  await agent.close()
  change(root, (store) => store.run("UPDATE outbox SET sent_at = NULL WHERE turn_id = ?", unsent.turn))
  time.set(NIGHT + 40 * DAY)
  return { root, time, over, waits, unsent, current, bob }
}

function change<T>(root: string, work: (store: Database) => T): T {
  const store = openDatabase(join(root, ".incipit", "agent.db"), { migrations: STORE_MIGRATIONS })
  try {
    return work(store)
  } finally {
    store.close()
  }
}

async function inOpened<T>(root: string, now: number, work: (store: AgentStore) => Promise<T>): Promise<T> {
  const store = await openStore(join(root, ".incipit", "agent.db"), { now: () => now })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const idsIn = (root: string, table = "sessions", column = "id") =>
  inStore(root, (store) =>
    store.all(`SELECT ${column} AS id FROM ${table} ORDER BY rowid`).map(({ id }) => id),
  )

test("what is over and old goes; what waits, is not handed over or is current stays", async () => {
  const { root, time, over, waits, unsent, current, bob } = await longAgo()
  const pruned = (isDry = false) =>
    inOpened(root, time.now(), ({ upkeep }) => upkeep.prune({ olderThanMs: 30 * DAY, isDry }))
  const report = { sessions: 1, turns: 2, items: 2, notices: 0 }
  expect(await pruned(true)).toEqual(report)
  expect(idsIn(root)).toContain(over.session)
  expect(await pruned()).toEqual(report)
  expect(idsIn(root)).toEqual([waits, unsent, current, bob].map(({ session }) => session))
  expect(idsIn(root, "inbox", "state")).toEqual(["waiting", "done", "done", "done"])
  expect(transcript(root, current.session)).toEqual([
    "user: Current.",
    "assistant: The code is HERRING.",
    "user: Current, again.",
    "assistant: The code is HERRING.",
  ])
  expect(idsIn(root, "outbox", "turn_id").length).toBe(3)
  expect(await pruned()).toEqual({
    ...report,
    sessions: 0,
    turns: 0,
    items: 0,
  })
})

test("what is not old stays, and an agent prunes by itself only if an age is configured", async () => {
  const { root, time } = await longAgo()
  expect(await inOpened(root, time.now(), ({ upkeep }) => upkeep.prune({ olderThanMs: 50 * DAY }))).toEqual({
    sessions: 0,
    turns: 0,
    items: 0,
    notices: 0,
  })
  await open(root, undefined, { now: time.now })
  expect(idsIn(root).length).toBe(5)
  const configured = await longAgo(`${CONFIG}record: { retention: 30d }\n`)
  await open(configured.root, undefined, { now: time.now })
  expect(idsIn(configured.root).length).toBe(4)
})

/** `incipit prune` in the workspace, with what it prints. */
async function prune(root: string, now: number, flags: Partial<FlagsOf<"prune">>): Promise<string> {
  let printed = ""
  const print = (text: string) => {
    printed += text
  }
  const status = await run({
    words: [],
    flags: flagsFor("prune", flags),
    terminal: {
      ...{
        out: print,
        exact: print,
        err: print,
        drained: async () => {},
        columns: 80,
        colour: false,
        cwd: root,
        home: root,
      },
      ...{
        env: { INCIPIT_STATE_DIR: join(root, ".incipit") },
        timeZone: "UTC",
        now: () => now,
        stopped: () => new Promise<void>(() => {}),
      },
    },
  })
  expect(status).toBe(0)
  return printed.replaceAll(`${root}/`, "")
}

/** In the bytes of the store and the record; long texts of the record are packed, and looked into. */
function holds(root: string, word: string): readonly boolean[] {
  const bytes = ["agent.db", "record.db"].map((name) => readFileSync(join(root, ".incipit", name)))
  const texts = inRecord(root, (database) => database.all("SELECT bytes, body FROM texts").map(bodyText))
  const [inStore = false, inRows = false] = bytes.map((file) => file.includes(word))
  return [inStore, inRows || texts.some((text) => text?.includes(word))]
}

test("`prune` says what it removes, and with --dry-run what it would", async () => {
  const { root, time } = await longAgo()
  const dry = await prune(root, time.now(), { dryRun: true })
  expect(dry.replace(/\d+(?= events)/, "<n>")).toMatchInlineSnapshot(`
    "Would delete up to <n> events from the record.
    Would delete 1 conversation, 2 messages and 0 notices from the agent's store.
    "
  `)
  const done = await prune(root, time.now(), {})
  expect(done.replace(/^.* shrank .*$/m, "<record>")).toMatchInlineSnapshot(`
    "<record>
    Deleted 1 conversation, 2 messages and 0 notices from the agent's store.
    "
  `)
})

test("one person is erased from the store and the record, to the last byte, and nobody else", async () => {
  const { root, time, bob, current } = await longAgo()
  change(root, (store) =>
    store.run(
      "INSERT INTO sessions (id, key, agent, who, situation, trust, mode, created_at, used_at, state) VALUES ('r', 'r', 'main', 'room:pier', 'group', 'familiar', 'full', 0, 0, '{}')",
    ),
  )
  const before = idsIn(root)
  write(root, "memory/familiar/people.md", "Bob likes fish.\n")
  write(root, "users/bob/USER.md", "Bob rows.\n")
  write(root, ".incipit/history", "")
  write(root, ".incipit/plans/torn.md", "---\nwho: person:b")
  expect(await prune(root, time.now(), { person: "bob", dryRun: true })).toMatchInlineSnapshot(`
    "Would delete 1 conversation, 1 message, 0 notices and 1 task of bob from the agent's store.
    Would delete .incipit/plans/2026-06-15-eat-the-sprat_fd0ca15d.md.
    Not deleted: what they wrote in rooms, which belongs to the room
    Not deleted: .incipit/plans/torn.md, which cannot be read as a plan and may be theirs
    Not deleted: memory; to find lines to delete, run \`incipit memory search bob\`
    Not deleted: users/bob/, their files
    Not deleted: .incipit/history, the input history of chats here
    "
  `)
  expect(holds(root, "KIPPER")).toEqual([true, true])
  expect(
    (await prune(root, time.now(), { person: "bob" })).replace(/\d+(?= events)/, "<n>"),
  ).toMatchInlineSnapshot(`
    "Deleted 1 conversation, 1 message, 0 notices and 1 task of bob from the agent's store, and <n> events and 1 recorded request from the record.
    Deleted .incipit/plans/2026-06-15-eat-the-sprat_fd0ca15d.md.
    Not deleted: what they wrote in rooms, which belongs to the room
    Not deleted: .incipit/plans/torn.md, which cannot be read as a plan and may be theirs
    Not deleted: memory; to find lines to delete, run \`incipit memory search bob\`
    Not deleted: users/bob/, their files
    Not deleted: .incipit/history, the input history of chats here
    "
  `)
  expect(idsIn(root)).toEqual(before.filter((id) => id !== bob.session))
  for (const word of ["KIPPER", "SPRAT"]) expect([word, ...holds(root, word)]).toEqual([word, false, false])
  expect(holds(root, "hinge")[0]).toBe(true)
  expect(readdirSync(join(root, ".incipit", "plans"))).toEqual(["2026-06-15-oil-the-hinge.md", "torn.md"])
  expect(transcript(root, current.session).length).toBe(4)
})

test("where the record cannot be used, nobody is forgotten, and another try still can", async () => {
  const { root, time } = await longAgo()
  const record = (sql: string) => {
    const database = new DatabaseSync(join(root, ".incipit", "record.db"))
    database.exec(sql)
    database.close()
  }
  record("CREATE TRIGGER stuck BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'stuck'); END")
  await expect(prune(root, time.now(), { person: "bob" })).rejects.toThrow(
    "has a trigger stuck that Incipit did not create",
  )
  record("DROP TRIGGER stuck")
  await prune(root, time.now(), { person: "bob" })
  expect(holds(root, "KIPPER")).toEqual([false, false])
})

test("an owner with that id is erased by it, and of a slip it is said that there is nobody", async () => {
  const root = workspace({ "incipit.yaml": "users: { owner: { trust: full, match: ['terminal:*'] } }\n" })
  const { agent } = await open(root, await server([say("It is.")]))
  await agent.send("Is the hinge oiled?")
  await agent.close()
  expect(await prune(root, Date.now(), { person: "owner", dryRun: true })).toBe(
    "Would delete 1 conversation, 1 message, 0 notices and 0 tasks of owner from the agent's store.\n",
  )
  await expect(prune(root, Date.now(), { person: "owned" })).rejects.toThrow(
    'there is nothing stored about "owned", and incipit.yaml has no such user',
  )
})
