// Moves the files of a state folder into PostgreSQL. Whenever it is interrupted, running it again continues. At the end,
// both sides are read again and compared. The files stay as they are.
import { hasSchema, requireSchema } from "../postgres/migrations.ts"
import { MOVE_SCHEMA } from "../postgres/moves.ts"
import { openPostgres } from "../postgres/open-postgres.ts"
import type { Postgres } from "../postgres/postgres.ts"
import { AGENT_PART } from "./agent-part.ts"
import { compareTable } from "./compare-table.ts"
import { concludeMove } from "./conclude-move.ts"
import { copyTable } from "./copy-table.ts"
import { openSources, type Source, type Sources } from "./open-sources.ts"
import { type Begun, beginMove, lookAtTarget, type Progress } from "./progress.ts"
import { RECORD_PART } from "./record-part.ts"
import type { TableDigest } from "./row-digest.ts"
import { countOf, type SourceTable } from "./source-rows.ts"
import { columnTypes } from "./target-rows.ts"

export interface MoveOptions {
  /** The files of the state folder. Those that do not exist are left out. */
  readonly files: { readonly store: string; readonly record: string }
  readonly url: string
  /** Says what there is to move, and changes nothing. */
  readonly isDry?: boolean
  readonly onProgress?: (progress: MoveProgress) => void
}

export interface MoveProgress {
  readonly doing: "copying" | "comparing"
  readonly table: string
  readonly rows: number
}

export interface MovedTable {
  readonly table: string
  readonly rows: number
  /** The same on both sides; undefined if they have not been compared. */
  readonly digest: string | undefined
}

export interface MoveReport {
  /** `planned`: a dry run. `before`: it had finished before, and nothing was done. */
  readonly kind: "moved" | "before" | "planned"
  readonly database: string
  readonly schema: string
  readonly files: readonly string[]
  readonly tables: readonly MovedTable[]
  /** How many rows an earlier run had copied. */
  readonly continued: number
}

export async function moveState({ files, url, isDry, onProgress }: MoveOptions): Promise<MoveReport> {
  const sources = openSources([
    [files.store, AGENT_PART],
    [files.record, RECORD_PART],
  ])
  try {
    const postgres = await openPostgres(url)
    try {
      if (isDry) return await planMove(postgres, sources)
      return await carryOut(postgres, sources, onProgress ?? (() => {}))
    } finally {
      await postgres.close()
    }
  } finally {
    sources.close()
  }
}

async function planMove(postgres: Postgres, sources: Sources): Promise<MoveReport> {
  const there: Source[] = []
  for (const source of sources.all) if (await hasSchema(postgres, source.part.schema)) there.push(source)
  await hasSchema(postgres, MOVE_SCHEMA)
  const begun = await lookAtTarget(postgres, postgres, { source: sources.identity, tables: namesIn(there) })
  if (begun.kind === "finished") return finishedBefore(postgres, sources, begun.progress)
  const tables = sources.all.flatMap(({ part, database }) =>
    part.tables.map((move) => ({ table: move.table, rows: countOf(database, move), digest: undefined })),
  )
  return { kind: "planned", ...placeOf(postgres, sources), tables, continued: copiedRows(begun) }
}

async function carryOut(
  postgres: Postgres,
  sources: Sources,
  onProgress: (progress: MoveProgress) => void,
): Promise<MoveReport> {
  for (const { part } of sources.all) await requireSchema(postgres, part.schema)
  await requireSchema(postgres, MOVE_SCHEMA)
  const begun = await beginMove(postgres, { source: sources.identity, tables: namesIn(sources.all) })
  if (begun.kind === "finished") return finishedBefore(postgres, sources, begun.progress)
  const moves = await movesIn(postgres, sources)
  for (const { source, makeRoom } of moves) {
    const { table } = source.move
    const onRows = (rows: number) => onProgress({ doing: "copying", table, rows })
    await copyTable(postgres, source, { progress: begun.progress.get(table), makeRoom, onRows })
  }
  const digests = new Map<string, TableDigest>()
  for (const { source } of moves) {
    const { table } = source.move
    const found = await compareTable(postgres, source)
    digests.set(table, found)
    onProgress({ doing: "comparing", table, rows: found.rows })
  }
  await concludeMove(postgres, sources.all, digests)
  const tables = [...digests].map(([table, found]) => ({ table, ...found }))
  return { kind: "moved", ...placeOf(postgres, sources), tables, continued: copiedRows(begun) }
}

async function movesIn(postgres: Postgres, { all }: Sources) {
  const found: { readonly source: SourceTable; readonly makeRoom: MakeRoom }[] = []
  for (const { part, database } of all) {
    const makeRoom = part.makeRoom?.(postgres) ?? (async () => {})
    for (const move of part.tables)
      found.push({ source: { database, move, types: await columnTypes(postgres, move.table) }, makeRoom })
  }
  return found
}

type MakeRoom = Parameters<typeof copyTable>[2]["makeRoom"]

function namesIn(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ part }) => part.tables.map(({ table }) => table))
}

function finishedBefore(postgres: Postgres, sources: Sources, progress: Progress): MoveReport {
  const tables = namesIn(sources.all).map((table) => {
    const { rows = 0, digest } = progress.get(table) ?? {}
    return { table, rows, digest }
  })
  return { kind: "before", ...placeOf(postgres, sources), tables, continued: 0 }
}

function placeOf({ shown, schema }: Postgres, { all }: Sources) {
  return { database: shown, schema, files: all.map(({ database }) => database.path) }
}

function copiedRows({ progress }: Begun): number {
  return [...progress.values()].reduce((sum, { rows }) => sum + rows, 0)
}
