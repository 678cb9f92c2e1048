// The transcript of a session: its newest messages, and earlier ones on demand. Read again when something happened that
// the live events do not tell.
import { useEffect, useRef, useState } from "preact/hooks"
import type { ShownMessage } from "../../../../src/serve/api/sessions/shown-message.ts"
import { ask, problemText } from "../../../data/ask.ts"
import { changes, gaps } from "../../../data/live.ts"
import { beforeReading, stale } from "./live-turns.ts"

export interface SessionFacts {
  readonly id: string
  readonly agent: string
  readonly situation: string
}

export interface Conversation {
  readonly session: SessionFacts | undefined
  readonly messages: readonly ShownMessage[]
  readonly hasEarlier: boolean
  readonly problem: string | undefined
}

interface SessionRead extends Pick<Conversation, "messages" | "hasEarlier"> {
  readonly session: SessionFacts
}

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
        setShown((before) => ({
          ...(before.of === session ? before : NONE),
          of: session,
          problem: problemText(error),
        })),
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

/**
 * Earlier messages stay, if nothing is missing in between: those of earlier pages, and those that a summary has taken the
 * place of since. What is kept beside a summary is stored again, under new numbers.
 */
function withNewest(before: Conversation, page: SessionRead): Conversation {
  const [first] = page.messages
  const turns = new Set(page.messages.map(({ turn }) => turn))
  const earlier = before.messages.filter(
    ({ seq, turn }) => first !== undefined && seq < first.seq && (turn === null || !turns.has(turn)),
  )
  const isSummarized = first?.kind === "summary" && !page.hasEarlier
  const isConnected = isSummarized || before.messages.some(({ seq }) => seq === first?.seq)
  const keeps = isConnected && earlier.length > 0
  return {
    session: page.session,
    messages: keeps ? [...earlier, ...page.messages] : page.messages,
    hasEarlier: keeps ? before.hasEarlier : page.hasEarlier,
    problem: undefined,
  }
}
