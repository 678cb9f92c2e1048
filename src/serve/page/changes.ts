// Tells a page that what it shows has changed: as server-sent events, one for each source that is watched and changed.
// A source is watched only while a page follows it.
import { z } from "zod"
import { type Route, route } from "../api/route.ts"
import { watchCaller } from "../auth/watch-caller.ts"
import { eventStream, PATIENCE, serverSent } from "../talk/event-stream.ts"
import type { PageCall } from "./page-call.ts"
import type { PageSource } from "./page-source.ts"
import { SOURCES, type SourceId } from "./shown.ts"

/** `signal` ends all that follow: they have no end of their own, and would be waited for. */
export function changesRoute(end: AbortSignal): Route<PageCall> {
  return route({
    ...{ method: "GET", path: "/api/page/changes", scopes: ["read", "operate"] },
    summary: "Follow what changes in the sources of the page",
    query: z.strictObject({ source: z.enum(SOURCES).optional().describe("Only this one.") }),
    answer: z.strictObject({ source: z.enum(SOURCES) }),
    answers: "events",
    handle({ query: { source } }, { page, signal, ...call }: PageCall) {
      const watched = page.sources(call.caller).filter(({ id }) => source === undefined || id === source)
      const lines = linesOf(watched, { ...call, signal: AbortSignal.any([signal, end]) })
      return eventStream(lines, {}, PATIENCE.silenceMs)
    },
  })
}

async function* linesOf(
  sources: readonly PageSource[],
  { signal, isCurrent, failed }: Pick<PageCall, "signal" | "isCurrent" | "failed">,
): AsyncGenerator<string, void> {
  let next = Promise.withResolvers<void>()
  const changed = new Set<SourceId>()
  const ends = sources.map(({ id, watch }) =>
    watch?.(() => {
      changed.add(id)
      next.resolve()
    }),
  )
  signal.addEventListener("abort", () => next.resolve(), { once: true })
  // Nothing may change for long, and the sources are watched meanwhile.
  let hasLeft = false
  const unwatch = watchCaller({ isCurrent, failed }, () => {
    hasLeft = true
    next.resolve()
  })
  try {
    // The headers go out with the first bytes.
    yield ": following\n\n"
    while (!signal.aborted) {
      await next.promise
      next = Promise.withResolvers<void>()
      if (signal.aborted) next.resolve()
      const told = [...changed]
      changed.clear()
      // Somebody who signed out is told no more.
      if (hasLeft || !(await isCurrent())) return
      for (const source of told) yield serverSent({ source }, "changed")
    }
  } finally {
    unwatch()
    for (const end of ends) end?.()
  }
}
