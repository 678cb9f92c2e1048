// Replays calls under one provider's cache rules: what each call reads, writes and sends fresh, and what that costs. A
// model of published rules, not a measurement, so its results are labelled "simulated" wherever they are shown.
import { byCodePoint } from "../../base/order.ts"
import { type CacheRule, TIERS, type Tier, type Ttl, ttlOf } from "./cache-rule.ts"
import { type Call, type CallBlock, inPrefixOrder } from "./call.ts"
import { costOf, inputOf, type Price, type Usage } from "./price.ts"

/** The cache rule and the price to simulate with. */
export interface SimulateOptions {
  readonly rule: CacheRule
  readonly price?: Price | null
  /** The cache's size in tokens; the least recently used text is evicted first. Unlimited if absent. */
  readonly capacity?: number | undefined
  /** Counts fractions of tokens, for comparing small differences between calls. */
  readonly exact?: boolean
}

/** What one call would read from the cache, write to it and cost. */
export interface SimulatedCall {
  readonly at: number
  readonly usage: Usage
  /** The share of all input that was read. */
  readonly hitRatio: number
  /** Input in units of one uncached token. */
  readonly units: number
  /** Input only, and with the answer. Null if a price is unknown. */
  readonly inputUsd: number | null
  readonly costUsd: number | null
}

/** What a conversation would read, write and cost, call by call and in total. */
export interface Simulation {
  readonly rule: string
  readonly calls: readonly SimulatedCall[]
  readonly usage: Usage
  readonly hitRatio: number
  readonly units: number
  readonly inputUsd: number | null
  readonly costUsd: number | null
}

/** A persistent cache: pass it the calls one by one. */
export type Simulator = (call: Call, terms?: Pick<SimulateOptions, "rule" | "price">) => SimulatedCall

export function createSimulator(given: SimulateOptions): Simulator {
  // Exact also means no steps.
  const options = given.exact ? { ...given, rule: { ...given.rule, step: 0 } } : given
  const cache = createCache(options.capacity ?? Number.POSITIVE_INFINITY)
  return (call, terms) => simulateCall(call, cache, { ...options, ...terms })
}

/** Says what a provider's cache would do with these calls, by its published rule. */
export function simulate(calls: readonly Call[], options: SimulateOptions): Simulation {
  const next = createSimulator(options)
  const rows = calls.map((call) => next(call))
  const usage = rows.map((row) => row.usage).reduce(addUsage, NO_USAGE)
  return {
    rule: options.rule.id,
    calls: rows,
    usage,
    hitRatio: hitRatioOf(usage),
    units: rows.reduce((sum, row) => sum + row.units, 0),
    inputUsd: sumOrNull(rows.map((row) => row.inputUsd)),
    costUsd: sumOrNull(rows.map((row) => row.costUsd)),
  }
}

/** read / (read + write + fresh). */
function hitRatioOf(usage: Usage): number {
  const all = inputOf(usage)
  return all === 0 ? 0 : usage.read / all
}

/** The cost of a call's input in uncached tokens, by the rule's multiples. */
export function unitsOf({ uncached, read, write }: Usage, rule: CacheRule): number {
  const written = Object.entries(write).map(([name, tokens]) => tokens * ttlOf(rule, name).write)
  return written.reduce((sum, units) => sum + units, uncached + read * rule.read)
}

const NO_USAGE: Usage = { uncached: 0, read: 0, write: {}, output: 0 }

function addUsage(a: Usage, b: Usage): Usage {
  const write = { ...a.write }
  for (const [ttl, tokens] of Object.entries(b.write)) write[ttl] = (write[ttl] ?? 0) + tokens
  return { uncached: a.uncached + b.uncached, read: a.read + b.read, write, output: a.output + b.output }
}

function sumOrNull(costs: readonly (number | null)[]): number | null {
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
}

function simulateCall(call: Call, cache: Cache, options: SimulateOptions): SimulatedCall {
  const { rule, price = null } = options
  if (call.evicts) cache.clear()
  const points = pointsOf(call, cache, options)
  const input = inputUsage(points, { at: call.at, cache, rule })
  cache.hold(points)
  const usage = { ...input, output: call.output }
  return {
    at: call.at,
    usage,
    hitRatio: hitRatioOf(usage),
    units: unitsOf(usage, rule),
    inputUsd: costOf({ ...usage, output: 0 }, price),
    costUsd: costOf(usage, price),
  }
}

/** A position in the prefix that can be cached or found. */
interface Point {
  /** Identifies the whole prefix up to here: equal prefixes have equal nodes. */
  readonly node: number
  /** Tokens up to here. */
  readonly tokens: number
  readonly breakpoint: string | undefined
}

/** The ends of blocks, or of every piece if the provider finds prefixes itself. */
function pointsOf(call: Call, cache: Cache, { rule, exact = false }: SimulateOptions): readonly Point[] {
  const points: Point[] = []
  const settings = [...TIERS]
  let node = 0
  let sum = 0
  for (const block of inPrefixOrder(call)) {
    // The settings that invalidate a tier count as text before its first block.
    while (settings.includes(block.tier)) node = cache.follow(node, settingsOf(call, settings.shift(), rule))
    for (const [at, piece] of block.pieces.entries()) {
      node = cache.follow(node, piece.key)
      sum += piece.tokens
      const isEnd = at === block.pieces.length - 1
      const breakpoint = isEnd ? breakpointOf(block, rule) : undefined
      // Rounds the running sum, so that the parts always add up to the total.
      const tokens = exact ? sum : Math.round(sum)
      if (isEnd || rule.lookup === "prefix") points.push({ node, tokens, breakpoint })
    }
  }
  return points
}

