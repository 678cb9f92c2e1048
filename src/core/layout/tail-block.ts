// The tail as a block: the items to tell now, fitted and framed, with the spans of each item.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { fitCandidates, type Kit, type Result } from "../compile/candidate.ts"
import type { HeadState } from "../epoch/head.ts"
import { inCountedTokens, overBudget, tailLimit } from "../fit/budget.ts"
import type { Excerpt } from "../model/message.ts"
import type { Block, Entry, Span } from "../model/plan.ts"
import { TAIL_ENVELOPE } from "../write/markup.ts"
import { isRun } from "../write/write.ts"
import { addSpans } from "./layout.ts"
import type { Item } from "./tail-item.ts"

export interface TailBlock {
  /** Undefined if there is nothing to tell. */
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
  const fitted = fitCandidates(candidates, { limit: room, shares: limits.shares }, kit)
  const required = fitted.requiredTokens
  const diagnostics = overBudget("tail", limit, required && required + frame, limits.ratio)
  const results = new Map<Item, Result>()
  const spans = new Map<string, Span[]>()
  const at = head.blocks.length
  const operator: Excerpt[] = []
  let text = TAIL_ENVELOPE.open
  for (const [index, result] of fitted.results.entries()) {
    const item = items[index]
    if (item === undefined) continue
    results.set(item, result)
    const start = text.length
    for (const run of result.written?.items.filter(isRun) ?? []) {
      addSpans(spans, { id: item.key, parts: run.parts, block: at, offset: text.length })
      text += run.text
    }
    if (isOperators(item)) addExcerpt(operator, { at: start, text: text.slice(start) })
  }
  if (spans.size === 0) return { block: undefined, results, spans, envelope: [], limit, diagnostics }
  const envelope = [envelopeEntry(frame, at, text.length)]
  return {
    block: tailBlock(text + TAIL_ENVELOPE.close, fitted.used + frame, operator),
    results,
    spans,
    envelope,
    limit,
    diagnostics,
  }
}

/** Text that a hook has touched may contain words from anyone. */
function isOperators({ candidate: { edited } }: Item): boolean {
  return edited.section.voice === "operator" && edited.by.length === 0
}

/** Merges adjacent excerpts. */
function addExcerpt(excerpts: Excerpt[], next: Excerpt): void {
  if (next.text === "") return
  const last = excerpts.at(-1)
  const isNext = last !== undefined && last.at + last.text.length === next.at
  if (isNext) excerpts[excerpts.length - 1] = { at: last.at, text: last.text + next.text }
  else excerpts.push(next)
}

function tailBlock(text: string, tokens: number, operator: readonly Excerpt[]): Block {
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
