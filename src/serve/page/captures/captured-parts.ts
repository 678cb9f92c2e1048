// The parts of a captured request as the page shows them: with their tokens as the model counted them, what the cache did
// with each, and what each cost. Read tokens come first, then written ones, then the rest, as the prefix is. Pure.
import { proportion, REST, UNRECORDED } from "../../../capture/bill/owners/charge-call.ts"
import type { SentCall } from "../../../capture/sessions/session-calls.ts"
import type { CallPart } from "../../../capture/split/part.ts"
import { prefixCost } from "../../../record/ask/prefix-cost.ts"
import { inputOf, type Usage } from "../../../render/cache/price.ts"
import { factorFor } from "../../../tokens/factor.ts"
import type { ShownPart, ShownSpan } from "../shown.ts"

/** They add up to the input of the call; what is not recorded is a part without text. */
export function capturedParts(sent: SentCall): readonly ShownPart[] {
  const { call, parts, owned, priced } = sent
  const { usage } = call
  const cost = prefixCost({ usage, ...priced })
  const { scale, rest } = proportion(sent, inputOf(usage), factorFor(call.model).factor)
  let [position, end] = [0, 0]
  const measured = (tokens: number) => {
    const from = position
    end += tokens
    position = Math.round(end)
    const costUsd = cost === null ? null : cost.upTo(position) - cost.upTo(from)
    return { tokens: position - from, cache: cachedBetween(from, position, usage), costUsd }
  }
  const missing = rest > 0 ? [{ ...missingPart(parts.length === 0), ...measured(rest) }] : []
  const shown = parts.map((part, at) => {
    const spans = (owned[at] ?? []).map(({ start, end: to, owner }) => ({
      ...{ start, end: to, section: null, owner },
    }))
    return { ...partOf(part, spans), ...measured(part.tokens * scale) }
  })
  return [...missing, ...shown]
}

type UnmeasuredPart = Omit<ShownPart, "tokens" | "cache" | "costUsd">

function missingPart(isAll: boolean): UnmeasuredPart {
  const span = { start: 0, end: 0, section: null, owner: isAll ? UNRECORDED : REST }
  return {
    ...{ tier: "system", kind: "system", role: null, tool: null, text: "", pace: null, breakpoint: null },
    spans: [span],
  }
}

function partOf(part: CallPart, spans: readonly ShownSpan[]): UnmeasuredPart {
  const { tier, kind, role = null, tool = null, text, breakpoint = null } = part
  return { tier, kind, role, tool, text, pace: null, breakpoint, spans }
}

/** Of the tokens from one position to another, what was read, written and neither. */
function cachedBetween(from: number, to: number, usage: Usage): NonNullable<ShownPart["cache"]> {
  const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
  const within = (start: number, end: number) => Math.max(0, Math.min(to, end) - Math.max(from, start))
  return {
    read: within(0, usage.read),
    written: within(usage.read, usage.read + written),
    uncached: within(usage.read + written, Number.POSITIVE_INFINITY),
  }
}
