// A database that is away, restarts, takes no changes, or belongs to another version: what happens, and what is said.
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { AGENT_SCHEMA } from "../../../src/database/postgres/agent/schema.ts"
import { shownUrl } from "../../../src/database/postgres/database-url.ts"
import { migrateSchema, requireSchema, schemaStatus } from "../../../src/database/postgres/migrations.ts"
import { openPostgres } from "../../../src/database/postgres/open-postgres.ts"
import { claim, KEY, said } from "../contract/agent-store-contract.ts"
import { cuttingProxy } from "./cutting-proxy.ts"
import { NO_SERVER, PASSWORD, schemaOf, testServer } from "./postgres-server.ts"

const OWNER = { agent: "main", who: "owner", trust: "full", session: "s" } as const

/** The code and the sentence of a failure, which never has the password. */
async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("nothing failed"),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) return String(error)
  const shown = `${"code" in error ? error.code : "none"}: ${error.message}`
  const everything = JSON.stringify([shown, error.stack, String(error.cause)])
  expect(everything).not.toContain(PASSWORD)
  return shown.replaceAll(/127\.0\.0\.1:\d+/g, "host")
}

test("a URL is shown without its password, whatever it is", () => {
  const urls = [
    `postgres://ada:${PASSWORD}@db.example:5433/incipit?schema=a&password=${PASSWORD}`,
    "postgres://db.example/incipit",
    `postgres://ada:${PASSWORD}@[::1`,
  ]
  expect(urls.map(shownUrl)).toEqual([
    ...["postgres://ada@db.example:5433/incipit", "postgres://db.example/incipit", "the database URL"],
  ])
})

test("a URL that cannot be used is refused in words, without its password", async () => {
  const urls = [
    `mysql://ada:${PASSWORD}@host/db`,
    `postgres://ada:${PASSWORD}@[::1`,
    `postgres://ada:${PASSWORD}@host/db?schema=Robert'); DROP`,
    `postgres://ada:${PASSWORD}@host/db?listen=maybe`,
    `postgres://ada:${PASSWORD}@host/db?pool=0`,
    "store.db",
  ]
  const example = "the database is not a URL such as postgres://user@host/database"
  const said = await Promise.all(urls.map((url) => failure(openPostgres(url))))
  expect(said).toEqual([
    `bad-database-url: ${example}`,
    `bad-database-url: ${example}`,
    `bad-database-url: schema=Robert'); DROP in the database URL is not a name of lower-case letters, digits and "_"`,
    "bad-database-url: listen=maybe in the database URL is neither on nor off",
    "bad-database-url: pool in the database URL is not a number from 1 to 1000",
    `bad-database-url: ${example}; SQLite needs no setting`,
  ])
})

