// The sessions of this caller, the most recently used first, in pages. Read again when a turn has ended.
import { useEffect, useState } from "preact/hooks"
import { ask, problemText } from "../../../data/ask.ts"
import { changes } from "../../../data/live.ts"

export interface ListedSession {
  readonly id: string
  readonly agent: string
  /** Whose it is; only operators are told. */
  readonly who: string | null
  readonly situation: string
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
  const [pages, setPages] = useState<readonly Page[]>([])
  const [problem, setProblem] = useState<string>()
  const failed = (error: unknown) => setProblem(problemText(error))
  useEffect(() => {
    const abort = new AbortController()
    readPage({ signal: abort.signal }).then(
      (first) => {
        setPages((before) => [first, ...before.slice(1)])
        setProblem(undefined)
      },
      (error: unknown) => abort.signal.aborted || failed(error),
    )
    return () => abort.abort()
  }, [changes.value, session])
  const last = pages.at(-1)
  const readMore = () => {
    if (last === undefined || last.next === null) return
    readPage({ after: last.next }).then(
      (next) => setPages((before) => (before.at(-1)?.next === last.next ? [...before, next] : before)),
      failed,
    )
  }
  return {
    sessions: pages.length === 0 ? undefined : unique(pages.flatMap(({ sessions }) => sessions)),
    problem,
    hasMore: typeof last?.next === "string",
    readMore,
  }
}

/** A session that was used in the meantime has moved to the first page. */
function unique(sessions: readonly ListedSession[]): readonly ListedSession[] {
  return [...new Map(sessions.toReversed().map((one) => [one.id, one])).values()].toReversed()
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
