// Filters of events as SQL. What a caller may not see is excluded by the query itself, so hidden events are never read,
// counted or summed. Parameters are written as `?` and numbered at the end.
import { LEVELS } from "../../../base/event-types.ts"
import { TRUSTS } from "../../../base/trust.ts"
import type { EventFilter, Sight } from "../../contract/record/event-log.ts"
import type { Value } from "../postgres.ts"
import { wordsIn } from "./words.ts"

/** A condition on rows of `record_events`, with its parameters. */
export interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? "true" : conditions.map(({ sql }) => `(${sql})`).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  }
}

/** `$1`, `$2`, … instead of each `?`. */
export function numbered(sql: string): string {
  let last = 0
  return sql.replaceAll("?", () => {
    last += 1
    return `$${last}`
  })
}

export function seenBy(sight: Sight | undefined): Condition {
  if (sight === undefined) return { sql: "true", values: [] }
  const { session, user, trust } = sight
  return {
    // An unknown level is not in the list, so it fails closed.
    sql: "session_id = ? AND (user_id IS NULL OR user_id = ?) AND (trust IS NULL OR trust = ANY(?::text[]))",
    values: [session, user ?? null, TRUSTS.slice(0, TRUSTS.indexOf(trust) + 1)],
  }
}

export function conditionsOf(filter: EventFilter): readonly Condition[] {
  const { session, user, channel, level, types, trace, turn, since, until, words = [], sight } = filter
  const equal = (column: string, value: string | undefined): readonly Condition[] =>
    value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }]
  return [
    ...equal("session_id", session),
    ...equal("user_id", user),
    ...equal("channel", channel),
    ...equal("trace_id", trace),
    ...equal("turn_id", turn),
    ...(level === undefined || level === "debug" ? [] : [levelFrom(level)]),
    ...(types === undefined ? [] : [{ sql: "event_type = ANY(?::text[])", values: [types] }]),
    ...(since === undefined ? [] : [{ sql: "at >= ?", values: [momentOf(since)] }]),
    ...(until === undefined ? [] : [{ sql: "at < ?", values: [momentOf(until)] }]),
    ...(words.length === 0 ? [] : [wordCondition(words)]),
    ...(sight === undefined ? [] : [seenBy(sight)]),
  ]
}

/** Literals, because the index of warnings and errors is only used for them. */
function levelFrom(level: (typeof LEVELS)[number]): Condition {
  const names = LEVELS.slice(LEVELS.indexOf(level)).map((name) => `'${name}'`)
  return { sql: `level IN (${names.join(", ")})`, values: [] }
}

/** The index finds rows with all words; what was written as one has to be there in this order, too. */
function wordCondition(given: readonly string[]): Condition {
  const phrases = given.map(wordsIn)
  const longer = phrases.filter(({ length }) => length > 1)
  return {
    sql: [
      "words IS NOT NULL AND string_to_array(words, ' ') @> ?::text[]",
      ...longer.map(() => "position(? IN ' ' || words || ' ') > 0"),
    ].join(" AND "),
    values: [[...new Set(phrases.flat())], ...longer.map((phrase) => ` ${phrase.join(" ")} `)],
  }
}

/** Whole milliseconds in the range of dates. */
function momentOf(ms: number): number {
  const END = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  return Number.isNaN(ms) ? 0 : Math.trunc(Math.min(Math.max(ms, 0), END))
}
