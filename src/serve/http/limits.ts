// How much one server takes: sizes, rates and times, each with the answer that a caller gets beyond it.
import type { Share } from "./traffic.ts"

/** Limits of a server; `serve.limits` in incipit.yaml sets some of them. */
export interface HttpLimits {
  /** Of a request's body; beyond it, 413. */
  readonly bodyBytes: number
  /** Of all headers together; beyond it, 431. */
  readonly headerBytes: number
  /** How long the headers may take to arrive, and then the body; beyond it, 408. */
  readonly headerMs: number
  readonly bodyMs: number
  /** Requests a minute for one token; beyond it, 429. */
  readonly requestsPerMinute: number
  /** Requests without a valid token a minute, from one address; beyond it, 429. */
  readonly failuresPerMinute: number
  /** Requests that are being answered at the same time; beyond it, 503. */
  readonly concurrent: number
  /** The same for one token, and for one address without a token; beyond it, 429. */
  readonly concurrentEach: number
  /** Of all bodies that are being read or worked on; beyond it, 503. A quarter of it for each token. */
  readonly bodiesBytes: number
  /** Open connections; further ones are closed. */
  readonly connections: number
  /** How long an answer may wait for a client that reads nothing of it; beyond it, its connection is closed. */
  readonly unreadMs: number
  /** How often to look whether the certificate's files have changed. */
  readonly certificateMs: number
  /** How long answers may take to finish once the server is asked to stop. */
  readonly drainMs: number
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 20_000_000,
  headerBytes: 16_384,
  headerMs: 10_000,
  bodyMs: 30_000,
  requestsPerMinute: 600,
  failuresPerMinute: 30,
  concurrent: 1_000,
  concurrentEach: 100,
  bodiesBytes: 256_000_000,
  connections: 2_000,
  unreadMs: 60_000,
  certificateMs: 60_000,
  drainMs: 30_000,
}

/** What a token may have in use: nobody can take everything from the others. */
export function tokenShares(token: string, limits: HttpLimits): readonly Share[] {
  const { concurrentEach: requests } = limits
  return [{ key: `token ${token}`, requests, bytes: quarterOf(limits) }, allBodies(limits)]
}

/** The same without a token: by address, and for all of them together, since addresses are easily had. */
export function strangerShares(address: string, limits: HttpLimits): readonly Share[] {
  const { concurrent, concurrentEach } = limits
  const bytes = quarterOf(limits)
  return [
    { key: `address ${address}`, requests: concurrentEach, bytes },
    { key: "strangers", requests: Math.ceil(concurrent / 2), bytes },
    allBodies(limits),
  ]
}

function allBodies({ bodiesBytes, bodyBytes }: HttpLimits): Share {
  return { key: "all", requests: Number.POSITIVE_INFINITY, bytes: Math.max(bodiesBytes, bodyBytes) }
}

/** One body of the largest size always fits. */
function quarterOf({ bodiesBytes, bodyBytes }: HttpLimits): number {
  return Math.max(bodiesBytes / 4, bodyBytes)
}
