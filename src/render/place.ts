// Where the text of an entry went in a request. Every renderer returns these, so that receipts and
// explanations can point into what was really sent.
import type { Prompt } from "../core/prompt.ts"

export interface Place {
  readonly entry: string
  /** JSON pointer to a string of the request. */
  readonly pointer: string
  readonly start: number
  readonly end: number
}

export interface Rendered<R> {
  readonly request: R
  readonly places: readonly Place[]
}

/** The spans of one block, at the place where the block went. */
export function placesOf(prompt: Prompt, block: number, pointer: string): readonly Place[] {
  return prompt.plan.entries.flatMap(({ id, spans }) =>
    spans
      .filter((span) => span.block === block)
      .map(({ start, end }) => ({ entry: id, pointer, start, end })),
  )
}
