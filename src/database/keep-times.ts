// How long what serving leaves behind is kept, and whose it is, for every driver.

const DAY_MS = 24 * 3_600_000
/** Channels repeat what was not acknowledged for a day or two. An arrival that is forgotten earlier is taken again. */
export const ARRIVALS_MS = 7 * DAY_MS
/** Limits look back a month at most. */
export const SPENDING_MS = 32 * DAY_MS
/** A reply or a button may refer to what was sent weeks ago. */
export const SWEPT_MS = 30 * DAY_MS

const PERSON = "person:"

/** The users whose tokens and pairings belong to these people. The owner's tokens have no user. */
export function usersOf(whose: readonly string[]): readonly string[] {
  const people = whose.filter((one) => one.startsWith(PERSON)).map((one) => one.slice(PERSON.length))
  return whose.includes("owner") ? [...people, ""] : people
}
