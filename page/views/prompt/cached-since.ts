// Since when a text has been in the cache, read off the usage of the session's calls: a call that read at least as many
// tokens as lie before the end of the text has read the text, because a cache is read from the front.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { inputOf, isSameThread } from "../../parts/call-facts.ts"

export type CachedSince =
  | { readonly kind: "unknown" }
  | { readonly kind: "uncached" }
  | { readonly kind: "written" }
  /** `since`: undefined if it was in the cache before the first call of the session. */
  | { readonly kind: "read"; readonly since: CallRow | undefined; readonly times: number }

/** `end`: tokens of the request up to the end of the text. */
export function cachedSince(calls: readonly CallRow[], at: number, end: number): CachedSince {
  const call = calls[at]
  const usage = call?.usage
  if (call === undefined || !usage) return { kind: "unknown" }
  // Shares of parts are rounded.
  const enough = end - Math.max(2, end * 0.002)
  if (usage.read < enough) return { kind: usage.read + usage.written >= enough ? "written" : "uncached" }
  let times = 1
  for (const one of calls.slice(0, at).toReversed()) {
    const input = one.usage === null ? 0 : inputOf(one.usage)
    // A shorter request did not have the text yet, or is about something else; another model has its own cache.
    if (!isSameThread(one, call) || one.usage === null || one.model !== call.model || input < enough) continue
    if (one.usage.read < enough) return { kind: "read", since: one, times }
    times += 1
  }
  return { kind: "read", since: undefined, times }
}
