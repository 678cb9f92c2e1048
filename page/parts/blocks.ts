// The blocks of a call: neighbouring parts of its request that belong together, in the order in which the provider reads
// them.
import type { Pace } from "../../src/base/pace.ts"
import type { ShownPart, ShownUsage } from "../../src/serve/page/shown.ts"

export type BlockCache = Pick<ShownUsage, "read" | "written" | "uncached">

export interface BarBlock {
  /** The same for the same block of another call. */
  readonly key: string
  readonly label: string
  /** How often it changes; null for the conversation and for what nothing is known of. */
  readonly pace: Pace | null
  readonly tokens: number
  readonly costUsd: number | null
  /** Null if the provider did not say. */
  readonly cache: BlockCache | null
  /** Indexes of its parts. */
  readonly parts: readonly number[]
}

/** Empty blocks are left out. */
export function blocksOf(parts: readonly ShownPart[]): readonly BarBlock[] {
  const kinds = kindsOf(parts)
  return [...Map.groupBy(parts.keys(), (at) => kinds[at] ?? "talk")].flatMap(([key, at]) => {
    const block = blockOf(key, at, parts)
    return block.tokens > 0 ? [block] : []
  })
}

/** Turn context of earlier turns is part of the conversation by now. */
function kindsOf(parts: readonly ShownPart[]): readonly string[] {
  const last = parts.findLastIndex(isTurn)
  let first = last
  while (first > 0 && isTurn(parts[first - 1])) first -= 1
  const talk = parts.findIndex(({ tier }) => tier === "messages")
  return parts.map((part, at) => {
    if (part.tier === "tools") return "tools"
    // Some models take system messages between the others.
    if (part.tier === "system" && (talk === -1 || at < talk)) return `system-${part.pace ?? "unknown"}`
    if (last === -1 || at < first) return "talk"
    return at <= last ? "turn-context" : "talk-since"
  })
}

function isTurn(part: ShownPart | undefined): boolean {
  return part?.pace === "turn"
}

const LABELS: Readonly<Record<string, string>> = {
  tools: "tools",
  "system-stable": "rarely changes",
  "system-session": "per session",
  "system-turn": "per turn",
  "system-unknown": "system prompt",
  talk: "conversation",
  "turn-context": "turn context",
  "talk-since": "this turn",
}

function blockOf(key: string, at: readonly number[], all: readonly ShownPart[]): BarBlock {
  const parts = at.flatMap((index) => all[index] ?? [])
  const paces = new Set(parts.map(({ pace }) => pace))
  return {
    key,
    label: LABELS[key] ?? key,
    pace: key.startsWith("talk") ? null : paces.size === 1 ? (parts[0]?.pace ?? null) : null,
    ...summed(parts),
    parts: at,
  }
}

type Sums = Pick<BarBlock, "tokens" | "costUsd" | "cache">

/** What is unknown of one of them is unknown of all. */
export function summed(all: readonly Sums[]): Sums {
  const sum = (read: (one: Sums) => number) => all.reduce((total, one) => total + read(one), 0)
  const cached = (kind: keyof BlockCache) => sum(({ cache }) => cache?.[kind] ?? 0)
  const isPriced = all.every(({ costUsd }) => costUsd !== null)
  const isCounted = all.every(({ cache }) => cache !== null)
  return {
    tokens: sum(({ tokens }) => tokens),
    costUsd: isPriced ? sum(({ costUsd }) => costUsd ?? 0) : null,
    cache: isCounted
      ? { read: cached("read"), written: cached("written"), uncached: cached("uncached") }
      : null,
  }
}

/** Where something is on the bar: a share of the room that is given by tokens, and pixels that every block has at least. */
export interface BarPlace {
  readonly share: number
  readonly blocks: number
}

/** The place after so many tokens. */
export function placeAfter(blocks: readonly BarBlock[], tokens: number): BarPlace {
  const total = blocks.reduce((sum, block) => sum + block.tokens, 0)
  if (total === 0) return { share: 0, blocks: 0 }
  let before = 0
  for (const [at, block] of blocks.entries()) {
    if (tokens < before + block.tokens)
      return { share: tokens / total, blocks: at + Math.max(0, tokens - before) / block.tokens }
    before += block.tokens
  }
  return { share: 1, blocks: blocks.length }
}
