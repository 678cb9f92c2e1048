// One model call as a cache sees it: texts by digest in prefix order, with the positions of the breakpoints. Made from
// a real prompt, read from a record, or invented by a layout.
import type { Tier } from "./cache-rule.ts"

/** A text by its digest: equal keys mean equal bytes. */
export interface Piece {
  readonly key: string
  readonly tokens: number
}

/** One unit of a request: a tool, a block of system text, or a part of a message. */
export interface CallBlock {
  readonly tier: Tier
  readonly pieces: readonly Piece[]
  /** How long to cache the prefix up to here. */
  readonly breakpoint?: string
}

/** One model call as a cache sees it: the digests and sizes of its texts, in order. */
export interface Call {
  /** Milliseconds since the start of the trace. */
  readonly at: number
  readonly blocks: readonly CallBlock[]
  /** Tokens of the answer. */
  readonly output: number
  /** Settings that belong to the prefix but aren't text, such as the model or the tool choice. */
  readonly settings?: Readonly<Record<string, string>>
  /** Empties the cache before this call. */
  readonly evicts?: true
}

/** Tools come first wherever they are listed; everything else keeps the order of the request. */
export function inPrefixOrder({ blocks }: Call): readonly CallBlock[] {
  const isTool = ({ tier }: CallBlock) => tier === "tools"
  return [...blocks.filter(isTool), ...blocks.filter((block) => !isTool(block))]
}

/** The calls with every size in tokens scaled, such as by the factor of a model. */
export function withTokens(calls: readonly Call[], scaled: (size: number) => number): readonly Call[] {
  return calls.map((call) => ({
    ...call,
    blocks: call.blocks.map((block) => ({
      ...block,
      pieces: block.pieces.map(({ key, tokens: size }) => ({ key, tokens: scaled(size) })),
    })),
  }))
}

/** The calls in the tokens of a model. */
export function timesFactor(calls: readonly Call[], factor: number): readonly Call[] {
  return withTokens(calls, (size) => size * factor)
}

/** Applies `cache.ttl` of incipit.yaml to the head of the calls, not to the conversation. */
export function withTtl(calls: readonly Call[], ttl: string): readonly Call[] {
  const kept = (block: CallBlock): CallBlock =>
    block.breakpoint === undefined || block.tier === "messages" ? block : { ...block, breakpoint: ttl }
  return calls.map((call) => ({ ...call, blocks: call.blocks.map(kept) }))
}
