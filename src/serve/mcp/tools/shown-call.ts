// A call as an answer has it.
import { defined } from "../../../base/defined.ts"
import { localTime } from "../../../record/ask/zone.ts"
import type { CallRow, ShownMiss } from "../../page/shown.ts"

export function shownCall(row: CallRow, timeZone: string) {
  const { id, at, model, usage, costUsd, isSimulated, miss, error } = row
  return {
    ...{ id, at: localTime(at, timeZone), model, ...usage, costUsd },
    ...(isSimulated && { isSimulated }),
    ...defined({ error: error ?? undefined, miss: miss === null ? undefined : shownMiss(miss) }),
  }
}

function shownMiss({ sentence, cause, tokens, costUsd, path, line, before, after }: ShownMiss) {
  const place = { path: path ?? undefined, line: line ?? undefined }
  const text = { before: before ?? undefined, after: after ?? undefined }
  return { ...{ why: sentence, cause, tokens, costUsd }, ...defined({ ...place, ...text }) }
}
