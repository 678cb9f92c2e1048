// What a sender's device says about where they are. It goes into the prompt, so its form is checked: no line ends, no
// long texts.
import { isTimeZone } from "../../../base/clock-face.ts"
import { IncipitError } from "../../../base/error.ts"
import type { SenderLocale } from "../../../database/contract/sender.ts"
import type { Place } from "../../../sources/context/environment.ts"

const LANGUAGES = /^[A-Za-z\d*][\w*.,;=\- ]{0,99}$/
const PLACE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ,.'()/°-]{0,99}$/u

/** What is wrong with it, in words; undefined if nothing is. */
export function localeProblem({ timeZone, language, place }: SenderLocale): string | undefined {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    return "the time zone is not one such as Europe/Stockholm"
  if (language !== undefined && !LANGUAGES.test(language))
    return "the language is not one such as sv-SE,sv;q=0.9"
  if (place !== undefined && !PLACE.test(place))
    return "the place is not a name of at most 100 letters, digits and , . ' ( ) / - °"
  return undefined
}

/** Throws for a text that must not get into the prompt: programs pass on what clients sent. */
export function checkLocale(locale: SenderLocale | undefined): void {
  const problem = locale && localeProblem(locale)
  if (problem !== undefined) throw new IncipitError("bad-option", `the option locale of send: ${problem}`)
}

/** As the facts about the machine name it. */
export function placeOf({ timeZone, language, place }: SenderLocale = {}): Place {
  return {
    ...(timeZone !== undefined && { timezone: timeZone }),
    ...(language !== undefined && { accept_language: language }),
    ...(place !== undefined && { location: place }),
  }
}
