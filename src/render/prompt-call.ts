// A prompt and its conversation as a call that the simulator can replay: tools, blocks and parts by digest, with
// the breakpoints that a renderer would write.

import type { Counter } from "../core/counter.ts"
import { canonicalJson, digest } from "../core/digest.ts"
import { isSent, type Message, type MessagePart } from "../core/message.ts"
import type { Block } from "../core/plan.ts"
import { type Prompt, toolText } from "../core/prompt.ts"
import type { Breakpoint, Position } from "./breakpoints.ts"
import type { Tier } from "./cache-rule.ts"
import type { Call, CallBlock, Piece } from "./call.ts"

export interface PromptCallOptions {
  readonly counter: Counter
  readonly breakpoints: readonly Breakpoint[]
  readonly at: number
  readonly output: number
  readonly settings?: Readonly<Record<string, string>>
  readonly evicts?: boolean
}

export function callOf(prompt: Prompt, messages: readonly Message[], options: PromptCallOptions): Call {
  const { breakpoints, at, output, settings, evicts } = options
  const measure = measurer(options.counter, prompt.plan.budget.factor)
  const marks = new Map(breakpoints.map(({ after, ttl }) => [placeOf(after), ttl]))
  const blocks: CallBlock[] = prompt.tools.map((tool) => measure.once(tool, "tools", () => toolText(tool)))
  for (const [block, text] of prompt.head.entries()) {
    const pieces = piecesOf(prompt, text, block, measure)
    blocks.push(withMark({ tier: "system", pieces }, marks.get(placeOf({ kind: "head", block }))))
  }
  for (const [message, { parts }] of messages.entries()) {
    for (const [part, said] of parts.entries()) {
      if (!isSent(said)) continue
      const block = measure.once(said, "messages", () => textOf(said))
      blocks.push(withMark(block, marks.get(placeOf({ kind: "message", message, part }))))
    }
  }
  return {
    at,
    output,
    blocks,
    ...(settings && { settings }),
    ...(evicts && { evicts }),
  }
}

/** A number for each place, as calls have many. */
function placeOf(after: Position): number {
  return after.kind === "head" ? -1 - after.block : after.message * 1e4 + after.part
}

function withMark(block: CallBlock, breakpoint: string | undefined): CallBlock {
  return breakpoint === undefined ? block : { ...block, breakpoint }
}

/** One piece for each run of a section, so that a provider that finds prefixes by itself is modelled by section. */
function piecesOf(prompt: Prompt, block: Block, index: number, measure: Measure): readonly Piece[] {
  const starts = prompt.plan.entries.flatMap(({ spans }) =>
    spans.filter((span) => span.block === index).map(({ start }) => start),
  )
  const cuts = [...new Set([0, ...starts])].toSorted((a, b) => a - b)
  return cuts
    .map((start, at) => block.text.slice(start, cuts[at + 1] ?? block.text.length))
    .filter((text) => text !== "")
    .map(measure.text)
}

function textOf(part: MessagePart): string {
  return part.kind === "tool-call" ? `${part.name} ${canonicalJson(part.input)}` : part.text
}

interface Measure {
  readonly text: (text: string) => Piece
  /** Tools and parts of messages keep their identity from call to call, and so their block. */
  readonly once: (known: object, tier: Tier, write: () => string) => CallBlock
}

const MEASURES = new WeakMap<Counter, Map<number, Measure>>()

function measurer(counter: Counter, factor: number): Measure {
  const byFactor = MEASURES.get(counter) ?? new Map<number, Measure>()
  MEASURES.set(counter, byFactor)
  const measure = byFactor.get(factor) ?? makeMeasure(counter, factor)
  byFactor.set(factor, measure)
  return measure
}

/** A head has some dozens of sections, and the next call has nearly all of them again. */
const REMEMBERED = 256

function makeMeasure(counter: Counter, factor: number): Measure {
  const blocks = new WeakMap<object, CallBlock>()
  const pieces = new Map<string, Piece>()
  const text = (whole: string): Piece => {
    const piece = pieces.get(whole) ?? { key: digest(whole), tokens: counter.count(whole) * factor }
    if (pieces.size >= REMEMBERED) pieces.clear()
    pieces.set(whole, piece)
    return piece
  }
  return {
    text,
    once(known, tier, write) {
      const block = blocks.get(known) ?? { tier, pieces: [text(write())] }
      blocks.set(known, block)
      return block
    },
  }
}
