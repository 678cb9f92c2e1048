// Opens a PostgreSQL database: a pool of connections that outlives restarts of the server and needs no state of a session,
// so that it also works behind a pooler which gives every transaction another connection.
import type { Client, Pool } from "pg"
import { IncipitError } from "../../base/error.ts"
import { type DatabaseUrl, readDatabaseUrl } from "./database-url.ts"
import { clientConfig, type Driver, LIMITS, loadDriver, settingsOf } from "./driver.ts"
import { asIncipitError, isAboutOptions } from "./failure.ts"
import { createListener } from "./listener.ts"
import { createPatientPool } from "./patient-pool.ts"
import type { Postgres } from "./postgres.ts"
import { statementsOn } from "./statements.ts"

export interface PostgresOptions {
  /** Removes what must never be stored, such as keys, from every text that is written. */
  readonly text?: ((text: string) => string) | undefined
}

const OLDEST_SERVER = 150_000

export async function openPostgres(given: string, { text = same }: PostgresOptions = {}): Promise<Postgres> {
  const url = readDatabaseUrl(given)
  const driver = await loadDriver()
  const hasOptions = await inWords(url, () => greet(driver, url))
  const config = clientConfig(url, driver, hasOptions ? settingsOf(url, LIMITS) : undefined)
  const pool: Pool = new driver.Pool({
    ...config,
    max: url.pool,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  })
  // A connection that breaks while it is unused is replaced when it is needed. While it is used, its statements fail, too.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  const patient = createPatientPool({ pool, url, text, hasOptions })
  const listens = hasOptions && url.listens
  const listener = createListener(() => new driver.Client(config), listens)
  return {
    shown: url.shown,
    schema: url.schema,
    listens,
    ...statementsOn((sql, values) => inWords(url, () => patient.statement(sql, values))),
    transaction: (work, options) =>
      inWords(url, () => patient.transaction((run) => work(statementsOn(run)), options)),
    alone: (sql) => inWords(url, () => alone(driver, url, sql)),
    listen: (channel, heard) => listener.listen(channel, heard),
    async close() {
      await listener.close()
      await patient.close()
    },
  }
}

const IDLE_MS = 30_000

function same(text: string): string {
  return text
}

async function inWords<T>(url: DatabaseUrl, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asIncipitError(error, url)
  }
}

/**
 * Checks the version, and finds out whether the server keeps the settings that are sent with a connection. A pooler
 * refuses or ignores them; then every transaction sets them for itself. Nothing is tried again: who starts a program with
 * a wrong URL wants to know at once.
 */
async function greet(driver: Driver, url: DatabaseUrl): Promise<boolean> {
  const settings = settingsOf(url, LIMITS)
  try {
    const [found] = await withClient(new driver.Client(clientConfig(url, driver, settings)), (client) =>
      client.query(`SELECT current_setting('server_version_num') AS version,
        current_setting('search_path') AS path, current_setting('statement_timeout') AS limit`),
    )
    checkVersion(url, found)
    return found?.path === settings.search_path && found?.limit === `${LIMITS.statementMs / 1_000}s`
  } catch (error) {
    if (!isAboutOptions(error)) throw error
  }
  const [found] = await withClient(new driver.Client(clientConfig(url, driver, undefined)), (client) =>
    client.query("SELECT current_setting('server_version_num') AS version"),
  )
  checkVersion(url, found)
  return false
}

type Found = Readonly<Record<string, string>>

async function withClient(
  client: Client,
  ask: (client: Client) => Promise<{ readonly rows: unknown[] }>,
): Promise<readonly Found[]> {
  // A failure after the answer is of no interest.
  client.on("error", () => {})
  await client.connect()
  try {
    // Settings are texts.
    return (await ask(client)).rows as readonly Found[]
  } finally {
    await client.end()
  }
}

function checkVersion({ shown }: DatabaseUrl, found: Found | undefined): void {
  const version = Number(found?.version)
  if (version >= OLDEST_SERVER) return
  throw new IncipitError("old-server", `${shown} is PostgreSQL ${Math.floor(version / 10_000)}`)
}

/** On a connection of its own, without any settings: a pooler takes none. */
async function alone(driver: Driver, url: DatabaseUrl, sql: string): Promise<void> {
  const config = { ...clientConfig(url, driver, undefined), query_timeout: undefined }
  await withClient(new driver.Client(config), (client) => client.query(sql))
}
