// A proxy whose calls are kept: copies wait in a queue and are looked at one by one when nothing is being forwarded, or
// after a while. Looking at one takes longer than forwarding it.
import { setImmediate as letOthersRun, setTimeout as pause } from "node:timers/promises"
import type { CapturedCall } from "../call.ts"
import { keepRefusal } from "../keep/keep-refusal.ts"
import type { Captures } from "../keep/open-captures.ts"
import type { Exchange } from "./exchange.ts"
import { formatOf, lookAt, type Missed } from "./exchange-call.ts"
import { headerOf, pairsOf, type RawHeaders } from "./headers.ts"
import { openProxy, type RunningProxy } from "./open-proxy.ts"
import type { Route } from "./upstream.ts"

export interface CapturingOptions {
  readonly port: number
  readonly route: Route
  readonly captures: Captures
  readonly now: () => number
  /** The folder that the client works in, if there is one. */
  readonly project?: string | undefined
  readonly onCall?: ((call: CapturedCall) => void) | undefined
}

/** How many exchanges were kept, and how many not, with the reason. */
export type Counts = Readonly<Record<"kept" | "upgraded" | "failed" | Missed, number>>

export interface CapturingProxy extends RunningProxy {
  counts(): Counts
}

export async function openCapturingProxy(options: CapturingOptions): Promise<CapturingProxy> {
  const { port, route, captures, now, project, onCall } = options
  const counts = { kept: 0, upgraded: 0, failed: 0, "too-large": 0, refused: 0, "not-understood": 0 }
  const keep = async (exchange: Exchange) => {
    captures.learn(secretsOf(exchange.requestHeaders, exchange.path))
    const looked = await lookAt(exchange, project)
    if (looked.kind !== "call") counts[looked.kind] += 1
    if (looked.kind === "refused")
      keepRefusal(
        captures.recorder,
        { refused: looked.refused, metadataOnly: captures.metadataOnly },
        exchange,
      )
    if (looked.kind !== "call") return
    if (await captures.keep(looked.call)) counts.kept += 1
    onCall?.(looked.call)
  }
  const calm = createCalm()
  const queue = createQueue(calm, async (exchange: Exchange) => {
    try {
      await keep(exchange)
    } catch (error) {
      // The client has its answer, whatever becomes of the record.
      if (!(error instanceof Error)) throw error
      counts.failed += 1
    }
  })
  const proxy = await openProxy({
    ...{ port, route, now },
    wants: (method, path) => formatOf(method, path) !== undefined,
    onExchange: queue.add,
    onPass: calm.disturb,
    onUpgrade: () => {
      counts.upgraded += 1
    },
  })
  return {
    ...proxy,
    counts: () => ({ ...counts }),
    async close() {
      await proxy.close()
      calm.end()
      await queue.empty()
    },
  }
}

/** Whatever a client authenticates with: it may come back in an answer, or be in a prompt. */
function secretsOf(headers: RawHeaders, path: string): readonly string[] {
  const named = pairsOf(headers).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))
  const query = new URLSearchParams(path.split("?")[1] ?? "")
  const keys = [...query].flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))
  const cookie = headerOf(headers, "cookie")
  return [...named.flatMap((value) => [value, ...value.split(/\s+/)]), ...keys, ...(cookie ? [cookie] : [])]
}

/** Headers and parameters; gateways have their own. Other keys and tokens are new with each request, and no secrets. */
const SECRET_NAME = /^key$|authorization$|api[-_]?key$|[-_]auth$|(?:auth|access)[-_]token$/i

/** So long after the last byte, nobody is waiting for the next. */
const CALM_MS = 20
/** A call is in the record about as long after it has ended, however busy the proxy is. */
const LONGEST_MS = 2_000

interface Calm {
  disturb(): void
  /** Nothing is forwarded any more. */
  end(): void
  /** Until nothing has been forwarded for a moment, or long enough after `since`. */
  after(since: number): Promise<void>
}

function createCalm(): Calm {
  let disturbedAt = 0
  let isOver = false
  const isCalm = (since: number) => {
    const now = performance.now()
    return isOver || now - disturbedAt >= CALM_MS || now - since >= LONGEST_MS
  }
  return {
    disturb() {
      disturbedAt = performance.now()
    },
    end() {
      isOver = true
    },
    async after(since) {
      await letOthersRun()
      while (!isCalm(since)) await pause(CALM_MS)
    },
  }
}

/** One after the other, and not in the way of what is being forwarded. */
function createQueue<T>(calm: Calm, work: (item: T) => Promise<void>) {
  const waiting: { readonly item: T; readonly since: number; readonly done: () => void }[] = []
  let working: Promise<void> | undefined
  const run = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await calm.after(next.since)
      await work(next.item)
      next.done()
    }
    working = undefined
  }
  return {
    /** Returns when the item has been worked on. */
    add(item: T): Promise<void> {
      const { promise, resolve: done } = Promise.withResolvers<void>()
      waiting.push({ item, since: performance.now(), done })
      working ??= run()
      return promise
    },
    async empty() {
      while (working !== undefined) await working
    },
  }
}
