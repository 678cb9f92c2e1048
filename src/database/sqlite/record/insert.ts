// Writes one event as a row. The text index is filled once per batch: a trigger for each row takes more time than
// everything else.
import { EVENT_COLUMNS, type NewEventRow } from "../../contract/record/event-row.ts"
import type { Database } from "../database.ts"

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(", ")}) VALUES (${EVENT_COLUMNS.map(() => "?").join(", ")})`

export function insertEvent(database: Database, row: NewEventRow): void {
  database.run(INSERT, ...EVENT_COLUMNS.map((name) => row[name]))
}

export function lastEventId(database: Database): number {
  return Number(database.get("SELECT max(id) AS id FROM events")?.id ?? 0)
}

/** The columns of the text index: what is searched, and the most common filters. */
export const TEXT_COLUMNS = "error, metadata, level, session_id, user_id, event_type"

const INDEX_TEXTS = `INSERT INTO events_text (rowid, ${TEXT_COLUMNS}) SELECT id, ${TEXT_COLUMNS} FROM events
WHERE id > ? AND (error IS NOT NULL OR metadata IS NOT NULL)`

/** Makes the texts of all events after the given one searchable. Call it in the transaction that wrote them. */
export function indexTexts(database: Database, after: number): void {
  database.run(INDEX_TEXTS, after)
}