function settingsOf({ settings = {} }: Call, tier: Tier | undefined, rule: CacheRule): string {
  const names = Object.keys(settings).filter((name) => rule.invalidates[name] === tier)
  return JSON.stringify(names.toSorted(byCodePoint).map((name) => [name, settings[name]]))
}

function breakpointOf({ tier, breakpoint }: CallBlock, rule: CacheRule): string | undefined {
  return breakpoint !== undefined && rule.markable.includes(tier) ? ttlOf(rule, breakpoint).name : undefined
}

interface Lookup {
  readonly at: number
  readonly cache: Cache
  readonly rule: CacheRule
}

function inputUsage(points: readonly Point[], lookup: Lookup): Omit<Usage, "output"> {
  const { rule } = lookup
  const total = points.at(-1)?.tokens ?? 0
  if (rule.lookup === "none") return { uncached: total, read: 0, write: {} }
  return rule.lookup === "prefix" ? prefixUsage(points, lookup) : markedUsage(points, lookup)
}

/** Reads the longest prefix still cached, in whole steps. Writing is free. */
function prefixUsage(points: readonly Point[], { at, cache, rule }: Lookup) {
  const total = points.at(-1)?.tokens ?? 0
  const longest = points.findLast(({ node }) => cache.has(node, at))
  const found = longest?.tokens ?? 0
  const whole = rule.step === 0 ? found : Math.floor(found / rule.step) * rule.step
  const read = whole >= rule.minimum ? whole : 0
  for (const { node } of points) cache.keep(node, at, ttlOf(rule, undefined))
  return { uncached: total - read, read, write: {} }
}

/** Reads hit only where an earlier call wrote. Each breakpoint after that is written with its own lifetime. */
function markedUsage(points: readonly Point[], { at, cache, rule }: Lookup) {
  const total = points.at(-1)?.tokens ?? 0
  const marks = marksOf(points, rule)
  const hits = marks.flatMap((mark) => {
    const from = rule.lookBack === undefined ? 0 : Math.max(0, mark - rule.lookBack + 1)
    const found = points.slice(from, mark + 1).findLastIndex(({ node }) => cache.has(node, at))
    return found === -1 ? [] : [from + found]
  })
  const hit = Math.max(-1, ...hits)
  const read = points[hit]?.tokens ?? 0
  const write: Record<string, number> = {}
  let before = read
  if (hit >= 0) cache.touch(points[hit]?.node ?? 0, at)
  for (const mark of marks) {
    const point = points[mark]
    if (point === undefined || point.tokens < rule.minimum) continue
    if (mark <= hit) {
      cache.touch(point.node, at)
      continue
    }
    const ttl = ttlOf(rule, point.breakpoint)
    write[ttl.name] = (write[ttl.name] ?? 0) + point.tokens - before
    cache.keep(point.node, at, ttl)
    before = point.tokens
  }
  return { uncached: total - before, read, write }
}

/**
 * The positions of the breakpoints that count. The provider's own is at the end, and of too many, the last ones are
 * taken. Some providers do just that; others refuse the request, which `verify` reports.
 */
function marksOf(points: readonly Point[], rule: CacheRule): readonly number[] {
  const explicit = points.flatMap(({ breakpoint }, at) => (breakpoint === undefined ? [] : [at]))
  if (!rule.implicit) return lastOf(explicit, rule.breakpoints)
  const end = points.length - 1
  const own = lastOf(
    explicit.filter((at) => at !== end),
    rule.breakpoints - 1,
  )
  return end < 0 ? own : [...own, end]
}

function lastOf(marks: readonly number[], count: number): readonly number[] {
  return count <= 0 ? [] : marks.slice(-count)
}

interface KeptPrefix {
  readonly expires: number
  readonly ttl: Ttl
}

interface Cache {
  /** The node of a prefix extended by one key. */
  follow(node: number, key: string): number
  has(node: number, at: number): boolean
  /** A read extends an entry's life at no cost. */
  touch(node: number, at: number): void
  keep(node: number, at: number, ttl: Ttl): void
  /** Reserves room for a prefix that was just used. */
  hold(points: readonly Point[]): void
  clear(): void
}

function createCache(capacity: number): Cache {
  /** By node: its child nodes. */
  const nodes: Map<string, number>[] = [new Map()]
  const kept = new Map<number, KeptPrefix>()
  // Tokens of each node by last use, with the end of a prefix before its beginning, so that leaves are evicted first.
  const held = new Map<number, number>()
  let tokensHeld = 0
  const release = (node: number) => {
    tokensHeld -= held.get(node) ?? 0
    held.delete(node)
  }
  return {
    follow(node, key) {
      const known = nodes[node]?.get(key)
      if (known !== undefined) return known
      nodes[node]?.set(key, nodes.length)
      return nodes.push(new Map()) - 1
    },
    has: (node, at) =>
      (kept.get(node)?.expires ?? 0) > at && (held.has(node) || capacity === Number.POSITIVE_INFINITY),
    touch(node, at) {
      const entry = kept.get(node)
      if (entry !== undefined && entry.expires > at) this.keep(node, at, entry.ttl)
    },
    keep: (node, at, ttl) => kept.set(node, { expires: at + ttl.seconds * 1000, ttl }),
    hold(points) {
      if (capacity === Number.POSITIVE_INFINITY) return
      for (const [at, { node, tokens }] of [...points.entries()].reverse()) {
        release(node)
        held.set(node, tokens - (points[at - 1]?.tokens ?? 0))
        tokensHeld += held.get(node) ?? 0
      }
      for (const oldest of held.keys()) {
        if (tokensHeld <= capacity) break
        release(oldest)
      }
    },
    clear() {
      kept.clear()
      held.clear()
      tokensHeld = 0
    },
  }
}
