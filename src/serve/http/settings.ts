// `serve:` of incipit.yaml, with flags and defaults, as the server takes it.
import { isIP } from "node:net"
import { parseBytes } from "../../base/data-size.ts"
import { parseDuration } from "../../base/duration.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { Certificate } from "./certificate.ts"
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./limits.ts"
import type { Allowed } from "./origin.ts"

/** Not one that other common programs use. */
const DEFAULT_PORT = 4747
const DEFAULT_HOST = "127.0.0.1"
const DEFAULT_APPROVAL_MS = 5 * 60_000

export interface ServeSettings extends Allowed {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Addresses and networks whose `X-Forwarded-*` count. */
  readonly proxies: readonly string[]
  readonly limits: HttpLimits
  /** How long a question for approval waits for an answer. */
  readonly approvalMs: number
  /** The owner's identity on a channel. */
  readonly owner: string | undefined
  /** Reads the files, which may be renewed while the server runs. */
  readonly tls: (() => Certificate) | undefined
}

export interface ServeFlags {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** Flags over configuration over defaults. `read` reads a file that the configuration names. */
export function serveSettings(
  { serve = {} }: Config,
  flags: ServeFlags,
  read: (path: string) => string,
): ServeSettings {
  const { tls } = serve
  return {
    host: flags.host ?? serve.host ?? DEFAULT_HOST,
    port: flags.port ?? serve.port ?? DEFAULT_PORT,
    hosts: (serve.hosts ?? []).map((name) => name.toLowerCase()),
    origins: (serve.origins ?? []).map((origin) => new URL(origin).origin),
    proxies: serve.proxies ?? [],
    limits: limitsOf(serve.limits ?? {}),
    approvalMs: parseDuration(serve.approval_time ?? "") ?? DEFAULT_APPROVAL_MS,
    owner: serve.owner,
    tls: tls && (() => ({ cert: read(tls.certificate), key: read(tls.key) })),
  }
}

/** The server's address for a browser on this machine. */
export function addressOf({ host, tls }: Pick<ServeSettings, "host" | "tls">, port: number): string {
  return `${tls === undefined ? "http" : "https"}://${shownHost(host)}:${port}`
}

/** A server that listens on all addresses is reached by this machine's own. */
function shownHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return isIP(host) === 6 ? `[${host}]` : host
}

/** The schema has checked the forms. */
function limitsOf(given: NonNullable<NonNullable<Config["serve"]>["limits"]>): HttpLimits {
  const usual = DEFAULT_HTTP_LIMITS
  const concurrent = given.concurrent ?? usual.concurrent
  return {
    ...usual,
    bodyBytes: parseBytes(given.body ?? "") ?? usual.bodyBytes,
    bodyMs: parseDuration(given.body_time ?? "") ?? usual.bodyMs,
    requestsPerMinute: given.requests ?? usual.requestsPerMinute,
    concurrent,
    concurrentEach: given.concurrent_each ?? Math.ceil(concurrent / 10),
    connections: given.connections ?? usual.connections,
    drainMs: parseDuration(given.drain ?? "") ?? usual.drainMs,
  }
}
