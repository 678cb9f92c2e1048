// The store of a workspace, for the commands that look after tokens and pairings.
import { existsSync } from "node:fs"
import { IncipitError } from "../../../base/error.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import { openAgentStore } from "../../../database/open-agent-store.ts"
import { stateFiles } from "../../../files/paths.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { resolveAudience } from "../../../sources/config/policy.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { MachineFlags } from "../../command-line/variables.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { existingState, openedState } from "../agent/state-place.ts"

/** Uses the store, which is created if there is none yet, and closes it. `use` also gets the state directory. */
export async function withStore<T>(
  flags: MachineFlags,
  terminal: Terminal,
  use: (store: AgentStore, state: string) => Promise<T>,
): Promise<T> {
  const state = await openedState(flags, terminal)
  const url = databaseOf(flags, terminal)
  const opened = await openAgentStore({ url, path: stateFiles(state).store }, { now: terminal.now })
  return closing(opened, (store) => use(store, state))
}

/** The same for commands that only read; returns undefined if there is no store. */
export async function withExistingStore<T>(
  flags: MachineFlags,
  terminal: Terminal,
  use: (store: AgentStore) => Promise<T>,
): Promise<T | undefined> {
  const store = await existingStore(flags, terminal)
  return store && closing(store, use)
}

/** For commands that go on: the caller closes it. Returns undefined if there is none. */
export async function existingStore(
  flags: MachineFlags,
  terminal: Terminal,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<AgentStore | undefined> {
  const url = databaseOf(flags, terminal)
  const path = existingState(flags, terminal)?.store ?? ""
  if (url === undefined && !existsSync(path)) return undefined
  return openAgentStore({ url, path }, { now: terminal.now, readOnly })
}

/** The configuration, once the user and the situation are known to be in it: a slip would mean less trust. */
export function checkedConfig(
  flags: MachineFlags,
  terminal: Terminal,
  { as, situation }: { readonly as?: string | undefined; readonly situation: string },
): Config {
  const { config } = openWorkspace(workspaceFolder(flags, terminal))
  const query = as === undefined ? { situation } : { as, situation }
  const [problem] = resolveAudience(config, query, "incipit.yaml").diagnostics
  if (problem?.code === "unknown-user")
    throw new IncipitError(
      "bad-argument",
      `incipit.yaml has no user "${problem.user}"${among(problem.known)}`,
    )
  if (problem?.code === "unknown-situation")
    throw new IncipitError(
      "bad-argument",
      `there is no situation "${problem.situation}"${among(problem.known)}`,
    )
  return config
}

function among(known: readonly string[]): string {
  return known.length === 0 ? "" : `, only ${known.join(", ")}`
}

async function closing<T>(store: AgentStore, use: (store: AgentStore) => Promise<T>): Promise<T> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
