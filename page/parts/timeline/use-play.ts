// Plays the calls of a session: the playhead moves on by itself, and rests at each miss.
import { useEffect, useRef, useState } from "preact/hooks"
import type { CallRow } from "../../../src/serve/page/shown.ts"

export interface PlayOptions {
  readonly calls: readonly CallRow[]
  readonly at: number
  readonly move: (at: number) => void
}

/** Long sessions are played in about a minute. */
const WHOLE_MS = 60_000
const MOST_MS = 400
const LEAST_MS = 40
const REST_MS = 1_500

export function usePlay({ calls, at, move }: PlayOptions): {
  readonly isOn: boolean
  readonly toggle: () => void
} {
  const [isOn, setOn] = useState(false)
  const newest = useRef(move)
  newest.current = move
  const isLast = at >= calls.length - 1
  const isMiss = calls[at]?.miss != null
  const stepMs = Math.min(MOST_MS, Math.max(LEAST_MS, WHOLE_MS / calls.length))
  useEffect(() => {
    if (!isOn) return undefined
    if (isLast) return void setOn(false)
    const timer = setTimeout(() => newest.current(at + 1), isMiss ? REST_MS : stepMs)
    return () => clearTimeout(timer)
  }, [isOn, at, isLast, isMiss, stepMs])
  const toggle = () => {
    if (!isOn && isLast) move(0)
    setOn(!isOn && calls.length > 1)
  }
  return { isOn, toggle }
}
