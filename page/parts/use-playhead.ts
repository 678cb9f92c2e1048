// Which call of a session is at the playhead: the address says it, and follows when the playhead rests.
import { useEffect, useState } from "preact/hooks"
import type { CallRow } from "../../src/serve/page/shown.ts"
import { go, place } from "../shell/place.ts"

/** A browser refuses to change the address too often. */
export const ADDRESS_MS = 250

/** The call in the address, or the newest. The address follows when the playhead rests. */
export function usePlayhead(calls: readonly CallRow[]): readonly [number, (at: number) => void] {
  const named = place.value.call
  const [moving, setMoving] = useState<number>()
  useEffect(() => setMoving(undefined), [named])
  useEffect(() => {
    if (moving === undefined) return undefined
    const timer = setTimeout(() => {
      go({ call: calls[moving]?.id }, { replace: true })
      setMoving(undefined)
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [moving])
  const found = calls.findIndex(({ id }) => id === named)
  const at = moving ?? (found === -1 ? calls.length - 1 : found)
  return [Math.min(at, calls.length - 1), setMoving]
}
