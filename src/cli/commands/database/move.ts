// `incipit database move`: the conversations and the record of a folder, from their files into PostgreSQL.
import { IncipitError } from "../../../base/error.ts"
import { listed, plural, thousands } from "../../../base/text/figures.ts"
import { type MoveProgress, type MoveReport, moveState } from "../../../database/move/move-state.ts"
import { DATABASE_VARIABLE, readDatabaseUrl, urlWithSchema } from "../../../database/postgres/database-url.ts"
import { gatherMemory } from "../../../sources/memory-files.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { createProgressLine, type ProgressLine } from "../../views/progress-line.ts"
import { existingState, personAt } from "../agent/state-place.ts"

type Flags = FlagsOf<"database move">

export async function move({ flags, terminal }: Invocation<"database move">): Promise<number> {
  const url = targetOf(flags, terminal)
  const files = existingState(flags, terminal)
  if (files === undefined) throw new IncipitError("no-state", "this folder has no conversations in files")
  const line = createProgressLine(lineOn(flags, terminal))
  const onProgress = progressOn(line)
  // A failure is printed, too.
  const report = await moveState({ files, url, isDry: flags.dryRun, onProgress }).finally(line.end)
  const memory = gatherMemory(openWorkspace(workspaceFolder(flags, terminal))).value.length
  const next = nextSteps(report, { flags, terminal, url, memory })
  print({ flags, terminal }, jsonOf(report, memory, next), () => [
    ...report.tables.filter(({ rows }) => rows > 0).map(tableLine),
    ...summary(report),
    ...next,
  ])
  return 0
}

function targetOf(flags: Flags, terminal: Terminal): string {
  const url = flags.to ?? databaseOf(flags, terminal)
  if (url === undefined)
    throw new IncipitError(
      "bad-argument",
      "no database to move to; name one with --to, as postgres://user@host/name",
    )
  // Before anything is opened.
  readDatabaseUrl(url)
  return url
}

/** For a person only. */
function lineOn({ json }: Flags, terminal: Terminal): (text: string) => void {
  return json || personAt(terminal) === undefined ? () => {} : (text) => terminal.err(text)
}

/** Most tables of a store are empty. */
function progressOn(line: ProgressLine): (progress: MoveProgress) => void {
  return ({ doing, table, rows }) => {
    if (rows > 0) line.show(`${doing} ${table}: ${plural(rows, "row")}`)
  }
}

function tableLine({ table, rows, digest }: MoveReport["tables"][number]): string {
  const compared = digest === undefined ? "" : `  ${digest.slice(0, 16)}`
  return `  ${table.padEnd(22)}${thousands(rows).padStart(12)}${compared}`
}

function summary({ kind, database, schema, files, tables, continued }: MoveReport): readonly string[] {
  const rows = plural(
    tables.reduce((sum, table) => sum + table.rows, 0),
    "row",
  )
  const place = `${database}, schema ${schema}`
  if (kind === "before") return [`${rows} were moved to ${place} before; nothing was changed.`]
  if (kind === "planned")
    return [
      `${rows} would be moved to ${place}${continued > 0 ? `, of which ${thousands(continued)} are there already` : ""}. Nothing was changed.`,
    ]
  return [
    `Moved ${rows} to ${place}${continued > 0 ? `; ${thousands(continued)} of them had been copied before` : ""}.`,
    "Both sides were read again and have the same digests.",
    `The files were not changed: ${listed(files)}`,
  ]
}

interface NextSteps {
  readonly flags: Flags
  readonly terminal: Terminal
  readonly url: string
  /** How many files of memory there are. */
  readonly memory: number
}

function nextSteps({ kind }: MoveReport, { flags, terminal, url, memory }: NextSteps): readonly string[] {
  if (kind === "planned") return []
  const shown = urlWithSchema(url)
  const isSet = configured(flags, terminal) === url
  return [
    isSet
      ? "Next: start your servers again. This database is configured already."
      : asTyped(
          `Next: set \`database: ${shown}\` in incipit.yaml and run \`incipit hooks approve\`, or set ${DATABASE_VARIABLE}; then start your servers again.`,
          terminal,
        ),
    ...(memory > 0
      ? [
          asTyped(
            `Memory is still in ${plural(memory, "file")}. To move it, run \`incipit memory import .\` with the database configured.`,
            terminal,
          ),
        ]
      : []),
  ]
}

/** Returns undefined if what incipit.yaml names is not approved yet, too. */
function configured(flags: Flags, terminal: Terminal): string | undefined {
  try {
    return databaseOf(flags, terminal)
  } catch (error) {
    if (error instanceof IncipitError && error.code === "not-approved") return undefined
    throw error
  }
}

function jsonOf(report: MoveReport, memory: number, next: readonly string[]) {
  const { kind, tables, ...rest } = report
  return { result: kind, ...rest, tables, memoryFiles: memory, next }
}
