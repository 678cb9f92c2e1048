// The transcript of a session: its newest messages, and earlier ones on demand. Read again when something happened that
// the live events do not tell.
import { useEffect, useRef, useState } from "preact/hooks"
import { ask, problemText } from "../../../data/ask.ts"
import { changes, gaps } from "../../../data/live.ts"
import { beforeReading, stale } from "./live-turns.ts"
import { type Conversation, type SessionRead, withNewest } from "./with-newest.ts"

const NONE: Conversation = { session: undefined, messages: [], hasEarlier: false, problem: undefined }
const PAGE = 100

export interface OpenConversation extends Conversation {
  readonly readEarlier: () => Promise<void>
  readonly reload: () => void
}

export function useConversation(session: string | undefined): OpenConversation {
  const [shown, setShown] = useState<Conversation & { readonly of: string | undefined }>({
    ...NONE,
    of: undefined,
  })
  const [round, setRound] = useState(0)
  const reading = useRef<Promise<unknown>>(Promise.resolve())
  const isStale = session !== undefined && stale.value.has(session)
  useEffect(() => {
    if (session === undefined) return undefined
    const abort = new AbortController()
    const read = () => readNewest(session, abort.signal)
    // One after the other, so that an older answer never replaces a newer one.
    reading.current = reading.current.then(read).then(
      (page) =>
        page &&
        setShown((before) => ({ ...withNewest(before.of === session ? before : NONE, page), of: session })),
      (error: unknown) =>
        abort.signal.aborted ||
        // What was read before stays.
        setShown((before) =>
          before.of === session && before.session !== undefined
            ? before
            : { ...NONE, of: session, problem: problemText(error) },
        ),
    )
    return () => abort.abort()
  }, [session, changes.value, gaps.value, isStale, round])
  const readEarlier = async () => {
    const [first] = shown.messages
    if (session === undefined || first === undefined) return
    const page = await readPage(session, { before: first.seq })
    setShown((before) =>
      before.of === session && before.messages[0]?.seq === first.seq
        ? { ...before, messages: [...page.messages, ...before.messages], hasEarlier: page.hasEarlier }
        : before,
    )
  }
  const own = shown.of === session ? shown : NONE
  return { ...own, readEarlier, reload: () => setRound((before) => before + 1) }
}

async function readNewest(session: string, signal: AbortSignal): Promise<SessionRead | undefined> {
  if (signal.aborted) return undefined
  const settle = beforeReading(session)
  const page = await readPage(session, { signal })
  settle(new Set(page.messages.flatMap(({ turn }) => turn ?? [])))
  return page
}

function readPage(
  session: string,
  { before, signal }: { readonly before?: number; readonly signal?: AbortSignal },
): Promise<SessionRead> {
  const query = { limit: PAGE, before }
  return ask<SessionRead>(`/api/sessions/${encodeURIComponent(session)}`, { query, signal })
}
