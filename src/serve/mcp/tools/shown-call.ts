// A call as an answer has it, and why one missed the cache.
import { defined } from "../../../base/defined.ts"
import { localTime } from "../../../record/ask/zone.ts"
import type { CallRow, ShownMiss } from "../../page/shown.ts"
import { fields, NUMBER, TEXT, USD } from "./answer-schema.ts"

export const CALL_SCHEMA = fields(
  {
    ...{ id: TEXT, at: TEXT, model: TEXT, uncached: NUMBER, read: NUMBER, written: NUMBER, output: NUMBER },
    ...{ costUsd: USD, isSimulated: { type: "boolean" }, error: TEXT, missed: TEXT, missedTokens: NUMBER },
  },
  ["uncached", "read", "written", "output", "isSimulated", "error", "missed", "missedTokens"],
)

export function shownCall(row: CallRow, timeZone: string) {
  const { id, at, model, usage, costUsd, isSimulated, miss, error } = row
  return {
    ...{ id, at: localTime(at, timeZone), model, ...usage, costUsd },
    ...(isSimulated && { isSimulated }),
    ...defined({ error: error ?? undefined, missed: miss?.cause, missedTokens: miss?.tokens }),
  }
}

export const MISS_SCHEMA = fields(
  {
    ...{ call: TEXT, at: TEXT, cause: TEXT, tokens: NUMBER, costUsd: USD, path: TEXT, line: NUMBER },
    ...{ before: TEXT, after: TEXT, why: TEXT },
  },
  ["path", "line", "before", "after"],
)

/** The newest miss of some calls. */
export function lastMiss(rows: readonly CallRow[], timeZone: string) {
  const row = rows.findLast(({ miss }) => miss !== null)
  return row?.miss ? { call: row.id, at: localTime(row.at, timeZone), ...shownMiss(row.miss) } : undefined
}

function shownMiss({ sentence, cause, tokens, costUsd, path, line, before, after }: ShownMiss) {
  const place = { path: path ?? undefined, line: line ?? undefined }
  const text = { before: before ?? undefined, after: after ?? undefined }
  return { ...{ cause, tokens, costUsd }, ...defined({ ...place, ...text }), why: sentence }
}
