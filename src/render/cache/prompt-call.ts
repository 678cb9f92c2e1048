// A prompt and its conversation as a call that the simulator can replay: tools, blocks and parts by digest, with the
// breakpoints that a renderer would write.
import { digest } from "../../base/digest.ts"
import type { Counter } from "../../core/model/counter.ts"
import { isSent, type Message } from "../../core/model/message.ts"
import { partText } from "../../core/model/part-text.ts"
import type { Block } from "../../core/model/plan.ts"
import { type Prompt, toolText } from "../../core/model/prompt.ts"
import { type Sent, sentOrder, tailFormOf } from "../formats/late-system.ts"
import type { Breakpoint, Position } from "./breakpoints.ts"
import type { CacheRule, Tier } from "./cache-rule.ts"
import type { Call, CallBlock, Piece } from "./call.ts"

/** What `callOf` needs besides the prompt: the counter, the breakpoints, the time and the size of the answer. */
export interface PromptCallOptions {
  readonly counter: Counter
  /** What was measured for earlier calls; pass the same one with every call of a conversation. */
  readonly measured?: Measured
  readonly breakpoints: readonly Breakpoint[]
  /** The model's rule, which decides whether tails are sent as system messages. Default: in messages. */
  readonly rule?: CacheRule
  readonly at: number
  readonly output: number
  readonly settings?: Readonly<Record<string, string>>
  readonly evicts?: boolean
}

/** Turns a prompt and its conversation into a call that can be verified and simulated. */
export function callOf(prompt: Prompt, messages: readonly Message[], options: PromptCallOptions): Call {
  const { breakpoints, at, output, settings, evicts, rule } = options
  const { factor } = prompt.plan.budget
  const measure = (options.measured ?? createMeasured(options.counter)).by(factor)
  const marks = new Map(breakpoints.map(({ after, ttl }) => [placeOf(after), ttl]))
  const blocks: CallBlock[] = prompt.tools
    .map(toolText)
    .map((definition) => measure.once(definition, "tools", () => definition.text))
  for (const [block, text] of prompt.head.entries()) {
    const pieces = piecesOf(text, { starts: startsIn(prompt, block), measure })
    blocks.push(withMark({ tier: "system", pieces }, marks.get(placeOf({ kind: "head", block }))))
  }
  for (const sent of sentOrder(messages, rule === undefined ? "message" : tailFormOf(prompt, rule)))
    blocks.push(
      ...(sent.kind === "system"
        ? lateBlock(sent, { marks, measure })
        : partBlocks(sent, { messages, marks, measure })),
    )
  return {
    at,
    output,
    blocks,
    ...(settings && { settings }),
    ...(evicts && { evicts }),
  }
}

interface Marking {
  /** Lifetimes of breakpoints, by `placeOf`. */
  readonly marks: ReadonlyMap<number, string>
  readonly measure: Measure
}

function partBlocks(
  { at, message }: Extract<Sent, { kind: "message" }>,
  { messages, marks, measure }: Marking & { readonly messages: readonly Message[] },
): readonly CallBlock[] {
  const isWhole = message === messages[at]
  return message.parts.flatMap((said, part) => {
    if (!isSent(said)) return []
    const block = measure.once(said, "messages", () => partText(said))
    // A breakpoint after a divided tail goes after the system message.
    const isMoved = !isWhole && said !== messages[at]?.parts[part]
    return [withMark(block, isMoved ? undefined : marks.get(placeOf({ kind: "message", message: at, part })))]
  })
}

function lateBlock(
  { late, tails }: Extract<Sent, { kind: "system" }>,
  { marks, measure }: Marking,
): readonly CallBlock[] {
  const mark = tails
    .map((place) => marks.get(placeOf({ kind: "message", ...place })))
    .findLast((ttl) => ttl !== undefined)
  return [
    withMark(
      measure.once(late, "system", () => late.text),
      mark,
    ),
  ]
}

/** Encodes a position as one number, because calls have many. */
function placeOf(after: Position): number {
  return after.kind === "head" ? -1 - after.block : after.message * 1e4 + after.part
}

function withMark(block: CallBlock, breakpoint: string | undefined): CallBlock {
  return breakpoint === undefined ? block : { ...block, breakpoint }
}

/** Where the runs of sections begin in a block. */
function startsIn({ plan }: Prompt, block: number): readonly number[] {
  return plan.entries.flatMap(({ spans }) =>
    spans.filter((span) => span.block === block).map(({ start }) => start),
  )
}

/** One piece per run of a section, so that prefix lookup is modelled section by section. */
function piecesOf(
  block: Block,
  { starts, measure }: { readonly starts: readonly number[]; readonly measure: Measure },
): readonly Piece[] {
  const cuts = [...new Set([0, ...starts])].toSorted((a, b) => a - b)
  return cuts
    .map((start, at) => block.text.slice(start, cuts[at + 1] ?? block.text.length))
    .filter((text) => text !== "")
    .map(measure.text)
}

interface Measure {
  readonly text: (text: string) => Piece
  /** Tools and message parts are the same objects from call to call, so each is measured once. */
  readonly once: (known: object, tier: Tier, write: () => string) => CallBlock
}

/** Tokens and digests of what was sent before. */
export interface Measured {
  /** `factor`: from the counter's tokens to the model's. */
  by(factor: number): Measure
}

export function createMeasured(counter: Counter): Measured {
  const measures = new Map<number, Measure>()
  return {
    by(factor) {
      const measure = measures.get(factor) ?? makeMeasure(counter, factor)
      measures.set(factor, measure)
      return measure
    },
  }
}

/** A head has a few dozen sections, and the next call has nearly all of them again. */
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
