// All input of a session by what the cache did with it: solid for what was read, hatched for what was written, an outline
// for the rest.
import type { CallRow, ShownUsage } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { count, money, percent, shortCount } from "../../parts/figures.ts"
import { Facts } from "../../parts/money/facts.tsx"

const KINDS = [
  { kind: "read", label: "read from cache" },
  { kind: "written", label: "written" },
  { kind: "uncached", label: "uncached" },
] as const

export function CacheBar({ calls }: { readonly calls: readonly CallRow[] }) {
  const usage = calls.reduce((sum, call) => added(sum, call.usage), NONE)
  const all = inputOf(usage)
  const isFree = calls.some(({ isSimulated }) => isSimulated)
  return (
    <section class="cache-sum" aria-label="What the cache did">
      <Facts
        facts={[
          [isFree ? "from the cache, simulated" : "from the cache", shareOf(usage.read, all)],
          [calls.length === 1 ? "call" : "calls", count(calls.length)],
          ["input tokens", count(all)],
          [isFree ? "offline model, free" : "all calls", money(isFree ? paid(calls) : costOf(calls))],
        ]}
      />
      <div class="cache-bar">
        {partsOf(usage).map(({ kind, tokens, labels }) => (
          <div key={kind} class={`cache-part cache-${kind}`} style={{ flexGrow: tokens }}>
            {labels.length > 0 && <span class="cache-label">{labels.join(" · ")}</span>}
          </div>
        ))}
      </div>
    </section>
  )
}

interface Part {
  readonly kind: (typeof KINDS)[number]["kind"]
  readonly tokens: number
  readonly labels: readonly string[]
}

/** Narrower parts have no room for a label. */
const ROOM = 0.3

/** A part with too little room for its label has it on the widest one. */
function partsOf(usage: ShownUsage): readonly Part[] {
  const all = inputOf(usage)
  const parts = KINDS.map(({ kind, label }) => {
    const tokens = usage[kind]
    return { kind, tokens, text: `${label} ${shortCount(tokens)}, ${shareOf(tokens, all)}` }
  }).filter(({ tokens }) => tokens > 0)
  const widest = parts.toSorted((one, other) => other.tokens - one.tokens)[0]
  const narrow = parts.filter((part) => part !== widest && part.tokens < all * ROOM)
  return parts.map((part) => ({
    ...part,
    labels:
      part === widest
        ? [part.text, ...narrow.map(({ text }) => text)]
        : narrow.includes(part)
          ? []
          : [part.text],
  }))
}

const NONE: ShownUsage = { uncached: 0, read: 0, written: 0, output: 0 }

function added(sum: ShownUsage, usage: ShownUsage | null): ShownUsage {
  if (usage === null) return sum
  return {
    uncached: sum.uncached + usage.uncached,
    read: sum.read + usage.read,
    written: sum.written + usage.written,
    output: sum.output + usage.output,
  }
}

function shareOf(part: number, all: number): string {
  return percent(all === 0 ? 0 : part / all)
}

/** Null if no call has a price: then nothing is said instead of nothing paid. */
function costOf(calls: readonly CallRow[]): number | null {
  const known = calls.flatMap(({ costUsd }) => costUsd ?? [])
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

/** What was paid: calls that are simulated are free, and others may be in the same session. */
function paid(calls: readonly CallRow[]): number {
  return calls.reduce((sum, { costUsd, isSimulated }) => sum + (isSimulated ? 0 : (costUsd ?? 0)), 0)
}
