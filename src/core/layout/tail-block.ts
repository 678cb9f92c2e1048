// The tail as a block: the fitted text in its frame, with the spans of each section.
import type { Fitted } from "../fit/fit-sections.ts"
import type { Excerpt } from "../model/message.ts"
import type { Block, Entry, Span } from "../model/plan.ts"
import { TAIL_ENVELOPE } from "../write/markup.ts"
import type { Measured } from "../write/measure.ts"
import { isRun } from "../write/write.ts"
import { addSpans } from "./blocks.ts"
import { sentKey } from "./tail-updates.ts"

export interface TailBlock {
  /** Undefined if there is nothing to send. */
  readonly block: Block | undefined
  /** By key in `Sent`. */
  readonly spans: ReadonlyMap<string, readonly Span[]>
  /** The entry that owns the frame. */
  readonly envelope: readonly Entry[]
}

export interface TailBlockOptions {
  /** Which block of the prompt it is. */
  readonly at: number
  /** The tokens of the frame. */
  readonly frame: number
}

export function tailBlock(sections: readonly Fitted[], { at, frame }: TailBlockOptions): TailBlock {
  const spans = new Map<string, Span[]>()
  const operator: Excerpt[] = []
  let text = TAIL_ENVELOPE.open
  let tokens = frame
  for (const { measured, written } of sections) {
    if (written === undefined) continue
    const start = text.length
    for (const run of written.items.filter(isRun)) {
      addSpans(spans, { id: sentKey(measured), parts: run.parts, block: at, offset: text.length })
      text += run.text
    }
    tokens += written.tokens
    if (isOperators(measured)) addExcerpt(operator, { at: start, text: text.slice(start) })
  }
  if (spans.size === 0) return { block: undefined, spans, envelope: [] }
  const envelope = [envelopeEntry(frame, at, text.length)]
  return { block: makeBlock(text + TAIL_ENVELOPE.close, tokens, operator), spans, envelope }
}

/** Text that a hook has touched may contain words from anyone. */
function isOperators({ section }: Measured): boolean {
  return section.voice === "operator" && (section.by ?? []).length === 0
}

/** Merges adjacent excerpts. */
function addExcerpt(excerpts: Excerpt[], next: Excerpt): void {
  if (next.text === "") return
  const last = excerpts.at(-1)
  const isNext = last !== undefined && last.at + last.text.length === next.at
  if (isNext) excerpts[excerpts.length - 1] = { at: last.at, text: last.text + next.text }
  else excerpts.push(next)
}

function makeBlock(text: string, tokens: number, operator: readonly Excerpt[]): Block {
  const block = { placement: "tail", pace: "turn", text, tokens, breakpoint: undefined } as const
  return operator.length === 0 ? block : { ...block, operator }
}

function envelopeEntry(tokens: number, block: number, inside: number): Entry {
  const facts = {
    kind: "envelope",
    id: "turn-context",
    pace: "turn",
    priority: "required",
    trust: "public",
  } as const
  const spans = [
    { block, start: 0, end: TAIL_ENVELOPE.open.length },
    { block, start: inside, end: inside + TAIL_ENVELOPE.close.length },
  ]
  return {
    ...facts,
    outcome: { kind: "included" },
    tokens,
    spans,
    sent: undefined,
    current: undefined,
    by: [],
  }
}
