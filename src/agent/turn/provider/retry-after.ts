// How long a provider asks to wait, according to its headers. Capped at an hour: a wrong header, or one about a monthly
// quota, would otherwise keep messages waiting longer than they are kept, and refuse new ones.

export const MOST_ASKED_MS = 3_600_000

/** In milliseconds; undefined if the headers do not say. */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const asked = askedMs(headers)
  return asked === undefined ? undefined : Math.min(MOST_ASKED_MS, Math.max(0, asked))
}

/** In milliseconds, in seconds, or as a date. */
function askedMs(headers: Readonly<Record<string, string>>): number | undefined {
  const { "retry-after-ms": milliseconds, "retry-after": text, date = "" } = headers
  if (milliseconds !== undefined && Number(milliseconds) >= 0) return Number(milliseconds)
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return seconds * 1000
  // Both times are from the server, so its clock may be wrong.
  const until = Date.parse(text) - Date.parse(date)
  return Number.isNaN(until) ? undefined : until
}
