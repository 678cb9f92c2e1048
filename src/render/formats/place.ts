// Where the text of an entry is in a request. Every renderer returns places, so that receipts and explanations can
// point into what was really sent.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Prompt } from "../../core/model/prompt.ts"

/** Where the text of a plan's entry is in a request. */
export interface Place {
  readonly entry: string
  /** JSON pointer to a string of the request. For a tool, to its whole name, which is inside its definition. */
  readonly pointer: string
  readonly start: number
  readonly end: number
}

/** A request, and where each entry of the plan is in it. */
export interface Rendered<R> {
  /** Always well-formed: all text passes here last on its way to a provider. */
  readonly request: R
  readonly places: readonly Place[]
  /** About this request: what it lacks although the conversation has it, or that a model gets no cache marks. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Where a block went: the string of the request, and the offset in it. */
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
  /** Empty if the conversation doesn't contain the tail. */
  readonly tail: readonly TailSpot[]
  /** Absent if the request contains no tools. */
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

/** Returns undefined for the frame of a tail that moved as a whole: it isn't sent. */
function tailSpot(tail: readonly TailSpot[], at: number): Spot | undefined {
  const found = tail.find(({ start, end }) => start <= at && at < end)
  return found && { pointer: found.pointer, offset: found.offset - found.start }
}
