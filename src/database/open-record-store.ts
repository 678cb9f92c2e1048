// Opens the record, wherever it is.
import type { RecordStore } from "./contract/record/record-store.ts"
import { openRecordFile } from "./sqlite/record/open-record.ts"
import type { RecordFileOptions } from "./sqlite/record/record-file.ts"

export interface RecordPlace {
  /** The URL of a PostgreSQL database; undefined for a file. */
  readonly url?: string | undefined
  /** The SQLite file. */
  readonly path: string
}

export async function openRecordStore(
  { url, path }: RecordPlace,
  options: RecordFileOptions = {},
): Promise<RecordStore> {
  if (url === undefined) return openRecordFile(path, options)
  // Only for those who use it, because it takes a while to load.
  const { openPostgresRecord } = await import("./postgres/record/open-record.ts")
  return openPostgresRecord(url, { text: options.text })
}
