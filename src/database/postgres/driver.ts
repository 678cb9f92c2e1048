// Loads `pg`, which is installed only by those who use PostgreSQL, and says how a connection of ours begins.
import type { ClientConfig, default as Pg } from "pg"
import { IncipitError } from "../../base/error.ts"
import type { DatabaseUrl } from "./database-url.ts"

export type Driver = typeof Pg

export async function loadDriver(): Promise<Driver> {
  try {
    return (await import("pg")).default
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new IncipitError("no-driver", "PostgreSQL needs the package pg, which is not installed", {
      cause: error,
    })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
}

/** Limits of time, in milliseconds. */
export interface Limits {
  readonly statementMs: number
  /** How long to wait for what another connection has locked. */
  readonly lockMs: number
  /** A process that stops in the middle of a transaction loses it, before those who wait for its locks give up. */
  readonly idleMs: number
}

export const LIMITS: Limits = { statementMs: 30_000, lockMs: 15_000, idleMs: 10_000 }
export const LONG_LIMITS: Limits = { ...LIMITS, statementMs: 600_000 }
const CONNECT_MS = 10_000
/** Past the limit of the server: an answer that is this late does not come, because the network lost it. */
const SILENCE_MS = 15_000

export function settingsOf({ schema }: DatabaseUrl, limits: Limits): Readonly<Record<string, string>> {
  return {
    search_path: schema,
    statement_timeout: `${limits.statementMs}`,
    lock_timeout: `${limits.lockMs}`,
    idle_in_transaction_session_timeout: `${limits.idleMs}`,
  }
}

/** How long to wait for the answer to a statement. */
export function silenceMs({ statementMs }: Limits): number {
  return statementMs + SILENCE_MS
}

/** `settings`: sent when the connection begins; a pooler refuses or ignores them. */
export function clientConfig(
  { connection }: DatabaseUrl,
  driver: Driver,
  settings: Readonly<Record<string, string>> | undefined,
): ClientConfig {
  return {
    connectionString: connection,
    application_name: "incipit",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: silenceMs(LIMITS),
    keepAlive: true,
    // Statements of a transaction that don't wait for each other are sent at once.
    pipeline: true,
    types: { getTypeParser: (id, format) => parserOf(driver, id, format) },
    ...(settings && {
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" "),
    }),
  }
}

/** bigint and numeric: times, counts and sums, all of which a number holds exactly. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1_700])

function parserOf(driver: Driver, id: number, format: "text" | "binary" | undefined) {
  if (NUMBERS.has(id)) return Number
  return driver.types.getTypeParser(id, format)
}
