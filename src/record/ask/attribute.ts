// Attributes the tokens and dollars of one call to their causes: tools, sections and their files, the conversation, the
// answer. Models how prefixes are cached: tokens read come first, then tokens written, then the rest. The parts always
// add up to the total. Pure.
import { parseDuration } from "../../base/duration.ts"
import type { Report, ReportSection } from "../../core/read/report.ts"
import { inputOf, type Price, type Rates, ratesFor, type Usage } from "../../render/cache/price.ts"

export const PART_KINDS = ["tool", "section", "conversation", "answer"] as const
export type PartKind = (typeof PART_KINDS)[number]

/** A part of the input, in prefix order. */
export interface InputPart {
  readonly kind: PartKind
  /** The id of a section or the name of a tool. */
  readonly id: string
  /** The file that the text comes from. */
  readonly path?: string
  /** From any counter; only the proportions matter. */
  readonly tokens: number
}

export interface Share extends Omit<InputPart, "tokens"> {
  readonly usage: Usage
  /** Null if the cost of the call is unknown. */
  readonly costUsd: number | null
}

export interface CallCost {
  readonly usage: Usage
  readonly price: Price | null
  /** What the call actually cost, if that differs from the price. */
  readonly costUsd: number | null
}

const ANSWER = { kind: "answer", id: "answer" } as const

/** One share for each part, and one for the answer. */
export function attribute(parts: readonly InputPart[], call: CallCost): readonly Share[] {
  const { usage, price, costUsd } = call
  const input = inputOf(usage)
  const known = parts.length > 0 ? parts : [{ kind: "conversation", id: "conversation", tokens: 1 } as const]
  const counts = apportion(
    input,
    known.map(({ tokens }) => tokens),
  )
  const usages = [...splitUsage(usage, counts), { uncached: 0, read: 0, write: {}, output: usage.output }]
  const rates = price && ratesFor(price, input)
  const costs = costsOf(usages, rates, costUsd)
  const named = [...known.map(({ tokens: _, ...part }) => part), ANSWER]
  return named.map((part, at) => ({ ...part, usage: usages[at] ?? NOTHING, costUsd: costs?.[at] ?? null }))
}

const NOTHING: Usage = { uncached: 0, read: 0, write: {}, output: 0 }

/** Integers in proportion to the weights that add up to the total: the largest remainders get the rest. */
function apportion(total: number, weights: readonly number[]): readonly number[] {
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
  const writes = Object.entries(usage.write)
    // Longer lifetimes come first in a request.
    .toSorted(([one], [other]) => (parseDuration(other) ?? 0) - (parseDuration(one) ?? 0))
    .map(([ttl, tokens]) => ({ ttl, tokens }))
  let before = 0
  const within = (start: number, length: number, from: number, to: number) =>
    Math.max(0, Math.min(start + length, to) - Math.max(start, from))
  return counts.map((count): Usage => {
    const [from, to] = [before, before + count]
    before = to
    const write: Record<string, number> = {}
    let start = usage.read
    for (const { ttl, tokens } of writes) {
      const own = within(start, tokens, from, to)
      if (own > 0) write[ttl] = own
      start += tokens
    }
    return {
      read: within(0, usage.read, from, to),
      write,
      uncached: within(start, usage.uncached, from, to),
      output: 0,
    }
  })
}

const MILLION = 1_000_000

/** Dollars by part; scaled if the call cost something other than the price says. */
function costsOf(
  usages: readonly Usage[],
  rates: Rates | null,
  costUsd: number | null,
): readonly number[] | undefined {
  if (costUsd === null) return undefined
  const priced = usages.map((usage) => dollarsOf(usage, rates))
  const known = priced.flatMap((dollars) => (dollars === undefined ? [] : [dollars]))
  const isKnown = known.length === usages.length && known.some((dollars) => dollars > 0)
  const weights = isKnown ? known : usages.map((usage) => inputOf(usage) + usage.output)
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map((_weight, at) => (at === weights.length - 1 ? costUsd : 0))
  return weights.map((weight) => (costUsd * weight) / sum)
}

function dollarsOf({ uncached, read, write, output }: Usage, rates: Rates | null): number | undefined {
  if (rates === null || (read > 0 && rates.read === undefined)) return undefined
  let sum = uncached * rates.input + read * (rates.read ?? 0) + output * rates.output
  for (const [ttl, tokens] of Object.entries(write)) {
    const rate = rates.write?.[ttl]
    if (rate === undefined) return undefined
    sum += tokens * rate
  }
  return sum / MILLION
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
    const path = from !== undefined && "path" in from ? { path: from.path } : {}
    const part: InputPart = { kind: "section", id, ...path, tokens: tokens * factor * share }
    return { block, start, part }
  })
}
