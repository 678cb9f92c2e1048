// `incipit serve`: opens the workspace's agents behind a server, prints a link with a one-time code, and runs until it
// is asked to stop. A second signal ends it at once.
import { resolve } from "node:path"
import { unreadable } from "../../../base/system-error.ts"
import { MAX_TEXT_BYTES, readBounded } from "../../../files/read-bounded.ts"
import { currentConfig } from "../../../serve/gateway/current-config.ts"
import type { Gateway } from "../../../serve/gateway/gateway.ts"
import { type ServeSettings, serveSettings } from "../../../serve/http/settings.ts"
import { visible } from "../../chat/screen/visible.ts"
import { agentOptions } from "../../command-line/agent-flags.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { approveServing } from "./approve-serving.ts"
import { withStore } from "./serve-store.ts"

export async function run({ flags, terminal }: Invocation<"serve">): Promise<number> {
  const workspace = workspaceFolder(flags, terminal)
  const approved = await approveServing(flags, terminal)
  const settings = serveSettings(approved, flags, (path) => readFrom(workspace, path))
  return withStore(flags, terminal, async (store, state) => {
    // Imported here because they bring the AI SDK and the server.
    const { openAgent } = await import("../../../agent/setup/open.ts")
    const { createApprovalDesk } = await import("../../../serve/gateway/approval-desk.ts")
    const { createLiveFeed } = await import("../../../serve/api/live/live-feed.ts")
    const { configuredChannels } = await import("../../../serve/gateway/configured-channels.ts")
    const { introduceChannels } = await import("../../../serve/channels/introduce-channels.ts")
    const { openGateway } = await import("../../../serve/gateway/gateway.ts")
    const { mountedSurfaces } = await import("../../../serve/gateway/mounted-surfaces.ts")
    const trouble = (text: string) => terminal.err(`warning: ${visible(text)}\n`)
    const options = { ...agentOptions(flags, terminal), state, store, trouble }
    const { now } = terminal
    const config = currentConfig(workspace)
    const approvals = createApprovalDesk({ questions: store.questions, expiresInMs: settings.approvalMs })
    const channels = configuredChannels(approved, terminal)
    const introduced = await introduceChannels(channels.map(({ channel }) => channel))
    introduced.warnings.forEach(trouble)
    const live = createLiveFeed()
    const gateway = await openGateway({
      ...{ workspace, settings, config, store, approvals, live, channels, now, warn: trouble },
      surfaces: mountedSurfaces({ workspace, config, store, approvals, live, now }),
      open: (agent, ports) => openAgent({ ...options, ...ports, ...(agent !== undefined && { agent }) }),
    })
    announce({ ...gateway, channels: introduced.names }, settings, { flags, terminal })
    await terminal.stopped()
    if (!flags.json)
      terminal.err("Stopping: waiting for current answers. Press Ctrl-C again to stop at once.\n")
    await gateway.close()
    return 0
  })
}

function readFrom(workspace: string, path: string): string {
  try {
    return readBounded(resolve(workspace, path), MAX_TEXT_BYTES)
  } catch (error) {
    throw unreadable(path, error)
  }
}

interface Announcing {
  readonly flags: FlagsOf<"serve">
  readonly terminal: Terminal
}

function announce(
  { url, code, agents, channels }: Gateway & { readonly channels: readonly string[] },
  settings: ServeSettings,
  { flags, terminal }: Announcing,
): void {
  const { host, origins, tls, proxies } = settings
  if (flags.json) {
    terminal.out(`${JSON.stringify({ url, code })}\n`)
    return
  }
  terminal.out(`${url}/login?code=${code}\n`)
  const lines = [
    `Serving ${agents.map(visible).join(", ")}. Open the link to sign in as the owner; its code works once, for an hour.`,
    ...(channels.length === 0 ? [] : [`Channels: ${channels.map(visible).join(", ")}`]),
    ...(origins.length === 0 ? [] : [`Pages that may call this server with a token: ${origins.join(", ")}`]),
    ...(isLoopback(host) || tls !== undefined || proxies.length > 0
      ? []
      : [
          `warning: ${host} can be reached from other machines, and tokens are sent unencrypted. Set serve.tls, or serve.proxies if a proxy encrypts.`,
        ]),
  ]
  terminal.err(`${lines.join("\n")}\n`)
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host)
}
