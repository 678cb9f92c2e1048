// A server with nothing but the page, for the person at this machine: on loopback, read-only, without agents. Who has
// signed in is forgotten when it ends.
import { openAgentStore } from "../../database/open-agent-store.ts"
import type { Route } from "../api/route.ts"
import { browserSessions } from "../auth/browser-sessions.ts"
import { forUser } from "../auth/own-user.ts"
import { makeSignInCode } from "../auth/sign-in-code.ts"
import { tokenFinder } from "../auth/stored-tokens.ts"
import { openServer, type RunningServer } from "../http/server.ts"
import { serveSettings } from "../http/settings.ts"
import type { ServedAgents } from "../http/surface.ts"
import { changesRoute } from "./changes.ts"
import type { PageCall, ShownPage } from "./page-call.ts"
import { pageSurface } from "./page-surface.ts"

export interface InspectorOptions {
  readonly page: ShownPage
  /** Routes of what is shown, beside those of every page. */
  readonly routes?: readonly Route<PageCall>[] | undefined
  /** Any free one, if undefined. */
  readonly port: number | undefined
  /** Whose processes may sign in, where the system tells whose they are; those of the user who runs this, if left out. */
  readonly user?: number | undefined
  readonly now: () => number
  readonly warn: (line: string) => void
}

export interface Inspector extends RunningServer {
  /** Signs the person in, once. */
  readonly code: string
}

const LOOPBACK = "127.0.0.1"
/** Answers are short; who still waits for one has closed the page. */
const DRAIN_MS = 1_000

export async function openInspector({
  page,
  routes = [],
  port = 0,
  user,
  now,
  warn,
}: InspectorOptions): Promise<Inspector> {
  const { tokens, close } = await openAgentStore({ path: ":memory:" }, { now })
  const ending = new AbortController()
  const settings = serveSettings({}, { host: LOOPBACK, port }, () => "")
  try {
    const code = await makeSignInCode(tokens)
    const server = await openServer({
      settings: { ...settings, limits: { ...settings.limits, drainMs: DRAIN_MS } },
      agents: NO_AGENTS,
      surfaces: [pageSurface(page, [changesRoute(ending.signal), ...routes])],
      authentication: { find: tokenFinder(tokens), config: () => ({}) },
      sessions: forUser(browserSessions(tokens), user),
      agentMetrics: async () => "",
      isReady: async () => true,
      // Requests are the person's own.
      log: () => {},
      ...{ now, warn },
    })
    return {
      ...{ url: server.url, code },
      async close() {
        ending.abort()
        await server.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const NO_AGENTS: ServedAgents = {
  names: [],
  named: () => undefined,
  get main(): never {
    throw new Error("the page of `inspect` has asked for an agent")
  },
}
