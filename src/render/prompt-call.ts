// A prompt and its conversation as a call that the simulator can replay: tools, blocks and parts by digest, with
// the breakpoints that a renderer would write.

import type { Counter } from "../core/counter.ts"
import { canonicalJson, digest } from "../core/digest.ts"
import { isSent, type Message, type MessagePart } from "../core/message.ts"
import type { Block } from "../core/plan.ts"
import { type Prompt, toolText } from "../core/prompt.ts"
import type { Breakpoint } from "./breakpoints.ts"
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
  const marked = (kind: "head" | "message", first: number, second = 0) =>
    breakpoints.find(({ after }) =>
      after.kind === "head"
        ? kind === "head" && after.block === first
        : kind === "message" && after.message === first && after.part === second,
    )?.ttl
  return {
    at,
    output,
    blocks: [
      ...prompt.tools.map((tool): CallBlock => ({ tier: "tools", pieces: [measure(toolText(tool))] })),
      ...prompt.head.map((block, index) =>
        withMark({ tier: "system", pieces: piecesOf(prompt, block, index, measure) }, marked("head", index)),
      ),
      ...messages.flatMap(({ parts }, message) =>
        parts.flatMap((part, index) =>
          isSent(part)
            ? [
                withMark(
                  { tier: "messages", pieces: [measure(textOf(part), part)] },
                  marked("message", message, index),
                ),
              ]
            : [],
        ),
      ),
    ],
    ...(settings && { settings }),
    ...(evicts && { evicts }),
  }
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
    .map((text) => measure(text))
}

function textOf(part: MessagePart): string {
  return part.kind === "tool-call" ? `${part.name} ${canonicalJson(part.input)}` : part.text
}

type Measure = (text: string, known?: object) => Piece

/** Parts of messages keep their identity from call to call, and so their measure. */
const MEASURED = new WeakMap<Counter, WeakMap<object, Piece>>()

function measurer(counter: Counter, factor: number): Measure {
  const measured = MEASURED.get(counter) ?? new WeakMap<object, Piece>()
  MEASURED.set(counter, measured)
  return (text, known) => {
    const before = known === undefined ? undefined : measured.get(known)
    const piece = before ?? { key: digest(text), tokens: counter.count(text) }
    if (known !== undefined && before === undefined) measured.set(known, piece)
    return factor === 1 ? piece : { ...piece, tokens: piece.tokens * factor }
  }
}
