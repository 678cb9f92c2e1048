// What a person reads when something fails. With full trust they read the original error. Everybody else reads a plain
// sentence of ours, because errors of a provider, a server or a database name accounts, addresses, models and folders.
// The record keeps them for the operator.
import { atLeast, type Trust } from "../../../base/trust.ts"

export function mayKnowWhy(trust: Trust): boolean {
  return atLeast(trust, "full")
}

const UNREACHABLE = "The model cannot be reached right now."
const NOT_ANSWERED = "This message could not be answered."

/** For a turn that waits. */
export const KEPT_FOR_LATER = `${UNREACHABLE} Your message is kept and will be answered later.`

/** For a turn that the next process resumes. */
export const CLOSED_AND_KEPT = "The agent was closed. Your message is kept."

/** The reason for a wait in live events. */
export const WHY_IT_WAITS = "the model cannot be reached right now"

/** For a turn that is given up. */
export function plainFailure(kind: string, isOld: boolean): string {
  if (isOld) return `${NOT_ANSWERED} The model could not be reached for a day. Please send the message again.`
  if (kind === "too-long") return "This conversation is too long for the model. Please start a new one."
  return NOT_ANSWERED
}

/** For a store that cannot be written. */
export function plainTrouble(isKept: boolean): string {
  return isKept
    ? "This cannot be answered right now. Your message is kept."
    : `${NOT_ANSWERED} Please send it again later.`
}

/** The text of a failure without the folders that it names. */
export function withoutPlaces(text: string, places: readonly (string | undefined)[]): string {
  const named = places.filter((place) => place !== undefined && place.length > 1)
  return named
    .toSorted((a = "", b = "") => b.length - a.length)
    .reduce((left: string, place = "") => left.replaceAll(place, "."), text)
}
