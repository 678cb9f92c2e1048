// The sandboxes of an agent: what holds for each session now, as configured, approved and possible on this machine.
import { statSync } from "node:fs"
import process from "node:process"
import { type Backend, type FoundBackend, findBackend } from "./backends.ts"
import type { Boxes } from "./boxes.ts"
import { launchInside, runInside } from "./bubblewrap/run-inside.ts"
import { launchContainer, runInContainer } from "./container/run-in-container.ts"
import type { SandboxFacts } from "./facts.ts"
import { gitIdentity } from "./git-identity.ts"
import type { Sandbox, SandboxState } from "./sandbox-state.ts"
import { isSandboxed, type SandboxedSession } from "./sandboxed-session.ts"
import type { SandboxSettings } from "./settings.ts"
import { type AgentFolders, unshowable } from "./view.ts"

export interface SandboxesOptions {
  /** As configured now. */
  readonly settings: () => SandboxSettings
  readonly folders: (session: SandboxedSession) => AgentFolders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly agent: string
  readonly boxes: Boxes
  /** Hears once what was asked for and cannot be had. */
  readonly warn: (text: string) => void
}

export interface Sandboxes {
  /** What the commands of a session run in. */
  of(session: SandboxedSession): Promise<SandboxState>
}

export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const warned = new Set<string>()
  const warn = (text: string) => {
    if (!warned.has(text)) options.warn(text)
    warned.add(text)
  }
  let tried: { readonly key: string; readonly found: Promise<FoundBackend> } | undefined
  let identity: Promise<string> | undefined
  const backendFor = (settings: SandboxSettings, { workspace: notIn }: AgentFolders) => {
    const key = JSON.stringify([settings.backend, settings.image])
    if (tried?.key !== key) tried = { key, found: findBackend({ settings, notIn, path: options.env.PATH }) }
    return tried.found
  }
  return {
    async of(session) {
      const wanted = options.settings()
      if (!isSandboxed(wanted, session)) return { kind: "off" }
      const folders = options.folders(session)
      const why = unshowable(folders, wanted)
      const backend =
        why === undefined ? await backendFor(wanted, folders) : ({ kind: "missing", why } as const)
      if (backend.kind === "missing") {
        const instead = wanted.required
          ? "Commands are refused."
          : "Commands run on the host, after a question."
        warn(`The sandbox cannot be set up: ${backend.why}. ${instead}`)
        return { kind: "missing", why: backend.why, isRequired: wanted.required }
      }
      const settings = possible(wanted, { backend, folders, warn })
      identity ??= gitIdentity(backend.kind === "bubblewrap" ? backend.programs.git : undefined, options.env)
      const gitConfig = await identity
      return sandboxOf({ ...options, folders, backend, settings, session: session.id, gitConfig })
    },
  }
}

interface Possible {
  readonly backend: Backend
  readonly folders: AgentFolders
  readonly warn: (text: string) => void
}

/** What cannot be had is replaced by something stricter. */
function possible(wanted: SandboxSettings, { backend, folders, warn }: Possible): SandboxSettings {
  let { network, workspace } = wanted
  if (network === "allow-list" && !(backend.kind === "bubblewrap" && backend.programs.socat !== undefined)) {
    const why = backend.kind === "bubblewrap" ? "it needs socat and bash" : `${backend.kind} has none`
    warn(`The sandbox has no network: an allow-list cannot be set up, because ${why}.`)
    network = "off"
  }
  if (workspace === "read-write" && !isWritable(folders.directory)) {
    warn(
      `Commands in the sandbox can only read ${folders.directory}: it belongs to another user. Run Incipit as its owner.`,
    )
    workspace = "read-only"
  }
  return { ...wanted, network, workspace }
}

/** By its owner and mode: inside, not even root has more rights. */
function isWritable(path: string): boolean {
  const { uid, gid, mode } = statSync(path)
  if (uid === process.getuid?.()) return (mode & 0o200) !== 0
  return (gid === process.getgid?.() && (mode & 0o020) !== 0) || (mode & 0o002) !== 0
}

interface SandboxParts extends Omit<SandboxesOptions, "settings" | "folders"> {
  readonly folders: AgentFolders
  readonly backend: Backend
  /** As they hold. */
  readonly settings: SandboxSettings
  readonly session: string
  readonly gitConfig: string
}

function sandboxOf({ backend, settings, ...parts }: SandboxParts): Sandbox {
  const { session, agent, boxes, env, gitConfig, folders } = parts
  const common = { kind: "on", facts: factsOf(backend, settings), settings } as const
  if (backend.kind !== "bubblewrap") {
    const place = { backend, settings, folders, env }
    return {
      ...common,
      run: (command) => runInContainer(place, command),
      launch: async (program) => launchContainer(place, program),
    }
  }
  const inside = { programs: backend.programs, settings, boxes, folders, agent, session, env, gitConfig }
  return {
    ...common,
    run: (command) => runInside(inside, command),
    launch: (program) => launchInside(inside, program),
  }
}

function factsOf(backend: Backend, { mode, scope, workspace, network }: SandboxSettings): SandboxFacts {
  const isContainer = backend.kind !== "bubblewrap"
  return {
    mode: mode === "non-main" ? mode : "on",
    backend: backend.kind,
    scope: isContainer ? undefined : scope,
    image: isContainer ? backend.image : undefined,
    ...{ workspace, network },
  }
}
