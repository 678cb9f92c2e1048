// Whose text a call sent, largest first. A part of a request may hold the text of many; its tokens and its price are
// divided among them by their length in tokens.
import { o200k } from "../../../tokens/o200k.ts"
import type { ShownPart, ShownSpan } from "../../page/shown.ts"
import { ownerText } from "./owner-text.ts"

export interface SentBy {
  readonly what: string
  readonly tokens: number
  /** Of these, read from the cache; absent if the provider did not say. */
  readonly read?: number
  readonly costUsd: number | null
}

export function sentBy(parts: readonly ShownPart[], most: number): readonly SentBy[] {
  const sums = new Map<string, { tokens: number; read: number | undefined; costUsd: number | null }>()
  for (const part of parts) {
    for (const { what, share } of shares(part)) {
      const sum = sums.get(what) ?? { tokens: 0, read: 0, costUsd: null }
      sum.tokens += part.tokens * share
      sum.read =
        part.cache === null || sum.read === undefined ? undefined : sum.read + part.cache.read * share
      if (part.costUsd !== null) sum.costUsd = (sum.costUsd ?? 0) + part.costUsd * share
      sums.set(what, sum)
    }
  }
  return [...sums]
    .map(([what, { tokens, read, costUsd }]) => ({
      ...{ what, tokens: Math.round(tokens), costUsd },
      ...(read !== undefined && { read: Math.round(read) }),
    }))
    .filter(({ tokens }) => tokens > 0)
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, most)
}

interface Share {
  readonly what: string
  readonly share: number
}

function shares(part: ShownPart): readonly Share[] {
  const own = [part.tier, part.tool ?? part.role ?? ""].join(" ").trim()
  const pieces: { what: string; tokens: number }[] = []
  let end = 0
  for (const span of part.spans) {
    pieces.push({ what: own, tokens: o200k.count(part.text.slice(end, span.start)) })
    pieces.push({ what: nameOf(span, own), tokens: o200k.count(part.text.slice(span.start, span.end)) })
    end = span.end
  }
  pieces.push({ what: own, tokens: o200k.count(part.text.slice(end)) })
  const all = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  // A part without text, such as a definition that was withheld, is its own.
  if (all === 0) return [{ what: own, share: 1 }]
  return pieces.map(({ what, tokens }) => ({ what, share: tokens / all }))
}

/** A file is one owner, whichever of its lines were sent. */
function nameOf({ owner, section }: ShownSpan, own: string): string {
  if (owner !== null) return ownerText({ ...owner, lines: undefined })
  return section === null ? own : `section ${section}`
}
