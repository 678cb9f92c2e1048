// The URL of a PostgreSQL database: what of it is ours, what goes to the driver, and how it is shown without its password.
import { IncipitError } from "../../base/error.ts"

export interface DatabaseUrl {
  /** For the driver, with the password. */
  readonly connection: string
  /** For messages: no password, no parameters. */
  readonly shown: string
  /** Empty if it has none. */
  readonly password: string
  readonly schema: string
  /** Whether to wait for notifications; they don't pass through a pooler. */
  readonly listens: boolean
  /** The most connections of this process. */
  readonly pool: number
}

/** The environment variable that names the database of a machine. */
export const DATABASE_VARIABLE = "INCIPIT_DATABASE_URL"

const PROTOCOLS = ["postgres:", "postgresql:"]
/** If the URL names none. */
const SCHEMA = "incipit"
const POOL = 10
const MOST_POOL = 1_000
/** Short enough to be the name of a notification channel with a prefix. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,54}$/

function isDatabaseUrl(text: string): boolean {
  return PROTOCOLS.some((protocol) => text.startsWith(`${protocol}//`))
}

/** Parameters of ours: `schema`, `listen` (on, off) and `pool`. The driver gets the others. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const url = parsed(text)
  const schema = url.searchParams.get("schema") ?? SCHEMA
  if (!SCHEMA_NAME.test(schema) || schema.startsWith("pg_"))
    throw bad(`schema=${schema} in the database URL is not a name of lower-case letters, digits and "_"`)
  const listen = url.searchParams.get("listen") ?? "on"
  if (listen !== "on" && listen !== "off")
    throw bad(`listen=${listen} in the database URL is neither on nor off`)
  const pool = Number(url.searchParams.get("pool") ?? POOL)
  if (!Number.isInteger(pool) || pool < 1 || pool > MOST_POOL)
    throw bad(`pool in the database URL is not a number from 1 to ${MOST_POOL}`)
  for (const own of ["schema", "listen", "pool"]) url.searchParams.delete(own)
  return {
    connection: url.href,
    shown: shownUrl(text),
    password: passwordOf(url),
    ...{ schema, listens: listen === "on", pool },
  }
}

/** The URL without its password and parameters, which may hold one. Never throws: it is for messages. */
export function shownUrl(text: string): string {
  try {
    const url = new URL(text)
    const user = url.username === "" ? "" : `${url.username}@`
    return `${url.protocol}//${user}${url.host}${url.pathname}`
  } catch {
    return "the database URL"
  }
}

/** The URL as somebody would write it into a file: no password, and of the parameters only the schema. */
export function urlWithSchema(text: string): string {
  const { shown, schema } = readDatabaseUrl(text)
  return schema === SCHEMA ? shown : `${shown}?schema=${schema}`
}

function parsed(text: string): URL {
  // Without the cause: the system's error repeats the URL with its password.
  if (!isDatabaseUrl(text) || !URL.canParse(text))
    throw bad(
      `the database is not a URL such as postgres://user@host/database${looksLikePath(text) ? "; SQLite needs no setting" : ""}`,
    )
  return new URL(text)
}

function looksLikePath(text: string): boolean {
  return !text.includes("://")
}

function passwordOf(url: URL): string {
  const given = url.password === "" ? (url.searchParams.get("password") ?? "") : url.password
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

function bad(message: string): IncipitError {
  return new IncipitError("bad-database-url", message)
}
