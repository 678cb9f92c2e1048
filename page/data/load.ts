// Loads what a view shows. While the next answer is on its way, the last one stays on the screen, so nothing jumps.
import { useEffect, useRef, useState } from "preact/hooks"
import { problemText, Refusal } from "./ask.ts"

export interface Loaded<T> {
  /** The newest answer; of the key before while the next one loads. */
  readonly value: T | undefined
  /** Whether `value` belongs to the current key. */
  readonly isCurrent: boolean
  readonly problem: string | undefined
  /** Whether the problem is that it isn't there. */
  readonly isGone: boolean
  readonly reload: () => void
}

interface State<T> {
  readonly key: string | undefined
  readonly value: T | undefined
  readonly problem: string | undefined
  readonly isGone?: boolean
}

/** Loads whenever the key changes; nothing without a key. The signal aborts when the key changes again. */
export function useLoaded<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key: undefined, value: undefined, problem: undefined })
  const [round, setRound] = useState(0)
  // The newest function, without loading again because it is a new one.
  const newest = useRef(load)
  newest.current = load
  useEffect(() => {
    if (key === undefined) return undefined
    const abort = new AbortController()
    newest.current(abort.signal).then(
      (value) => abort.signal.aborted || setState({ key, value, problem: undefined }),
      (error: unknown) =>
        abort.signal.aborted ||
        setState(({ value }) => ({ key, value, problem: problemText(error), isGone: isNotFound(error) })),
    )
    return () => abort.abort()
  }, [key, round])
  return {
    value: state.value,
    isCurrent: state.key === key && state.problem === undefined,
    problem: state.key === key ? state.problem : undefined,
    isGone: state.key === key && state.isGone === true,
    reload: () => setRound((before) => before + 1),
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && error.status === 404
}
