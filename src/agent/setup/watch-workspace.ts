// The workspace as it is now. Files are looked at with every turn; the configuration is read again when it has changed,
// and one that cannot be read leaves the last good one in place.
import { statSync } from "node:fs"
import { join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { errorCode } from "../../base/system-error.ts"
import { openWorkspace, reload, type Workspace, type WorkspaceOptions } from "../../sources/workspace.ts"
import { type Profiled, type ProfiledOptions, profiled } from "../../workspace/profile/profiled.ts"
import type { Telling } from "./event-sinks.ts"

/** The workspace's findings include those about its profile. */
export type Current = Omit<Profiled, "diagnostics">

export interface Watching {
  now(): Current
  /** Reads the configuration again if its file has changed, or in any case. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
}

export type Refreshed =
  | { readonly kind: "same" }
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly error: IncipitError }

export interface WatchingOptions extends WorkspaceOptions, Omit<ProfiledOptions, "home"> {
  readonly root: string
}

export async function watchWorkspace(options: WatchingOptions): Promise<Watching> {
  let seen = stampsOf(options)
  let current = await currentOf(openWorkspace(options.root, options), options)
  return {
    now: () => current,
    async refresh({ always = false } = {}) {
      const stamp = stampsOf(options)
      if (stamp === seen && !always) return { kind: "same" }
      seen = stamp
      try {
        current = await currentOf(reload(current.workspace), options)
        return { kind: "changed" }
      } catch (error) {
        if (!(error instanceof IncipitError)) throw error
        return { kind: "failed", error }
      }
    },
  }
}

/** The same, and what came of it is recorded. */
export async function refreshed(
  watching: Watching,
  { scope }: Pick<Telling, "scope">,
  options: { readonly always?: boolean } = {},
): Promise<Refreshed> {
  const found = await watching.refresh(options)
  if (found.kind === "same") return found
  const { id, revision } = watching.now().workspace
  const about = scope({ agent: id, trust: "full" })
  if (found.kind === "failed") about.event("config_reloaded", { level: "error", error: found.error.message })
  else about.event("config_reloaded", { data: { revision } })
  return found
}

async function currentOf(opened: Workspace, options: WatchingOptions): Promise<Current> {
  const { workspace, profile, system, diagnostics } = await profiled(opened, options)
  const findings = [...workspace.diagnostics, ...diagnostics]
  return { workspace: { ...workspace, diagnostics: findings }, profile, system }
}

/** Of the workspace's own, and of the agent's if it is a further one. */
function stampsOf({ root, agent }: WatchingOptions): string {
  return [root, ...(agent === undefined ? [] : [join(root, "agents", agent)])].map(stampOf).join(" ")
}

/** Of the configuration's file: when it changed and how long it is. */
function stampOf(root: string): string {
  try {
    const stat = statSync(join(root, "incipit.yaml"))
    return `${stat.mtimeMs}:${stat.size}:${stat.ino}`
  } catch (error) {
    // Whoever reads the file says what is wrong with it.
    const code = errorCode(error)
    if (code === undefined) throw error
    return code
  }
}
