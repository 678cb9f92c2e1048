// `incipit database`: what is in PostgreSQL, and bringing its tables up to date.
import { IncipitError } from "../../../base/error.ts"
import { migrateSchema, type PartStatus, schemaStatus } from "../../../database/postgres/migrations.ts"
import { openPostgres } from "../../../database/postgres/open-postgres.ts"
import type { Postgres } from "../../../database/postgres/postgres.ts"
import { SCHEMA_PARTS } from "../../../database/postgres/schema-parts.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"

export async function status({ flags, terminal }: Invocation<"database status">): Promise<number> {
  const url = databaseOf(flags, terminal)
  if (url === undefined) {
    print({ flags, terminal }, { database: null }, () => [
      asTyped(
        "No database is configured: conversations are in files, as `incipit state show` says.",
        terminal,
      ),
    ])
    return 0
  }
  return withPostgres(url, async (postgres) => {
    const parts = await schemaStatus(postgres, SCHEMA_PARTS)
    const server = await serverOf(postgres)
    const { shown: database, schema, listens } = postgres
    print(
      { flags, terminal },
      { database, schema, server, wakeUps: listens, parts: parts.map(reportOf) },
      () => [
        `${database}, schema ${schema}: PostgreSQL ${server}`,
        `wake-ups: ${listens ? "on" : "off, so changes of other processes are noticed by polling"}`,
        ...parts.map((part) => `${part.part}: ${statusText(part, terminal)}`),
      ],
    )
    return parts.every(({ current, wanted }) => current === wanted) ? 0 : 1
  })
}

export async function migrate({ flags, terminal }: Invocation<"database migrate">): Promise<number> {
  const url = requiredDatabase(flags, terminal)
  return withPostgres(url, async (postgres) => {
    const found = await migrateSchema(postgres, SCHEMA_PARTS)
    const { shown: database, schema } = postgres
    print({ flags, terminal }, { database, schema, parts: found.map(doneReport) }, () =>
      found.map((part) => `${part.part}: ${doneText(part)}`),
    )
    return 0
  })
}

function requiredDatabase(flags: FlagsOf<"database migrate">, terminal: Terminal): string {
  const url = databaseOf(flags, terminal)
  if (url !== undefined) return url
  throw new IncipitError(
    "bad-argument",
    "no database is configured; name one with --database, INCIPIT_DATABASE_URL or `database` in incipit.yaml",
  )
}

async function withPostgres<T>(url: string, use: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = await openPostgres(url)
  try {
    return await use(postgres)
  } finally {
    await postgres.close()
  }
}

async function serverOf(postgres: Postgres): Promise<string> {
  const row = await postgres.get("SELECT current_setting('server_version') AS version")
  return String(row?.version)
}

function reportOf({ part, current, wanted }: PartStatus) {
  return { part, version: current, wanted }
}

function statusText({ current, wanted }: PartStatus, terminal: Terminal): string {
  if (current === wanted) return `version ${current}, up to date`
  if (current > wanted) return `version ${current}, newer than this Incipit knows (${wanted})`
  const missing = current === 0 ? "no tables yet" : `version ${current} of ${wanted}`
  return asTyped(`${missing}; run \`incipit database migrate\``, terminal)
}

function doneReport({ part, current, wanted }: PartStatus) {
  return { part, from: current, to: wanted }
}

function doneText({ current, wanted }: PartStatus): string {
  if (current === wanted) return `version ${wanted}, was up to date`
  return current === 0 ? `created, version ${wanted}` : `migrated from version ${current} to ${wanted}`
}