test("a server that is not there is said to be", async () => {
  const said = await failure(openPostgresStore(`postgres://ada:${PASSWORD}@127.0.0.1:1/db`))
  expect(said).toBe("unreachable-database: cannot reach postgres://ada@host/db: connect ECONNREFUSED host")
})

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()
  const opened = async (url = server.newUrl()): Promise<AgentStore> => {
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    return store
  }
  const notices = async (store: AgentStore) => (await store.notices.see(OWNER)).map(({ text }) => text)
  const role = async (name: string) => {
    await server.sql(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`)
  }

  test("who may not enter, or may not create tables, is told so", async () => {
    await role("guest")
    const wrong = server.urlFor("guest", `x${PASSWORD}`, "guest_1")
    expect(await failure(openPostgresStore(wrong))).toBe(
      'database-rights: postgres://guest@host/postgres refuses this user: password authentication failed for user "guest"',
    )
    const url = server.urlFor("guest", PASSWORD, "guest_1")
    expect(await failure(openPostgresStore(url))).toBe(
      "database-rights: postgres://guest@host/postgres refuses this user: permission denied for database postgres",
    )
    expect(await failure(openPostgresStore(url.replace("/postgres?", "/none?")))).toBe(
      'unreachable-database: postgres://guest@host/none: database "none" does not exist',
    )
    // A schema that somebody else made for them is enough.
    await server.sql("CREATE SCHEMA guest_1 AUTHORIZATION guest")
    const store = await opened(url)
    expect(await store.sessions.list("main")).toEqual([])
  })

  test("tables are made once, however many processes begin at the same time", async () => {
    const url = server.newUrl()
    const stores = await Promise.all(Array.from({ length: 4 }, () => opened(url)))
    const ids = await Promise.all(stores.map((store, at) => store.sessions.currentOrNew(KEY, `s${at}`)))
    expect(new Set(ids.map(({ session }) => session.id)).size).toBe(1)
    expect(ids.filter(({ isNew }) => isNew).length).toBe(1)
  })

  test("tables of a newer version are refused, older ones wait for a migration", async () => {
    const url = server.newUrl()
    const postgres = await openPostgres(url)
    onTestFinished(() => postgres.close())
    const status = () => schemaStatus(postgres, [AGENT_SCHEMA])
    const wanted = AGENT_SCHEMA.migrations.length
    expect(await status()).toEqual([{ part: "store", current: 0, wanted }])
    await migrateSchema(postgres, [AGENT_SCHEMA])
    expect(await status()).toEqual([{ part: "store", current: wanted, wanted }])
    const added = "ALTER TABLE sessions ADD COLUMN new text"
    const newer = { ...AGENT_SCHEMA, migrations: [...AGENT_SCHEMA.migrations, added] }
    expect(await failure(requireSchema(postgres, newer))).toBe(
      `older-database: postgres://postgres@host/postgres has version ${wanted} of the store's tables; this version of Incipit needs ${wanted + 1}`,
    )
    const store = await opened(url)
    const found = [{ part: "store", current: wanted, wanted: wanted + 1 }]
    expect(await migrateSchema(postgres, [newer])).toEqual(found)
    await requireSchema(postgres, newer)
    // What is open goes on; what starts anew is refused.
    expect((await store.sessions.create("s", KEY)).id).toBe("s")
    const refused = `newer-database: postgres://postgres@host/postgres has version ${wanted + 1} of the store's tables; this version of Incipit knows up to ${wanted}`
    expect(await failure(openPostgresStore(url))).toBe(refused)
    expect(await failure(migrateSchema(postgres, [AGENT_SCHEMA]))).toBe(refused)
  })

  test("two deployments in one database have nothing in common", async () => {
    const [one, other] = [await opened(), await opened()]
    await one.sessions.create("s", KEY)
    await other.sessions.create("s", { ...KEY, who: "person:bob" })
    expect([(await one.sessions.facts("s"))?.who, (await other.sessions.facts("s"))?.who]).toEqual([
      ...["owner", "person:bob"],
    ])
  })

  test("a server that takes no changes says so, is still read, and is used again when it takes them", async () => {
    await role("reader")
    await server.sql("CREATE SCHEMA reader_1 AUTHORIZATION reader")
    const store = await opened(server.urlFor("reader", PASSWORD, "reader_1"))
    await store.sessions.create("s", KEY)
    await server.sql("ALTER ROLE reader SET default_transaction_read_only = on")
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
    expect(await failure(store.sessions.create("t", KEY))).toBe(
      "read-only-database: postgres://reader@host/postgres takes no changes: the server is read-only",
    )
    expect((await store.sessions.facts("s"))?.id).toBe("s")
    await server.sql("ALTER ROLE reader RESET default_transaction_read_only")
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
    expect((await store.sessions.create("t", KEY)).id).toBe("t")
  })

  test("connections that the server ends are replaced, and nobody notices", async () => {
    const url = server.newUrl()
    const store = await opened(url)
    await store.sessions.create("s", KEY)
    for (let round = 0; round < 5; round += 1) {
      const ended = server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'incipit'",
      )
      const added = Array.from({ length: 20 }, (_, at) => store.transcripts.add("s", said(`${round} ${at}`)))
      await Promise.all([ended, ...added])
    }
    const items = await store.transcripts.read("s")
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
    expect(new Set(items.map(({ item }) => "text" in item && item.text)).size).toBe(100)
  })

  test("a restart of the server is waited for, and everything is written once", async () => {
    const store = await opened()
    await store.sessions.create("s", KEY)
    await server.stop()
    const added = Array.from({ length: 10 }, (_, at) => store.transcripts.add("s", said(`${at}`)))
    const read = store.sessions.facts("s")
    await server.start()
    await Promise.all(added)
    expect((await read)?.id).toBe("s")
    expect((await store.transcripts.read("s")).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 1),
    )
  })

  test.each(["before", "after"] as const)(
    "a connection that is lost %s a commit: the change is made once, and its result is known",
    async (when) => {
      const proxy = await cuttingProxy(server.port())
      const url = server.newUrl().replace(`:${server.port()}/`, `:${proxy.port}/`)
      const store = await opened(url)
      await store.sessions.create("s", KEY)
      const lease = await claim(store, "s", "a")
      proxy.cutNext(when)
      await store.notices.add({ ...OWNER, text: "once" })
      proxy.cutNext(when)
      expect(await store.runs.start(lease, { turn: "1", call: "c" })).toBe("new")
      proxy.cutNext(when)
      const [item] = await store.transcripts.change(lease, { turn: "1", append: [said("one")] })
      expect([proxy.cuts(), await notices(store), item?.seq]).toEqual([3, ["once"], 1])
      expect((await store.transcripts.read("s")).length).toBe(1)
    },
  )

  test("a lease ends by the server's clock, whatever the clocks of the processes say", async () => {
    const url = server.newUrl()
    const [one, other] = [await opened(url), await opened(url)]
    await one.sessions.create("s", KEY)
    const take = async (store: AgentStore, owner: string) =>
      (await store.sessions.claim("s", { owner, leaseMs: 60_000 })).kind
    const realNow = Date.now
    onTestFinished(() => {
      Date.now = realNow
    })
    expect(await take(one, "a")).toBe("claimed")
    for (const offMs of [90_000, -90_000]) {
      Date.now = () => realNow() + offMs
      expect(await take(other, "b")).toBe("held")
    }
    Date.now = realNow
    await server.sql(`CREATE OR REPLACE FUNCTION ${schemaOf(url)}.now_ms() RETURNS bigint LANGUAGE sql STABLE
      AS 'SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint + 60001'`)
    expect(await take(other, "b")).toBe("claimed")
    const stored = await server.sql(`SELECT lease, fence FROM ${schemaOf(url)}.sessions`)
    expect(stored).toMatchObject([{ fence: "2" }])
  })

  test("texts that JSON and SQL treat specially are read as they were written", async () => {
    const store = await opened()
    await store.sessions.create("s", KEY)
    const texts = ["nul \0 in JSON", "\ud800 alone", "quote ' \" \\ $1 %s", "\u{1f600}"]
    await store.transcripts.add("s", ...texts.map(said))
    expect((await store.transcripts.read("s")).map(({ item }) => "text" in item && item.text)).toEqual(texts)
    await store.notices.add({ ...OWNER, text: "a\0b" })
    expect(await notices(store)).toEqual(["a\uFFFDb"])
  })

  test("nothing is done after closing, and closing waits for what is under way", async () => {
    const store = await openPostgresStore(server.newUrl())
    await store.sessions.create("s", KEY)
    const added = store.transcripts.add("s", said("last"))
    await pause(0)
    await Promise.all([store.close(), added])
    expect(await failure(store.sessions.facts("s"))).toBe(
      "unusable-database: postgres://postgres@host/postgres is closed",
    )
  })
})
