// Replays calls under the rules of one provider's cache: what each reads, writes and sends afresh, and what that
// costs. A model of published rules, not a measurement: what it returns is called simulated wherever it is shown.
import { byCodePoint } from "../../base/order.ts"
import { type CacheRule, TIERS, type Tier, type Ttl, ttlOf } from "./cache-rule.ts"
import { type Call, type CallBlock, inPrefixOrder } from "./call.ts"
import { costOf, inputOf, type Price, type Usage } from "./price.ts"

export interface SimulateOptions {
  readonly rule: CacheRule
  readonly price?: Price | null
  /** Tokens that the cache holds; what was used least recently goes first. No limit if absent. */
  readonly capacity?: number
  /** Counts parts of tokens, where small differences between calls are what is asked for. */
  readonly exact?: boolean
}

export interface SimulatedCall {
  readonly at: number
  readonly usage: Usage
  /** Of all input, the share that was read. */
  readonly hitRatio: number
  /** Input in units of one fresh token. */
  readonly units: number
  /** Input alone, and with the answer. Nothing where a price is not known. */
  readonly inputUsd: number | null
  readonly costUsd: number | null
}

export interface Simulation {
  readonly rule: string
  readonly calls: readonly SimulatedCall[]
  readonly usage: Usage
  readonly hitRatio: number
  readonly units: number
  readonly inputUsd: number | null
  readonly costUsd: number | null
}

/** A cache that is kept: asked call by call, for as long as calls come. */
export type Simulator = (call: Call, terms?: Pick<SimulateOptions, "rule" | "price">) => SimulatedCall

export function createSimulator(given: SimulateOptions): Simulator {
  // No steps then either.
  const options = given.exact ? { ...given, rule: { ...given.rule, step: 0 } } : given
  const cache = createCache(options.capacity ?? Number.POSITIVE_INFINITY)
  return (call, terms) => simulateCall(call, cache, { ...options, ...terms })
}

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
export function hitRatioOf(usage: Usage): number {
  const all = inputOf(usage)
  return all === 0 ? 0 : usage.read / all
}

/** What the input of a call costs in fresh tokens, by the rule's own multiples. */
export function unitsOf({ fresh, read, write }: Usage, rule: CacheRule): number {
  const written = Object.entries(write).map(([name, tokens]) => tokens * ttlOf(rule, name).write)
  return written.reduce((sum, units) => sum + units, fresh + read * rule.read)
}

const NO_USAGE: Usage = { fresh: 0, read: 0, write: {}, output: 0 }

function addUsage(a: Usage, b: Usage): Usage {
  const write = { ...a.write }
  for (const [ttl, tokens] of Object.entries(b.write)) write[ttl] = (write[ttl] ?? 0) + tokens
  return { fresh: a.fresh + b.fresh, read: a.read + b.read, write, output: a.output + b.output }
}

function sumOrNull(costs: readonly (number | null)[]): number | null {
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
}

function simulateCall(call: Call, cache: Cache, options: SimulateOptions): SimulatedCall {
  const { rule, price = null } = options
  if (call.evicts) cache.clear()
  const points = pointsOf(call, cache, options)
  const input = inputUsage(points, call, cache, rule)
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

/** A place in the prefix at which something can be kept or found. */
interface Point {
  /** Stands for the whole prefix up to here: equal prefixes have equal nodes. */
  readonly node: number
  /** Tokens up to here. */
  readonly tokens: number
  readonly breakpoint: string | undefined
}

/** Ends of blocks, or of every piece where the provider finds prefixes by itself. */
function pointsOf(call: Call, cache: Cache, { rule, exact = false }: SimulateOptions): readonly Point[] {
  const points: Point[] = []
  const settings = [...TIERS]
  let node = 0
  let sum = 0
  for (const block of inPrefixOrder(call)) {
    // What voids a tier stands before its first block.
    while (settings.includes(block.tier)) node = cache.follow(node, settingsOf(call, settings.shift(), rule))
    for (const [at, piece] of block.pieces.entries()) {
      node = cache.follow(node, piece.key)
      sum += piece.tokens
      const isEnd = at === block.pieces.length - 1
      const breakpoint = isEnd ? breakpointOf(block, rule) : undefined
      // Rounded where it is added up, so that the parts always make the total.
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

function inputUsage(
  points: readonly Point[],
  call: Call,
  cache: Cache,
  rule: CacheRule,
): Omit<Usage, "output"> {
  const total = points.at(-1)?.tokens ?? 0
  if (rule.lookup === "none") return { fresh: total, read: 0, write: {} }
  return rule.lookup === "prefix"
    ? prefixUsage(points, call.at, cache, rule)
    : markedUsage(points, call.at, cache, rule)
}

/** The longest prefix that is still there, in whole steps; keeping costs nothing. */
function prefixUsage(points: readonly Point[], at: number, cache: Cache, rule: CacheRule) {
  const total = points.at(-1)?.tokens ?? 0
  const longest = points.findLast(({ node }) => cache.has(node, at))
  const found = longest?.tokens ?? 0
  const whole = rule.step === 0 ? found : Math.floor(found / rule.step) * rule.step
  const read = whole >= rule.minimum ? whole : 0
  for (const { node } of points) cache.keep(node, at, ttlOf(rule, undefined))
  return { fresh: total - read, read, write: {} }
}

/** Reads land only where an earlier call wrote; each breakpoint after that is written for its own lifetime. */
function markedUsage(points: readonly Point[], at: number, cache: Cache, rule: CacheRule) {
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
  return { fresh: total - before, read, write }
}

/**
 * The places of the breakpoints that count: the provider's own is at the end, and of too many the last ones are
 * taken. Some providers do just that; others refuse such a request, which is for `verify` to say.
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
  /** The node of a prefix and one thing more. */
  follow(node: number, key: string): number
  has(node: number, at: number): boolean
  /** A read makes an entry live on, for nothing. */
  touch(node: number, at: number): void
  keep(node: number, at: number, ttl: Ttl): void
  /** Takes up room for a prefix that was used just now. */
  hold(points: readonly Point[]): void
  clear(): void
}

function createCache(capacity: number): Cache {
  /** By node: the nodes one thing further on. */
  const nodes: Map<string, number>[] = [new Map()]
  const kept = new Map<number, KeptPrefix>()
  // Tokens of each node in order of last use, the end of a prefix before its beginning: what goes first is a leaf.
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
