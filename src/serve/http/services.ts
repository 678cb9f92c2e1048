// What the parts of the request handler share.
import type { HttpBindings } from "@hono/node-server"
import type { Context } from "hono"
import type { Authentication } from "../auth/authenticate.ts"
import type { BrowserSessions } from "../auth/browser-sessions.ts"
import type { Metrics } from "../metrics/request-metrics.ts"
import type { PageFiles } from "../page/page-files.ts"
import type { Client, IsProxy } from "./client.ts"
import type { HttpLimits } from "./limits.ts"
import type { Allowed } from "./origin.ts"
import type { Rate } from "./rate.ts"
import type { OpenSurface, ServedAgents, Surface } from "./surface.ts"
import type { Held, Traffic } from "./traffic.ts"

/** What the handler works with; `openServer` makes it. */
export interface AppServices {
  readonly surfaces: readonly (Surface | OpenSurface)[]
  readonly agents: ServedAgents
  /** Read when somebody opens it first. */
  readonly page: () => PageFiles
  readonly authentication: Authentication
  readonly sessions: BrowserSessions
  readonly limits: HttpLimits
  readonly allowed: Allowed
  readonly isProxy: IsProxy
  readonly traffic: Traffic
  readonly metrics: Metrics
  /** The agents' own metrics, in the same format. */
  readonly agentMetrics: () => Promise<string>
  /** By token, and by address for requests without a valid one. */
  readonly calls: Rate
  readonly failures: Rate
  readonly now: () => number
  readonly newId: () => string
  /** Whether one more request of a stranger from this address is logged. */
  readonly mayLog: (address: string) => boolean
  /** Never gets a secret, a query or a body. */
  readonly log: (answered: AnsweredRequest) => void
  /** Whether the agents can answer now. */
  readonly isReady: () => Promise<boolean>
}

export interface Env {
  Bindings: HttpBindings
  Variables: {
    id: string
    client: Client
    path: string
    answered: Partial<AnsweredRequest>
    held: Held
  }
}

export type Call = Context<Env>

/** One line of the access log. */
export interface AnsweredRequest {
  readonly id: string
  readonly at: number
  readonly method: string
  /** Without the query, which may hold a code. */
  readonly path: string
  /** The prefix of the surface, or the server's own path. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly address: string
  /** The id of the token and its user. */
  readonly token?: string
  readonly user?: string
  /** The code of the refusal. */
  readonly refused?: string
  readonly error?: string
}
