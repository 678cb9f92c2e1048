// A real gateway on loopback for tests: a workspace in a temporary folder, a real store, the offline model.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { onTestFinished } from "vitest"
import type { Model } from "../../src/agent/models/model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import type { AgentStore } from "../../src/database/contract/agent-store.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { createLiveFeed } from "../../src/serve/api/live/live-feed.ts"
import { makeToken, type TokenRequest } from "../../src/serve/auth/stored-tokens.ts"
import type { ConnectedChannel } from "../../src/serve/channels/connect-channels.ts"
import { type ApprovalDesk, createApprovalDesk } from "../../src/serve/gateway/approval-desk.ts"
import { currentConfig } from "../../src/serve/gateway/current-config.ts"
import { type Gateway, openGateway } from "../../src/serve/gateway/gateway.ts"
import type { SurfaceServices } from "../../src/serve/gateway/mounted-surfaces.ts"
import type { HttpLimits } from "../../src/serve/http/limits.ts"
import { type ServeSettings, serveSettings } from "../../src/serve/http/settings.ts"
import type { OpenSurface, Surface } from "../../src/serve/http/surface.ts"

export interface TestGateway extends Gateway {
  readonly store: AgentStore
  readonly approvals: ApprovalDesk
  readonly workspace: string
  readonly state: string
  readonly port: number
  /** Each request in the record as JSON; complete once the gateway is closed. */
  readonly logged: () => readonly string[]
  token(request?: Partial<TokenRequest>): Promise<{ readonly secret: string; readonly id: string }>
  get(path: string, headers?: Record<string, string>): Promise<Response>
}

const CONFIG = `
users:
  bo: { trust: familiar }
  ada: { trust: familiar }
  cleo: { trust: full, match: ["test:1"] }
serve:
  hosts: [agent.example.org]
  origins: ["https://chat.example.org"]
`

export interface TestOptions extends Partial<Omit<ServeSettings, "limits">> {
  readonly surfaces?: readonly (Surface | OpenSurface)[] | ((services: SurfaceServices) => readonly Surface[])
  readonly limits?: Partial<HttpLimits>
  readonly agents?: readonly string[]
  readonly channels?: readonly ConnectedChannel[]
  /** In addition to the usual incipit.yaml. */
  readonly config?: string
  /** What the offline model does, or another model. */
  readonly script?: OfflineScript | Model
  readonly warn?: (line: string) => void
  /** Called before the agents are opened. */
  readonly before?: (store: AgentStore) => Promise<void>
  /** Another gateway, whose workspace and state it shares. */
  readonly beside?: TestGateway
  /** The time of the agents and the store. */
  readonly now?: () => number
  /** The time of the store, if it is another. */
  readonly storeNow?: () => number
}

/** Says who called. */
export const WHO: Surface = {
  prefix: "/who",
  scopes: ["talk"],
  handle: async (request, { caller }) => {
    const { user, situation, trust } = caller
    return Response.json({ user: user ?? null, situation, trust, bytes: (await request.text()).length })
  },
}

export async function openTestGateway(options: TestOptions = {}): Promise<TestGateway> {
  const {
    surfaces: mounted = [WHO],
    limits,
    agents = [],
    channels = [],
    script,
    before,
    warn = () => {},
    ...rest
  } = options
  const { config: added = "", now = () => Date.now(), storeNow = now, beside, ...given } = rest
  const workspace = beside?.workspace ?? mkdtempSync(join(tmpdir(), "incipit-serve-"))
  const home = mkdtempSync(join(tmpdir(), "incipit-home-"))
  const state = beside?.state ?? mkdtempSync(join(tmpdir(), "incipit-state-"))
  const own = [home, ...(beside === undefined ? [workspace, state] : [])]
  // What is registered later, such as the end of the gateway, runs first.
  onTestFinished(() => {
    for (const folder of own) rmSync(folder, { recursive: true, force: true })
  })
  if (beside === undefined) writeFileSync(join(workspace, "incipit.yaml"), `${CONFIG}${added}`)
  for (const id of agents) mkdirSync(join(workspace, "agents", id), { recursive: true })
  const config = currentConfig(workspace, warn)
  const usual = serveSettings(config(), { port: 0 }, () => "")
  const settings = { ...usual, ...given, limits: { ...usual.limits, drainMs: 500, ...limits } }
  const store = await openStore(join(state, "agent.db"), { now: storeNow })
  await before?.(store)
  const approvals = createApprovalDesk({ questions: store.questions, expiresInMs: settings.approvalMs })
  const live = createLiveFeed()
  const surfaces =
    typeof mounted === "function"
      ? mounted({ workspace, config, store, approvals, live, now, timeZone: "UTC" })
      : mounted
  const gateway = await openGateway({
    ...{
      workspace,
      settings,
      config,
      store,
      surfaces,
      channels,
      approvals,
      live,
      now,
      timeZone: "UTC",
      warn,
    },
    open: (id, ports) =>
      openAgent({
        ...{ workspace, home, state, store, now, env: {} },
        ...ports,
        ...(script && { model: typeof script === "function" ? offlineModel({ script }) : script }),
        ...(id !== undefined && { agent: id }),
      }),
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= gateway.close().then(() => store.close())
    return closed
  }
  onTestFinished(close)
  return {
    ...{ ...gateway, close },
    ...{ store, approvals, workspace, state },
    logged: () => loggedIn(join(state, "record.db")),
    port: Number(new URL(gateway.url).port),
    async token(request) {
      const { token, secret } = await makeToken(store.tokens, {
        ...{ user: "bo", situation: "dm", scopes: ["talk"], name: "test", expiresInMs: undefined },
        ...request,
      })
      return { secret, id: token.id }
    },
    get: (path, headers = {}) => fetch(`${gateway.url}${path}`, { headers, redirect: "manual" }),
  }
}

function loggedIn(path: string): readonly string[] {
  const file = new DatabaseSync(path, { readOnly: true })
  const rows = file.prepare("SELECT * FROM events WHERE event_type = 'request_answered' ORDER BY id").all()
  file.close()
  return rows.map((row) => JSON.stringify(row))
}

/** Sends bytes as they are, which `fetch` would tidy up, and returns everything that comes back. */
export function sendRaw(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, "127.0.0.1", () => void socket.write(text))
  let answer = ""
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1")
  })
  socket.on("close", () => resolve(answer))
  socket.on("error", reject)
  return promise
}

/** The status line's number. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}
