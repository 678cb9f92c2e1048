// Attributes the tokens and dollars of one call to their causes: tools, sections and their files, the conversation, the
// answer. Models how prefixes are cached: tokens read come first, then tokens written, then the rest. The parts always
// add up to the total. Pure.
import type { Report, ReportSection } from "../../core/read/report.ts"
import { inputOf, type Usage } from "../../render/cache/price.ts"
import { type CallCost, prefixCost, stretchesOf } from "./prefix-cost.ts"

export const PART_KINDS = ["tool", "section", "conversation", "answer"] as const
export type PartKind = (typeof PART_KINDS)[number]

/** A part of the input, in prefix order. */
export interface InputPart {
  readonly kind: PartKind
  /** The id of a section or the name of a tool. */
  readonly id: string
  /** The file that the text comes from. */
  readonly path?: string
  /** Of the file. */
  readonly lines?: readonly [number, number]
  /** From any counter; only the proportions matter. */
  readonly tokens: number
}

export interface Share extends Omit<InputPart, "tokens"> {
  readonly usage: Usage
  /** Null if the cost of the call is unknown. */
  readonly costUsd: number | null
}

const ANSWER = { kind: "answer", id: "answer" } as const

/** One share for each part, and one for the answer. */
export function attribute(parts: readonly InputPart[], call: CallCost): readonly Share[] {
  const { usage } = call
  const known = parts.length > 0 ? parts : [{ kind: "conversation", id: "conversation", tokens: 1 } as const]
  const counts = apportion(
    inputOf(usage),
    known.map(({ tokens }) => tokens),
  )
  const usages = [...splitUsage(usage, counts), { uncached: 0, read: 0, write: {}, output: usage.output }]
  const costs = costsOf(counts, call)
  const named = [...known.map(({ tokens: _, ...part }) => part), ANSWER]
  return named.map((part, at) => ({ ...part, usage: usages[at] ?? NOTHING, costUsd: costs?.[at] ?? null }))
}

const NOTHING: Usage = { uncached: 0, read: 0, write: {}, output: 0 }

/** Integers in proportion to the weights that add up to the total: the largest remainders get the rest. */
export function apportion(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  // With no known proportions, the last part takes everything.
  if (sum <= 0) return weights.map((_weight, at) => (at === weights.length - 1 ? total : 0))
  const exact = weights.map((weight) => (total * weight) / sum)
  const counts = exact.map(Math.floor)
  let left = total - counts.reduce((all, count) => all + count, 0)
  const byRemainder = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .toSorted((a, b) => b.rest - a.rest || a.at - b.at)
  for (const { at } of byRemainder) {
    if (left <= 0) break
    counts[at] = (counts[at] ?? 0) + 1
    left -= 1
  }
  // A product that was rounded up to the next integer makes one too many; the largest part gives it up.
  const largest = counts.indexOf(Math.max(...counts))
  if (left < 0) counts[largest] = (counts[largest] ?? 0) + left
  return counts
}

/** Walks the prefix and gives each part the usage between its first and its last token. */
function splitUsage(usage: Usage, counts: readonly number[]): readonly Usage[] {
  const stretches = stretchesOf(usage)
  let before = 0
  return counts.map((count): Usage => {
    const [from, to] = [before, before + count]
    before = to
    const own = { read: 0, uncached: 0 }
    const write: Record<string, number> = {}
    let start = 0
    for (const { kind, ttl, tokens } of stretches) {
      const within = Math.max(0, Math.min(start + tokens, to) - Math.max(start, from))
      if (kind !== "write") own[kind] = within
      else if (within > 0) write[ttl] = within
      start += tokens
    }
    return { ...own, write, output: 0 }
  })
}

/** Dollars by part, and of the answer. */
function costsOf(counts: readonly number[], call: CallCost): readonly number[] | undefined {
  const cost = prefixCost(call)
  if (cost === null) return undefined
  let tokens = 0
  let before = 0
  const inputs = counts.map((count) => {
    tokens += count
    const dollars = cost.upTo(tokens)
    const own = dollars - before
    before = dollars
    return own
  })
  return [...inputs, cost.outputUsd]
}

export interface PartsOptions {
  /** Tokens of the whole input, as counted by the model. */
  readonly input: number
  /** The share of the conversation that comes after the tail. */
  readonly after?: number
}

/** The parts of a prompt in prefix order: tools, head, conversation, tail, and what comes after it. */
export function inputParts(report: Report, { input, after = 0 }: PartsOptions): readonly InputPart[] {
  const { factor, conversation: counted } = report.budget
  const tail = report.blocks.findIndex(({ placement }) => placement === "tail")
  const tools = report.tools
    .filter(({ tokens }) => tokens > 0)
    .map(({ name, tokens }): InputPart => ({ kind: "tool", id: name, tokens: tokens * factor }))
  const spans = report.sections
    .flatMap((section) => sectionParts(section, factor))
    .toSorted((a, b) => a.block - b.block || a.start - b.start)
  const head = spans.filter(({ block }) => block !== tail).map(({ part }) => part)
  const turnText = spans.filter(({ block }) => block === tail).map(({ part }) => part)
  const others = [...tools, ...head, ...turnText].reduce((sum, { tokens }) => sum + tokens, 0)
  // If a host does not count its conversation, it is what the model counted beyond the prompt.
  const conversation = counted > 0 ? counted : Math.max(0, input - others)
  const talk = (share: number): InputPart[] =>
    share > 0 ? [{ kind: "conversation", id: "conversation", tokens: conversation * share }] : []
  return [...tools, ...head, ...talk(1 - after), ...turnText, ...talk(after)]
}

/** Splits a section's tokens over its spans by length. */
function sectionParts({ id, spans, tokens }: ReportSection, factor: number) {
  const length = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return spans.map(({ block, start, end, from }) => {
    const share = length === 0 ? 0 : (end - start) / length
    const place = from !== undefined && "path" in from ? { path: from.path, lines: from.lines } : {}
    const part: InputPart = { kind: "section", id, ...place, tokens: tokens * factor * share }
    return { block, start, part }
  })
}
