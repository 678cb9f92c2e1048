// Exports the event log as JSON Lines: one row per line, with every column under its own name, so that it can be read
// back. Page by page: one long query would keep SQLite from checkpointing its log.
import type { RecordStore } from "../../database/contract/record/record-store.ts"

/** Which events to export. */
export interface ExportOptions {
  /** Only this session. */
  readonly session?: string | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Called from time to time with the number of lines written. */
  readonly onProgress?: (lines: number) => void
}

const PAGE = 500

/**
 * Writes events as lines of JSON. Returns the number of lines. Events written during the export may or may not be
 * included.
 */
export async function exportEvents(
  store: RecordStore,
  write: (line: string) => void | Promise<void>,
  options: ExportOptions = {},
): Promise<number> {
  const { session, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, onProgress } = options
  let lines = 0
  for (let last = 0; ; ) {
    const rows = await store.events.written({}, { after: last, upTo: Number.MAX_SAFE_INTEGER, limit: PAGE })
    for (const row of rows) {
      last = row.id
      const at = Date.parse(row.timestamp)
      if (at < since || at >= until || (session !== undefined && row.session_id !== session)) continue
      await write(`${JSON.stringify(row)}\n`)
      lines += 1
    }
    if (rows.length < PAGE) return lines
    onProgress?.(lines)
  }
}
