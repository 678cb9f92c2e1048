// A workspace as a profile takes it: the profile that is named or configured, adjusted as the configuration wants, and
// the places where its system keeps files. Reads none of them.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Profile } from "../../core/model/profile.ts"
import { adjustProfile } from "../../profiles/adjust.ts"
import type { System } from "../../sources/systems/system.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { profileConfigured, profileNamed } from "./profile-table.ts"

export interface Profiled {
  readonly workspace: Workspace
  readonly profile: Profile
  readonly system: System
  /** About the adjustments. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface ProfiledOptions {
  /** In place of the configured profile; a path starts at `directory`. */
  readonly profile?: string | undefined
  readonly directory: string
  readonly home?: string | undefined
}

export async function profiled(
  opened: Workspace,
  { profile: wanted, directory, home }: ProfiledOptions,
): Promise<Profiled> {
  const { config, root } = opened
  // A path in the configuration starts where the configuration is.
  const { profile: named, system } = await (wanted === undefined
    ? profileConfigured(config.profile ?? "incipit", { root, home })
    : profileNamed(wanted, directory))
  const { profile, diagnostics } = adjustProfile(named, {
    sections: config.prompt?.sections,
    order: config.prompt?.order,
  })
  return {
    workspace: { ...opened, homes: system.homes, closed: system.closed },
    profile,
    system,
    diagnostics,
  }
}
