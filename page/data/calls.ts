// Sessions and their calls, as the views share them. Which session and call are meant is in the address; without one, the
// newest.
import { useEffect } from "preact/hooks"
import type {
  CallDetail,
  CallPage,
  CallRow,
  SessionPage,
  ShownSession,
  SourceId,
} from "../../src/serve/page/shown.ts"
import { place } from "../shell/place.ts"
import { ask } from "./ask.ts"
import { info } from "./info.ts"
import { changes, followChanges, listen } from "./live.ts"
import { type Loaded, useLoaded } from "./load.ts"

/** The source in the address, or the first of this server. */
export function currentSource(): SourceId | undefined {
  const sources = info.value?.sources ?? []
  return (sources.find(({ id }) => id === place.value.source) ?? sources[0])?.id
}

/** Whether it has versions of a prompt that was compiled and not sent. */
export function isCompiled(source = currentSource()): boolean {
  return source === "folder" || source === "report"
}

/** Of this source, the most recently used first. Read again when a turn ends, or a file changes. */
export function useSessions(source = currentSource()): Loaded<readonly ShownSession[]> {
  useEffect(() => (info.value?.mode === "inspect" ? followChanges() : listen(() => {})), [])
  return useLoaded(source && `${source} ${changes.value}`, async (signal) => {
    const { sessions } = await ask<SessionPage>("/api/page/sessions", { signal, query: { source } })
    return sessions
  })
}

const MOST_CALLS = 5_000

/**
 * All calls of a session, oldest first; of a very long one the last. Read again when a turn ends. While those of another
 * session come, there are none.
 */
export function useCalls(session: string | undefined, source = currentSource()): Loaded<readonly CallRow[]> {
  const key = session === undefined ? undefined : `${source} ${session} ${changes.value}`
  const loaded = useLoaded(key, async (signal) => {
    let calls: readonly CallRow[] = []
    for (let before: string | null | undefined; before !== null && calls.length < MOST_CALLS; ) {
      const query = { source, session, before, limit: 500 }
      const page: CallPage = await ask<CallPage>("/api/calls", { signal, query })
      calls = [...page.calls, ...calls]
      before = page.earlier
    }
    return calls
  })
  const isOwn = loaded.isCurrent || loaded.value?.[0]?.session === session
  return isOwn ? loaded : { ...loaded, value: undefined }
}

/** One call as the model received it. */
export function readCall(
  id: string,
  {
    source,
    signal,
  }: { readonly source?: SourceId | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<CallDetail> {
  return ask<CallDetail>(`/api/calls/${encodeURIComponent(id)}`, { signal, query: { source } })
}
