// Opens everything that `incipit serve` runs. A file of its own because it brings the AI SDK and the server.
import { checkConfig } from "../../../agent/check/check-config.ts"
import type { RunningAgent } from "../../../agent/setup/agent.ts"
import { openServedAgent } from "../../../agent/setup/open.ts"
import { approvedPeople } from "../../../approval/approved-people.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import { createLiveFeed } from "../../../serve/api/live/live-feed.ts"
import { introduceChannels } from "../../../serve/channels/introduce-channels.ts"
import { createApprovalDesk } from "../../../serve/gateway/approval-desk.ts"
import { configuredChannels } from "../../../serve/gateway/configured-channels.ts"
import { currentConfig } from "../../../serve/gateway/current-config.ts"
import { type Gateway, openGateway } from "../../../serve/gateway/gateway.ts"
import { mountedSurfaces } from "../../../serve/gateway/mounted-surfaces.ts"
import type { ServeSettings } from "../../../serve/http/settings.ts"
import type { BillAsked } from "../../../serve/mcp/mcp-view.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { visible } from "../../chat/screen/visible.ts"
import { agentOptions } from "../../command-line/agent-flags.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { diagnosticLines } from "../../views/diagnostics.ts"
import { uniqueDiagnostics } from "../../views/grouped-diagnostics.ts"
import { offlineText } from "../../views/offline-text.ts"
import { type Captured, keptCalls, openCaptured } from "../inspect/captured.ts"
import { billFor } from "../mcp/bill-for.ts"

export interface ServedOptions {
  readonly flags: FlagsOf<"serve">
  readonly terminal: Terminal
  /** incipit.yaml as it was approved. */
  readonly approved: Config
  readonly settings: ServeSettings
  readonly store: AgentStore
  readonly state: string
}

export interface Served extends Gateway {
  /** Such as `telegram as @keeper_bot`. */
  readonly channels: readonly string[]
  /** Why the offline model answers for the main agent, if it does. */
  readonly offline: string | undefined
  /** What the operator may want to know about the folder. */
  readonly hints: readonly string[]
}

export async function openServed(options: ServedOptions): Promise<Served> {
  const { flags, terminal, approved, settings, store, state } = options
  const warn = (text: string) => terminal.err(`warning: ${visible(text)}\n`)
  const given = { ...agentOptions(flags, terminal), state, store, trouble: warn }
  const { workspace } = given
  const { now } = terminal
  printProblems(workspace, given.home, terminal)
  const people = approvedPeople({ config: approved, root: workspace, home: given.home }, given.home)
  const config = currentConfig(workspace, warn, people)
  const approvals = createApprovalDesk({
    ...{ questions: store.questions, wakeUps: store.wakeUps, expiresInMs: settings.approvalMs },
  })
  const channels = configuredChannels(approved, terminal)
  const introduced = await introduceChannels(channels.map(({ channel }) => channel))
  introduced.warnings.forEach(warn)
  const live = createLiveFeed()
  const captured = capturedLater(terminal)
  let offline: string | undefined
  let hints: readonly string[] = []
  const gateway = await openGateway({
    ...{ workspace, settings, config, store, approvals, live, channels, now, warn },
    surfaces: mountedSurfaces({
      ...{ workspace, config, store, approvals, live, now, timeZone: terminal.timeZone },
      ...{ sources: captured.sources, bill: captured.bill },
    }),
    async open(agent, ports) {
      const opened = await openServedAgent(
        { ...given, ...ports, ...(agent !== undefined && { agent }) },
        people,
      )
      if (agent !== undefined) return opened
      if (opened.model.isOffline) offline = offlineText(opened.model)
      hints = await hintsAbout(opened, terminal)
      return opened
    },
  })
  return {
    ...{ ...gateway, channels: introduced.names, offline, hints },
    async close() {
      captured.close()
      await gateway.close()
    },
  }
}

/** What was captured on this machine, from when there is something: the first capture may come while the server runs. */
function capturedLater(terminal: Terminal) {
  let opened: Captured | undefined
  return {
    sources() {
      const kept = opened === undefined ? keptCalls(terminal) : undefined
      if (kept !== undefined) opened = openCaptured(kept, terminal)
      return opened === undefined ? [] : [opened.source]
    },
    bill() {
      const kept = keptCalls(terminal)
      return kept && ((asked: BillAsked) => billFor(kept, asked, terminal))
    },
    close: () => opened?.close(),
  }
}

/** A server in the wrong folder would answer with the bundled texts alone. */
async function hintsAbout(agent: RunningAgent, terminal: Terminal): Promise<readonly string[]> {
  const { diagnostics } = await agent.inspect("")
  return diagnosticLines(
    diagnostics.filter(({ code }) => /^(?:no-files|foreign-(?:files|skills))$/.test(code)),
    terminal,
  )
}

/** Mistakes in incipit.yaml that only cost trust or a setting: the server starts, and nobody else would say so. */
function printProblems(root: string, home: string | undefined, terminal: Terminal): void {
  const workspace = openWorkspace(root, { home })
  printDiagnostics(uniqueDiagnostics([...workspace.diagnostics, ...checkConfig(workspace)]), terminal)
}
