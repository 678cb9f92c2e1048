// Migrates a schema to what this version needs, part by part. Each part (the agent's store, the record, …) has a version of
// its own. Migrations first add what is new and remove what is old only when no supported version uses it, so that
// processes of the version before go on working meanwhile.
import { IncipitError } from "../../base/error.ts"
import type { Postgres, Statements } from "./postgres.ts"

export interface SchemaPart {
  readonly name: string
  /** SQL that takes the version before to the next. Migrations are never changed, only added. */
  readonly migrations: readonly string[]
}

export interface PartStatus {
  readonly part: string
  /** 0 if there is nothing yet. */
  readonly current: number
  readonly wanted: number
}

export async function schemaStatus(
  postgres: Postgres,
  parts: readonly SchemaPart[],
): Promise<readonly PartStatus[]> {
  const versions = await versionsIn(postgres, postgres.schema)
  return parts.map(({ name, migrations }) => ({
    part: name,
    current: versions.get(name) ?? 0,
    wanted: migrations.length,
  }))
}

/** Returns what was found, and therefore done. One process does it; others that come at the same time wait. */
export function migrateSchema(
  postgres: Postgres,
  parts: readonly SchemaPart[],
): Promise<readonly PartStatus[]> {
  const { schema } = postgres
  return postgres.transaction(
    async (statements) => {
      await statements.get("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", `incipit ${schema}`)
      await prepare(statements, schema)
      const versions = await versionsIn(statements, schema)
      const found: PartStatus[] = []
      for (const { name, migrations } of parts) {
        const status = { part: name, current: versions.get(name) ?? 0, wanted: migrations.length }
        checkNotNewer(postgres, status)
        for (const sql of migrations.slice(status.current)) await statements.run(sql)
        if (status.current < status.wanted)
          await statements.run(
            `INSERT INTO schema_versions (part, version) VALUES ($1, $2)
            ON CONFLICT (part) DO UPDATE SET version = excluded.version`,
            ...[name, status.wanted],
          )
        found.push(status)
      }
      return found
    },
    { isLong: true },
  )
}

/** For programs that use the part: creates what is not there at all, and refuses what is older or newer. */
export async function requireSchema(postgres: Postgres, part: SchemaPart): Promise<void> {
  if (!(await hasSchema(postgres, part))) await migrateSchema(postgres, [part])
}

/** Whether the tables of the part are there. Refuses what is older or newer. */
export async function hasSchema(postgres: Postgres, part: SchemaPart): Promise<boolean> {
  const [status] = await schemaStatus(postgres, [part])
  if (status === undefined || status.current === status.wanted) return true
  checkNotNewer(postgres, status)
  if (status.current === 0) return false
  throw new IncipitError(
    "older-database",
    `${postgres.shown} has version ${status.current} of the ${status.part}'s tables; this version of Incipit needs ${status.wanted}`,
  )
}

function checkNotNewer({ shown }: Postgres, { part, current, wanted }: PartStatus): void {
  if (current <= wanted) return
  throw new IncipitError(
    "newer-database",
    `${shown} has version ${current} of the ${part}'s tables; this version of Incipit knows up to ${wanted}`,
  )
}

async function versionsIn(statements: Statements, schema: string): Promise<ReadonlyMap<string, number>> {
  const { versions } =
    (await statements.get("SELECT to_regclass($1)::text AS versions", `${schema}.schema_versions`)) ?? {}
  if (versions == null) return new Map()
  const rows = await statements.all("SELECT part, version FROM schema_versions")
  return new Map(rows.map(({ part, version }) => [String(part), Number(version)]))
}

/**
 * `now_ms()` is the clock of everything that is stored: that of the server, so that the clocks of processes don't matter.
 * It is the time at which a statement began, so that rows can be found by it in an index.
 */
const COMMON = `CREATE TABLE IF NOT EXISTS schema_versions (
  part    text PRIMARY KEY,
  version integer NOT NULL
);
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql STABLE
  AS 'SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'`

async function prepare(statements: Statements, schema: string): Promise<void> {
  // Asked for first: creating it "if it does not exist" needs the right to create one even if it does.
  const exists = await statements.get("SELECT 1 FROM pg_namespace WHERE nspname = $1", schema)
  if (exists === undefined) await statements.run(`CREATE SCHEMA "${schema}"`)
  const { known } =
    (await statements.get("SELECT to_regclass($1)::text AS known", `${schema}.schema_versions`)) ?? {}
  if (known == null) await statements.run(COMMON)
}
