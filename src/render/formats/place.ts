// Where the text of an entry went in a request. Every renderer returns these, so that receipts and
// explanations can point into what was really sent.
import type { Prompt } from "../../core/model/prompt.ts"

export interface Place {
  readonly entry: string
  /** JSON pointer to a string of the request. For a tool that is its name, whole: the definition is around it. */
  readonly pointer: string
  readonly start: number
  readonly end: number
}

export interface Rendered<R> {
  /** Well-formed, whatever came in: this is the last place that all text passes on its way to a provider. */
  readonly request: R
  readonly places: readonly Place[]
}

/** Where a block went: into which string of the request, from which offset on. */
export interface Spot {
  readonly pointer: string
  readonly offset: number
}

/** Where a piece of the tail went: its offsets in the tail, and the place of its first character. */
export interface TailSpot extends Spot {
  readonly start: number
  readonly end: number
}

export interface Spots {
  readonly head: (block: number) => Spot
  /** Empty if the conversation does not hold the tail. */
  readonly tail: readonly TailSpot[]
  /** Nothing if the request does not hold tools. */
  readonly tool?: (index: number) => string
}

/** In the order of the plan's entries. */
export function placesOf({ plan, head, tools }: Prompt, spots: Spots): readonly Place[] {
  const blocks = head.map((_block, at) => spots.head(at))
  const names = tools.map(({ name }) => name)
  const places: Place[] = []
  for (const { kind, id, spans } of plan.entries) {
    const index = kind === "tool" ? names.indexOf(id) : -1
    if (index !== -1 && spots.tool)
      places.push({ entry: id, pointer: spots.tool(index), start: 0, end: id.length })
    for (const { block, start, end } of spans) {
      const spot = block < blocks.length ? blocks[block] : tailSpot(spots.tail, start)
      if (spot === undefined) continue
      const { pointer, offset } = spot
      places.push({ entry: id, pointer, start: start + offset, end: end + offset })
    }
  }
  return places
}

/** The frame of a tail that went elsewhere whole is not sent, and so is nowhere. */
function tailSpot(tail: readonly TailSpot[], at: number): Spot | undefined {
  const found = tail.find(({ start, end }) => start <= at && at < end)
  return found && { pointer: found.pointer, offset: found.offset - found.start }
}
