// The workspace as it is now. Files are looked at with every turn; the configuration is read again when it has changed,
// and one that can not be read leaves the last good one in place.

import { statSync } from "node:fs"
import { join } from "node:path"
import { IncipitError } from "../core/error.ts"
import type { Profile } from "../core/profile.ts"
import { errorCode } from "../core/system-error.ts"
import { adjustProfile } from "../profiles/adjust.ts"
import type { System } from "../sources/system.ts"
import { openWorkspace, reload, type Workspace, type WorkspaceOptions } from "../sources/workspace.ts"
import { profileConfigured, profileNamed } from "./profile-table.ts"

export interface Current {
  readonly workspace: Workspace
  readonly profile: Profile
  readonly system: System
}

export interface Watching {
  now(): Current
  /** Reads the configuration again if its file has changed, or in any case. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
}

export type Refreshed =
  | { readonly kind: "same" }
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly error: IncipitError }

export interface WatchingOptions extends WorkspaceOptions {
  readonly root: string
  /** In place of the configured profile; a path starts at `directory`. */
  readonly profile?: string
  readonly directory: string
}

export async function watchWorkspace(options: WatchingOptions): Promise<Watching> {
  let seen = stampOf(options.root)
  let current = await currentOf(openWorkspace(options.root, options), options)
  return {
    now: () => current,
    async refresh({ always = false } = {}) {
      const stamp = stampOf(options.root)
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

async function currentOf(
  opened: Workspace,
  { profile: given, directory, home }: WatchingOptions,
): Promise<Current> {
  const { config, root } = opened
  const named = await (given === undefined
    ? profileConfigured(config.profile ?? "incipit", { root, home })
    : profileNamed(given, directory))
  const { profile, diagnostics } = adjustProfile(named.profile, {
    sections: config.prompt?.sections,
    order: config.prompt?.order,
  })
  const workspace = {
    ...opened,
    homes: named.system.homes,
    diagnostics: [...opened.diagnostics, ...diagnostics],
  }
  return { workspace, profile, system: named.system }
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
