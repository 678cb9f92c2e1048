// Compatible surfaces in front of a real agent, for the official SDKs: a `fetch` that routes like the server does.
import { onTestFinished } from "vitest"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import type { AgentOptions, RunningAgent } from "../../src/agent/setup/agent.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import type { Trust } from "../../src/base/trust.ts"
import type { AgentStore } from "../../src/database/contract/agent-store.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { anthropicSurface } from "../../src/serve/anthropic/anthropic-surface.ts"
import type { Caller } from "../../src/serve/auth/caller.ts"
import { openAiSurfaces } from "../../src/serve/openai/openai-surface.ts"

export interface Served {
  readonly agent: RunningAgent
  readonly store: AgentStore
  readonly fetch: typeof globalThis.fetch
  /** The headers of the answers, in the order of the requests. */
  readonly responses: Response[]
  /** What the server's log gets. */
  readonly failures: unknown[]
  /** The same server for another caller. */
  as(caller: Caller): typeof globalThis.fetch
}

const OWNER: Caller = callerOf(undefined, "full")

export function callerOf(user: string | undefined, trust: Trust): Caller {
  const from = { ...(user !== undefined && { as: user }), situation: "dm" }
  return { user, situation: "dm", trust, scopes: ["talk"], token: `token-of-${user ?? "owner"}`, from }
}

export async function serve(
  script: OfflineScript | AgentOptions["model"],
  options: AgentOptions = {},
): Promise<Served> {
  const model = typeof script === "function" ? offlineModel({ script }) : script
  const store = await openStore(":memory:", { now: () => Date.now() })
  const agent = await openAgent({
    profile: incipit,
    ...(model !== undefined && { model }),
    store,
    ...options,
  })
  onTestFinished(async () => {
    await agent.close()
    await store.close()
  })
  const { requests } = store
  const surfaces = [
    ...openAiSurfaces({ requests, now: () => Date.UTC(2026, 10, 16) }),
    anthropicSurface({ requests, now: () => 0 }),
  ]
  const agents = {
    names: ["keeper"],
    main: agent,
    named: (name: string) => (name === "keeper" ? agent : undefined),
  }
  const responses: Response[] = []
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push(error)
  const as =
    (caller: Caller): typeof globalThis.fetch =>
    async (input, init) => {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const surface = surfaces.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`))
      if (surface === undefined) return new Response("no surface", { status: 404 })
      const { signal } = request
      const response = await surface.handle(request, {
        ...{ caller, agents, signal, failed, id: "request" },
        isCurrent: async () => true,
      })
      responses.push(new Response(null, { headers: response.headers }))
      // What `fetch` does for a client that aborts while it waits or reads.
      signal.throwIfAborted()
      const body = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
      return new Response(body ?? null, { status: response.status, headers: response.headers })
    }
  return { agent, store, fetch: as(OWNER), responses, failures, as }
}

/** Says what it was sent, so that tests see which conversation an answer belongs to. */
export const echo: OfflineScript = ({ message }) => `You said: ${message.trim()}`
