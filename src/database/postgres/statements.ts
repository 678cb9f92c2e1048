// The three ways to run a statement, on anything that can run one.
import type { Row } from "../rows/row.ts"
import type { Statements, Value } from "./postgres.ts"

export interface Ran {
  readonly rows: readonly Row[]
  readonly changes: number
}

export type RunStatement = (sql: string, values: readonly Value[]) => Promise<Ran>

export function statementsOn(run: RunStatement): Statements {
  return {
    all: async (sql, ...values) => (await run(sql, values)).rows,
    get: async (sql, ...values) => (await run(sql, values)).rows[0],
    run: async (sql, ...values) => (await run(sql, values)).changes,
  }
}

/** Applies to what a row is found by, too: it is found by what was written. */
export function givenValues(values: readonly Value[], text: (text: string) => string): unknown[] {
  const given = (value: unknown): unknown => {
    if (typeof value === "string") return withoutNul(text(value))
    if (Array.isArray(value)) return value.map(given)
    return value
  }
  return values.map(given)
}

/** PostgreSQL has no text with this character. JSON writes it as an escape, so only plain text loses it. */
export function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text
}
