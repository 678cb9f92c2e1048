// The contract of the agent's store behind PgBouncer, which gives every transaction another connection of the server.
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { openPostgres } from "../../../src/database/postgres/open-postgres.ts"
import { KEY } from "../contract/agent-store-contract.ts"
import { wholeContract } from "../contract/whole-contract.ts"
import { freePort, NO_SERVER, PASSWORD, type TestServer, testServer } from "./postgres-server.ts"
import { openTimed } from "./test-clock.ts"

const NO_POOLER = NO_SERVER ?? (isInstalled() ? undefined : "skipped: pgbouncer is not installed")

function isInstalled(): boolean {
  try {
    execFileSync("pgbouncer", ["--version"])
    return true
  } catch {
    return false
  }
}

/** Fewer connections than the stores have, so that they are shared. `settings`: further lines of its configuration. */
function pooler(server: TestServer, settings = ""): (url: string) => string {
  let port = 0
  let running: ChildProcess | undefined
  beforeAll(async () => {
    port = await freePort()
    const file = join(server.folder(), `pgbouncer-${port}.ini`)
    writeFileSync(
      file,
      `[databases]
postgres = host=127.0.0.1 port=${server.port()} user=postgres password=${PASSWORD} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
unix_socket_dir =
${process.getuid?.() === 0 ? "user = postgres" : ""}
${settings}
`,
    )
    chmodSync(file, 0o644)
    running = spawn("pgbouncer", [file], { stdio: "ignore" })
    while (!(await answers(port))) await pause(10)
  })
  afterAll(() => void running?.kill("SIGKILL"))
  return (url) => url.replace(`:${server.port()}/`, `:${port}/`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })
}

describe.skipIf(NO_POOLER)(NO_POOLER ?? "behind PgBouncer", () => {
  const server = testServer()
  const through = pooler(server)
  const ignoring = pooler(server, "ignore_startup_parameters = options")

  wholeContract(openTimed(server, through))

  test("a pooler that ignores the settings of a connection is noticed", async () => {
    for (const way of [through, ignoring]) {
      const store = await openPostgresStore(way(server.newUrl()))
      onTestFinished(() => store.close())
      await store.sessions.create("s", KEY)
      expect([(await store.sessions.facts("s"))?.id, store.wakeUps.areSent]).toEqual(["s", false])
    }
  })

  test("every statement has its limits of time, and leaves no setting behind", async () => {
    const postgres = await openPostgres(through(server.newUrl()))
    onTestFinished(() => postgres.close())
    const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle`
    const expected = { statement: "30s", lock: "15s", idle: "10s" }
    expect(await postgres.get(limits)).toEqual(expected)
    expect(await postgres.transaction((statements) => statements.get(limits))).toEqual(expected)
  })
})
