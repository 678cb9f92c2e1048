// The tail as a block: what is to be said now, fitted, in its frame, with the spans of each item.
import { inCountedTokens, overBudget, tailLimit } from "./budget.ts"
import { fitCandidates, type Kit, type Result } from "./candidate.ts"
import type { Diagnostic } from "./diagnostic.ts"
import type { HeadState } from "./head.ts"
import { addSpans } from "./layout.ts"
import { TAIL_ENVELOPE } from "./markup.ts"
import type { Block, Entry, Span } from "./plan.ts"
import type { Item } from "./tail-item.ts"
import { isRun } from "./written.ts"

export interface TailBlock {
  /** Nothing, if there is nothing to say. */
  readonly block: Block | undefined
  readonly results: ReadonlyMap<Item, Result>
  readonly spans: ReadonlyMap<string, readonly Span[]>
  /** The entry that owns the frame. */
  readonly envelope: readonly Entry[]
  readonly limit: number
  readonly diagnostics: readonly Diagnostic[]
}

export function layOutTail(
  items: readonly Item[],
  head: HeadState,
  conversationTokens: number,
  kit: Kit,
): TailBlock {
  const { limits } = head
  const lateTokens = items.reduce((sum, { candidate: { edited, whole } }) => {
    return sum + (edited.section.room === "head" ? (whole?.tokens ?? 0) : 0)
  }, 0)
  const limit = tailLimit(limits, head.tokens, conversationTokens, lateTokens)
  const { frame } = kit
  const room = Math.max(0, inCountedTokens(limit, limits.ratio) - frame)
  const candidates = items.map(({ candidate }) => candidate)
  const fitted = fitCandidates(candidates, room, limits.shares, kit)
  const required = fitted.requiredTokens
  const diagnostics = overBudget("tail", limit, required && required + frame, limits.ratio)
  const results = new Map<Item, Result>()
  const spans = new Map<string, Span[]>()
  const at = head.blocks.length
  let text = TAIL_ENVELOPE.open
  for (const [index, result] of fitted.results.entries()) {
    const item = items[index]
    if (item === undefined) continue
    results.set(item, result)
    for (const run of result.written?.items.filter(isRun) ?? []) {
      addSpans(spans, item.key, run.parts, at, text.length)
      text += run.text
    }
  }
  if (spans.size === 0) return { block: undefined, results, spans, envelope: [], limit, diagnostics }
  const envelope = [envelopeEntry(frame, at, text.length)]
  return {
    block: tailBlock(text + TAIL_ENVELOPE.close, fitted.used + frame),
    results,
    spans,
    envelope,
    limit,
    diagnostics,
  }
}

function tailBlock(text: string, tokens: number): Block {
  return { placement: "tail", pace: "turn", text, tokens, breakpoint: undefined }
}

function envelopeEntry(tokens: number, block: number, inside: number): Entry {
  const facts = {
    kind: "envelope",
    id: "turn-context",
    pace: "turn",
    need: "required",
    trust: "public",
  } as const
  const spans = [
    { block, start: 0, end: TAIL_ENVELOPE.open.length },
    { block, start: inside, end: inside + TAIL_ENVELOPE.close.length },
  ]
  return { ...facts, outcome: { kind: "kept" }, tokens, spans, told: undefined, current: undefined, by: [] }
}
