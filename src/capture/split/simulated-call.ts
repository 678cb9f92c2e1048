// A captured call as the simulator takes it, so that other lifetimes, providers and layouts can be tried on real calls.
import type { Counter } from "../../core/model/counter.ts"
import { type Ref, refOf } from "../../database/text-ref.ts"
import type { Call, Piece } from "../../render/cache/call.ts"
import type { CapturedCall } from "../call.ts"
import type { CallPart } from "./part.ts"
import type { SplitCall } from "./splitter.ts"

export type ToSimulatedCall = (call: Pick<CapturedCall, "at" | "model" | "usage">, split: SplitCall) => Call

/** Measures each part once for all calls. Token counts do not include a model's factor. */
export function createToSimulatedCall(options: { readonly counter: Counter }): ToSimulatedCall {
  const known = new Map<Ref, readonly Piece[]>()
  const piecesOf = (part: CallPart) => {
    const pieces = known.get(part.digest) ?? measured(part, options.counter)
    known.set(part.digest, pieces)
    return pieces
  }
  return ({ at, model, usage }, { parts, settings }) => ({
    at,
    output: usage.output,
    blocks: parts.map((part) => ({
      tier: part.tier,
      pieces: piecesOf(part),
      ...(part.breakpoint !== undefined && { breakpoint: part.breakpoint }),
    })),
    settings: { ...settings, model },
  })
}

/** Paragraph by paragraph, since some providers match a prefix at any end. The last key stands for the whole part. */
function measured(
  { kind, role = "", tool = "", text, digest, tokens }: CallPart,
  counter: Counter,
): readonly Piece[] {
  const paragraphs = text.split(/(?<=\n\n)/).slice(0, -1)
  const pieces: Piece[] = []
  let left = tokens
  for (const paragraph of paragraphs) {
    const own = Math.min(left, counter.count(paragraph))
    pieces.push({ key: refOf(JSON.stringify([kind, role, tool, paragraph])), tokens: own })
    left -= own
  }
  return [...pieces, { key: digest, tokens: left }]
}
