// Where a browser says that its user is: the page sends the time zone, and with it the browser's languages count. Other
// programs send `accept-language` without meaning it, and each change would be sent to the model.
import { localeProblem } from "../../agent/inbox/message/sender-locale.ts"
import { defined } from "../../base/defined.ts"
import type { SenderLocale } from "../../database/contract/sender.ts"
import type { Refusal } from "./surface.ts"

/** Undefined if the request says nothing about it. */
export function localeOf(
  headers: Headers,
): { readonly locale: SenderLocale | undefined } | { readonly refusal: Refusal } {
  const timeZone = headers.get("x-incipit-time-zone") ?? undefined
  const place = readable(headers.get("x-incipit-place"))
  if (timeZone === undefined && place === undefined) return { locale: undefined }
  const language = timeZone === undefined ? undefined : (headers.get("accept-language") ?? undefined)
  const locale: SenderLocale = defined({ timeZone, place, language: language === "*" ? undefined : language })
  const problem = localeProblem(locale)
  if (problem === undefined) return { locale }
  const message = `x-incipit-time-zone, x-incipit-place or accept-language: ${problem}.`
  return { refusal: { status: 400, code: "bad-locale", message } }
}

/** Headers hold no letters beyond ASCII, so pages encode the name of a place like a part of a URL. */
function readable(text: string | null): string | undefined {
  if (text === null) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
