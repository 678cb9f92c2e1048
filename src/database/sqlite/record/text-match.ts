// A search for words as an expression of the text index.
import type { EventFilter } from "../../contract/record/event-log.ts"
import { levelsFrom } from "./conditions.ts"

/**
 * All words, whole, in the error or the data. The other filters are in the index, too, so that a common word in a rare
 * session is found without visiting every event with the word. This is only a first filter.
 */
export function matchOf(
  words: readonly string[],
  { session, user, level, types }: Pick<EventFilter, "session" | "user" | "level" | "types">,
): string {
  const searched = `{error metadata} : (${words.map(quote).join(" AND ")})`
  const among = (column: string, values: readonly string[]) =>
    values.every(isIndexed) ? [`{${column}} : (${values.map(quote).join(" OR ")})`] : []
  return [
    searched,
    ...(session === undefined ? [] : among("session_id", [session])),
    ...(user === undefined ? [] : among("user_id", [user])),
    ...(level === undefined || level === "debug" || level === "info"
      ? []
      : among("level", levelsFrom(level))),
    ...(types === undefined || types.length === 0 ? [] : among("event_type", types)),
  ].join(" AND ")
}

/** A text of punctuation alone cannot be looked up. A NUL would end the expression. */
function isIndexed(text: string): boolean {
  return !text.includes("\0") && /[\p{L}\p{N}\p{Co}]/u.test(text)
}

/** Inside quotes, nothing is an operator. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
