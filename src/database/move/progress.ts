// What has been moved already, in the target itself: written with every batch, so that both are there or neither is.
import { IncipitError } from "../../base/error.ts"
import type { Postgres, Statements } from "../postgres/postgres.ts"
import type { TableDigest } from "./row-digest.ts"
import type { Batch, Place } from "./source-rows.ts"
import { countIn } from "./target-rows.ts"

/** The files that are moved: where they are, and what changes if anything in them does. */
export interface SourceIdentity {
  readonly place: string
  readonly version: string
}

export interface TableProgress {
  readonly rows: number
  readonly last: Place | undefined
  readonly digest: string | undefined
}

export type Progress = ReadonlyMap<string, TableProgress>

export type Begun =
  /** `isNew`: nothing was moved before, or the files have changed since, so that it begins again. */
  | { readonly kind: "copying"; readonly isNew: boolean; readonly progress: Progress }
  | { readonly kind: "finished"; readonly at: number; readonly progress: Progress }

/** Looks only. Refuses a target with anything in it that is not from these files. */
export async function lookAtTarget(
  statements: Statements,
  { shown }: Pick<Postgres, "shown">,
  { source, tables }: { readonly source: SourceIdentity; readonly tables: readonly string[] },
): Promise<Begun> {
  const { moves } = (await statements.get("SELECT to_regclass('moves')::text AS moves")) ?? {}
  const hasMoves = moves != null
  const move = hasMoves ? await statements.get("SELECT place, version, finished_at FROM moves") : undefined
  const progress: Progress = hasMoves ? await progressIn(statements) : new Map()
  if (move !== undefined && move.place !== source.place)
    throw new IncipitError("database-not-empty", `${shown} has what was moved from ${move.place}`)
  const isSame = move?.version === source.version
  if (move?.finished_at != null) {
    if (isSame) return { kind: "finished", at: Number(move.finished_at), progress }
    throw new IncipitError(
      "database-not-empty",
      `the files were moved to ${shown} before, and have changed since`,
    )
  }
  for (const table of tables) {
    const moved = progress.get(table)?.rows ?? 0
    if ((await countIn(statements, table)) !== moved)
      throw new IncipitError("database-not-empty", `${shown} has other data in ${table}`)
  }
  return { kind: "copying", isNew: !isSame, progress: isSame ? progress : new Map() }
}

/** One process at a time. If the files have changed since an earlier attempt, what that one copied is removed. */
export function beginMove(
  postgres: Postgres,
  wanted: { readonly source: SourceIdentity; readonly tables: readonly string[] },
): Promise<Begun> {
  return postgres.transaction(
    async (statements) => {
      await statements.run("LOCK TABLE moves")
      const begun = await lookAtTarget(statements, postgres, wanted)
      if (begun.kind === "finished" || !begun.isNew) return begun
      await statements.run(`TRUNCATE ${["moved_tables", ...wanted.tables].join(", ")} CASCADE`)
      await statements.run(
        `INSERT INTO moves (place, version, began_at) VALUES ($1, $2, now_ms())
        ON CONFLICT (is_only) DO UPDATE SET version = excluded.version, began_at = excluded.began_at`,
        ...[wanted.source.place, wanted.source.version],
      )
      return begun
    },
    { isLong: true },
  )
}

const ADVANCE = `INSERT INTO moved_tables AS moved (name, rows, last) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, last = excluded.last WHERE moved.rows = $4`

/** Within the transaction that inserts the rows. `before`: how many were there. */
export async function advance(
  statements: Statements,
  table: string,
  { before, batch: { rows, last } }: { readonly before: number; readonly batch: Batch },
): Promise<void> {
  const changes = await statements.run(
    ADVANCE,
    ...[table, before + rows.length, JSON.stringify(last), before],
  )
  if (changes === 0)
    throw new IncipitError("files-in-use", `another process is moving files into the same database`)
}

export async function finishMove(
  statements: Statements,
  digests: ReadonlyMap<string, TableDigest>,
): Promise<void> {
  for (const [table, { rows, digest }] of digests)
    await statements.run(
      `INSERT INTO moved_tables (name, rows, last, digest) VALUES ($1, $2, '[]', $3)
      ON CONFLICT (name) DO UPDATE SET digest = excluded.digest`,
      ...[table, rows, digest],
    )
  await statements.run("UPDATE moves SET finished_at = now_ms()")
}

async function progressIn(statements: Statements): Promise<Progress> {
  const rows = await statements.all("SELECT name, rows, last, digest FROM moved_tables ORDER BY name")
  return new Map(
    rows.map(({ name, rows: count, last, digest }) => [
      String(name),
      {
        rows: Number(count),
        // Written by `advance`.
        last: JSON.parse(String(last)) as Place,
        digest: typeof digest === "string" ? digest : undefined,
      },
    ]),
  )
}
