// A client's SQLite database, read from a private copy: opening the original, even to read, would write files beside it.
// The copy lies in the system's folder for temporary files, for its owner alone, and is removed after reading.
import { tmpdir } from "node:os"
import { IncipitError } from "../../base/error.ts"
import { errorCode, systemReason } from "../../base/system-error.ts"
import { isFromDatabase } from "../../database/sqlite/failure.ts"
import { type ForeignDatabase, openForeign } from "../../database/sqlite/foreign-copy.ts"
import type { Skipped } from "./json-rows.ts"
import type { CaptureFile } from "./reader.ts"

/** Yields what `read` yields. What stops the reading is noted, and nothing is thrown. */
export function* readingDatabase<T>(
  { path }: Pick<CaptureFile, "path">,
  skipped: Skipped,
  read: (database: ForeignDatabase) => Iterable<T>,
): Generator<T> {
  let database: ForeignDatabase | undefined
  try {
    database = openForeign(path, tmpdir())
    yield* read(database)
  } catch (error) {
    skipped.fail(reasonFor(error))
  } finally {
    database?.close()
  }
}

/** Integers that no number holds are a row that the client did not write. */
function reasonFor(error: unknown): string {
  if (error instanceof IncipitError) return systemReason(error.cause)
  if (isFromDatabase(error) || errorCode(error) === "ERR_OUT_OF_RANGE") return systemReason(error)
  throw error
}
