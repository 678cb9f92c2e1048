// The sessions of this caller, the most recently used first, in pages. Read again when a turn has ended.
import { useEffect, useState } from "preact/hooks"
import { ask, problemText } from "../../../data/ask.ts"
import { changes } from "../../../data/live.ts"

export interface ListedSession {
  readonly id: string
  readonly agent: string
  /** Whose it is; only operators are told. */
  readonly who: string | null
  readonly title: string
  readonly turns: number
  readonly createdAt: string
  readonly usedAt: string
}

interface Page {
  readonly sessions: readonly ListedSession[]
  readonly next: string | null
}

export interface SessionPages {
  /** Undefined until the first page is here. */
  readonly sessions: readonly ListedSession[] | undefined
  readonly problem: string | undefined
  readonly hasMore: boolean
  readonly readMore: () => void
}

const PAGE = 50

export function useSessionPages(session: string | undefined): SessionPages {
  const [listed, setListed] = useState<Page>()
  const [problem, setProblem] = useState<string>()
  const failed = (error: unknown) => setProblem(problemText(error))
  useEffect(() => {
    const abort = new AbortController()
    readPage({ signal: abort.signal }).then(
      (first) => {
        setListed((before) => withFirst(first, before))
        setProblem(undefined)
      },
      (error: unknown) => abort.signal.aborted || failed(error),
    )
    return () => abort.abort()
  }, [changes.value, session])
  const after = listed?.next ?? undefined
  const readMore = () => {
    if (after === undefined) return
    readPage({ after }).then(
      (page) => setListed((before) => (before?.next === after ? joined(before, page) : before)),
      failed,
    )
  }
  return { sessions: listed?.sessions, problem, hasMore: after !== undefined, readMore }
}

/** What was read of later pages stays: the first one has pushed some of its sessions there. */
function withFirst(first: Page, before: Page | undefined): Page {
  if (before === undefined || before.sessions.length <= PAGE) return first
  return joined(first, before)
}

/** A session that was used in the meantime has moved to the front. */
function joined(one: Page, other: Page): Page {
  const known = new Set(one.sessions.map(({ id }) => id))
  return { ...other, sessions: [...one.sessions, ...other.sessions.filter(({ id }) => !known.has(id))] }
}

function readPage({
  after,
  signal,
}: {
  readonly after?: string
  readonly signal?: AbortSignal
}): Promise<Page> {
  return ask<Page>("/api/sessions", { signal, query: { limit: PAGE, after } })
}
