// A value once it has stayed the same for a moment; the first one at once.
import { useEffect, useState } from "preact/hooks"

export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    if (Object.is(value, rested)) return undefined
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, rested, ms])
  return rested ?? value
}
