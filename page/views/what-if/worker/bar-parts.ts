// A prompt as the parts of the bar of blocks: tools, the text by how often it changes, and the message.
import { inModelTokens } from "../../../../src/core/fit/budget.ts"
import type { Block } from "../../../../src/core/model/plan.ts"
import type { Prompt } from "../../../../src/core/model/prompt.ts"
import type { CallDetail, ShownPart } from "../../../../src/serve/page/shown.ts"

export type CacheTokens = NonNullable<ShownPart["cache"]>

type Sized = Pick<ShownPart, "tier" | "kind" | "pace" | "tokens">

function said(pace: Sized["pace"], tokens: number): Sized {
  return { tier: "messages", kind: "text", pace, tokens }
}

/**
 * The provider reads a prefix, so what was read comes first, then what was written. What a call has beside the prompt is
 * the message, so that the parts add up to its input.
 */
export function barParts(
  { plan, head, tail }: Prompt,
  { read, written, uncached }: CacheTokens,
): CallDetail["parts"] {
  const { budget } = plan
  const text = (block: Block) => inModelTokens(block.tokens, budget)
  const sent: readonly Sized[] = [
    { tier: "tools", kind: "tool", pace: "stable", tokens: budget.tools },
    ...head.map(
      (block): Sized => ({ tier: "system", kind: "system", pace: block.pace, tokens: text(block) }),
    ),
    ...(tail === undefined ? [] : [said("turn", text(tail))]),
  ]
  let rest = read + written + uncached
  // Each block is rounded for itself: their sum may be a little more than the call.
  const capped = sent.map((part) => {
    const tokens = Math.min(part.tokens, rest)
    rest -= tokens
    return { ...part, tokens }
  })
  const all = [...capped, said(null, rest)]
  let before = 0
  return all.map(({ tier, kind, pace, tokens }): ShownPart => {
    const within = (from: number, to: number) =>
      Math.max(0, Math.min(before + tokens, to) - Math.max(before, from))
    const cache = { read: within(0, read), written: within(read, read + written) }
    const uncached = tokens - cache.read - cache.written
    before += tokens
    return {
      ...{ tier, kind, pace, tokens, cache: { ...cache, uncached } },
      ...{ role: null, tool: null, text: "", breakpoint: null, costUsd: null, spans: [] },
    }
  })
}
