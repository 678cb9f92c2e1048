// For answers that have no end of their own: they end when their caller would no longer be let in.
import type { SurfaceCall } from "../http/surface.ts"

const CHECK_MS = 3_000

/** Looks now and then, one look after the other, and calls `end` once. Until the returned function is called. */
export function watchCaller(
  { isCurrent, failed }: Pick<SurfaceCall, "isCurrent" | "failed">,
  end: () => void,
  everyMs = CHECK_MS,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = async () => {
    try {
      if (!(await isCurrent())) return end()
    } catch (error) {
      // The store cannot be asked now; it is asked again.
      failed(error)
    }
    next()
  }
  const next = () => {
    if (isOver) return
    timer = setTimeout(() => void look(), everyMs)
    timer.unref()
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
