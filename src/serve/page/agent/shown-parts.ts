// A request in parts, in the order in which the provider reads it: what each part counts, what the cache did with it and
// what that cost, walked along the prefix by what the provider says it used.

import { formatOf } from "../../../capture/split/own-format.ts"
import type { CallPart } from "../../../capture/split/part.ts"
import { createSplitter, type Splitter } from "../../../capture/split/splitter.ts"
import { inModelTokens } from "../../../core/fit/budget.ts"
import type { Report } from "../../../core/read/report.ts"
import { attribute } from "../../../record/ask/attribute.ts"
import type { StoredEvent } from "../../../record/write/event.ts"
import { isObject, type Json } from "../../../record/write/request-marks.ts"
import { conversationField } from "../../../record/write/request-parts.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { inputOf, type Usage } from "../../../render/cache/price.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { ShownPart } from "../shown.ts"
import { type CountedOptions, partTokens } from "./part-tokens.ts"
import { type Planned, planSpans } from "./plan-spans.ts"

export interface PartsOf {
  readonly request: Json
  readonly planned: Planned | undefined
  /** The provider's answer, if this reader may see what it used. */
  readonly answered: StoredEvent | undefined
  readonly rule: CacheRule
  /** How many items the conversation of the call before had. */
  readonly itemsBefore: number | undefined
}

export function shownParts(
  { request, planned, answered, rule, itemsBefore }: PartsOf,
  splitter: Splitter,
): readonly ShownPart[] {
  if (!isObject(request)) return []
  const { parts } = splitter(request, formatOf(request))
  const used = usedBy(parts, answered, { rule, sentBefore: sentIn(request, parts, itemsBefore) })
  const placed = planSpans(parts, planned)
  return parts.map((part, at) => {
    const { tier, kind, role = null, tool = null, text, breakpoint = null } = part
    const { spans, pace } = placed[at] ?? { spans: [], pace: null }
    const own = used?.[at]
    return {
      ...{ tier, kind, role, tool, text, pace, breakpoint, spans },
      tokens: own === undefined ? counted(part, planned?.report) : inputOf(own.usage),
      cache: own === undefined ? null : cacheState(own.usage),
      costUsd: own === undefined ? null : roundedUsd(own.costUsd),
    }
  })
}

/** By the counter alone, as long as nobody has said how many there were. */
function counted({ tokens }: CallPart, report: Report | undefined): number {
  return report === undefined ? tokens : inModelTokens(tokens, report.budget)
}

function usedBy(
  parts: readonly CallPart[],
  answered: StoredEvent | undefined,
  options: Omit<CountedOptions, "usage">,
) {
  if (answered?.usage === undefined || parts.length === 0) return undefined
  const { usage, price = null, costUsd = null } = answered
  const named = partTokens(parts, { usage, ...options }).map(
    (tokens, at) => ({ kind: "section", id: String(at), tokens }) as const,
  )
  return attribute(named, { usage, price, costUsd })
}

/** Without what is left over from adding up. */
export function roundedUsd(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * 1e12) / 1e12
}

function cacheState({ read, uncached, write }: Usage): NonNullable<ShownPart["cache"]> {
  return { read, uncached, written: Object.values(write).reduce((sum, one) => sum + one, 0) }
}

/** How many parts come before the first item that is new. */
function sentIn(request: Json, parts: readonly CallPart[], items: number | undefined): number | undefined {
  const list = conversationField(request)
  const first = parts.findIndex(({ path: [field, item] }) => field === list && item === items)
  return items === undefined || first === -1 ? undefined : first
}

const MOST_USES = 200

/** Counts each text once for many calls, and begins again before it holds too many. */
export function createPartSplitter(): Splitter {
  let splitter = createSplitter({ counter: o200k })
  let uses = 0
  return (request, format) => {
    uses += 1
    if (uses % MOST_USES === 0) splitter = createSplitter({ counter: o200k })
    return splitter(request, format)
  }
}
