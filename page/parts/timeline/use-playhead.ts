// Which call of a session is at the playhead: the address says it, and follows when the playhead rests.
import { useEffect, useState } from "preact/hooks"
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { go, place } from "../../shell/place.ts"

/** A browser refuses to change the address too often. */
export const ADDRESS_MS = 250

/** The call in the address, or the newest. The address follows when the playhead rests. */
export function usePlayhead(calls: readonly CallRow[]): readonly [number, (at: number) => void] {
  const named = place.value.call
  // Until the address has followed, or leads elsewhere.
  const [moved, setMoved] = useState<{ readonly at: number; readonly from: string | undefined }>()
  const moving = moved?.from === named ? moved?.at : undefined
  useEffect(() => {
    if (moving === undefined) return undefined
    const timer = setTimeout(() => {
      go({ call: calls[moving]?.id }, { replace: true })
      setMoved((newest) => (newest === moved ? undefined : newest))
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [moving])
  const found = calls.findIndex(({ id }) => id === named)
  const at = moving ?? (found === -1 ? calls.length - 1 : found)
  return [Math.min(at, calls.length - 1), (to) => setMoved({ at: to, from: place.peek().call })]
}
