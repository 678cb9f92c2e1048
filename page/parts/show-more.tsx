// A long list of which more is shown when it is asked for.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { counted } from "./figures.ts"

export interface ShownList<T> {
  readonly shown: readonly T[]
  /** The button that shows more; null if all are shown. */
  readonly more: ComponentChildren
}

/** `noun`: what one of them is called. */
export function useShowMore<T>(
  all: readonly T[],
  atFirst: number,
  noun: readonly [one: string, many?: string],
): ShownList<T> {
  const [most, setMost] = useState(atFirst)
  const more = all.length > most && (
    <button type="button" onClick={() => setMost((before) => before * 4)}>
      Show more of {counted(all.length, ...noun)}
    </button>
  )
  return { shown: all.slice(0, most), more }
}
