// Everything that `incipit serve` opens for a folder, in the process of the test: agents, all surfaces, the channels of
// its incipit.yaml.
import { join } from "node:path"
import type { AgentOptions } from "../../src/agent/setup/agent.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { createLiveFeed } from "../../src/serve/api/live/live-feed.ts"
import type { Scope } from "../../src/serve/auth/caller.ts"
import { makeToken } from "../../src/serve/auth/stored-tokens.ts"
import { createApprovalDesk } from "../../src/serve/gateway/approval-desk.ts"
import { configuredChannels } from "../../src/serve/gateway/configured-channels.ts"
import { currentConfig } from "../../src/serve/gateway/current-config.ts"
import { openGateway } from "../../src/serve/gateway/gateway.ts"
import { mountedSurfaces } from "../../src/serve/gateway/mounted-surfaces.ts"
import { serveSettings } from "../../src/serve/http/settings.ts"

export interface WholeGatewayOptions extends Pick<AgentOptions, "model" | "profile" | "timeZone" | "random"> {
  /** Has the workspace in `workspace`; state and home are made beside it. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly now?: () => number
}

export interface WholeGateway {
  readonly url: string
  /** Signs the owner in. */
  readonly code: string
  /** What the operator is warned about. */
  readonly troubles: readonly string[]
  token(user: string | undefined, situation?: string, scopes?: readonly Scope[]): Promise<string>
  close(): Promise<void>
}

export async function openWholeGateway(options: WholeGatewayOptions): Promise<WholeGateway> {
  const { folder, env, now = Date.now, ...agent } = options
  const [workspace, state, home] = [join(folder, "workspace"), join(folder, "state"), join(folder, "home")]
  const config = currentConfig(workspace)
  const settings = serveSettings(config(), { port: 0 }, () => "")
  const store = await openStore(join(state, "agent.db"), { now })
  const approvals = createApprovalDesk({ questions: store.questions, expiresInMs: settings.approvalMs })
  const live = createLiveFeed()
  const troubles: string[] = []
  const gateway = await openGateway({
    ...{ workspace, settings, config, store, approvals, live, now },
    warn: (text) => troubles.push(text),
    surfaces: mountedSurfaces({ workspace, config, store, approvals, live, now, timeZone: "UTC" }),
    channels: configuredChannels(config(), { env, now }),
    open: (_, ports) => openAgent({ ...agent, ...ports, workspace, state, store, home, env, now }),
  })
  return {
    ...{ url: gateway.url, code: gateway.code, troubles },
    async token(user, situation = "dm", scopes = ["talk", "read"]) {
      const request = { user, situation, scopes, name: "test", expiresInMs: undefined }
      return (await makeToken(store.tokens, request)).secret
    },
    async close() {
      await gateway.close()
      await store.close()
    },
  }
}
