// A workspace as seen by a profile: the named or configured profile, adjusted by the configuration, and the places
// where its system keeps files. Reads none of them.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { GivenBudget } from "../../core/fit/budget.ts"
import type { Profile } from "../../core/model/profile.ts"
import { adjustProfile, type SectionSetting } from "../../profiles/adjust.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { DEFAULT_PROFILE } from "../../sources/config/defaults.ts"
import { newOnChange } from "../../sources/read/renamed-keys.ts"
import type { System } from "../../sources/systems/system.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { profileConfigured, profileGiven, profileNamed } from "./profile-table.ts"

export interface Profiled {
  readonly workspace: Workspace
  readonly profile: Profile
  readonly system: System
  /** Those of a prompt that brings its own; they replace the configured ones. */
  readonly limits?: PromptLimits | undefined
  /** About the adjustments. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What a prompt may take, and how long its prefix is kept. What is left out gets its default. */
export interface PromptLimits {
  readonly budget: GivenBudget | undefined
  readonly ttl: string | undefined
}

export interface ProfiledOptions {
  /** Overrides the configured profile; a path is relative to `directory`. */
  readonly profile?: string | Profile | undefined
  readonly directory: string
  readonly home?: string | undefined
}

export async function profiled(
  opened: Workspace,
  { profile: wanted, directory, home }: ProfiledOptions,
): Promise<Profiled> {
  const { config, root } = opened
  // A path in the configuration is relative to the configuration's folder.
  const { profile: named, system } = await (wanted === undefined
    ? profileConfigured(config.profile ?? DEFAULT_PROFILE, { root, home })
    : typeof wanted === "string"
      ? profileNamed(wanted, directory)
      : profileGiven(wanted))
  const { profile, diagnostics } = adjustProfile(named, {
    sections: profileSettings(config),
    order: config.prompt?.order,
  })
  return {
    workspace: { ...opened, homes: system.homes, closed: system.closed },
    profile,
    system,
    diagnostics,
  }
}

type ConfiguredSection = NonNullable<NonNullable<Config["prompt"]>["sections"]>[string]
type Settings = Readonly<Record<string, SectionSetting>>

/** What `prompt.sections` of incipit.yaml says about the sections of a profile. */
export function profileSettings({ prompt }: Config): Settings | undefined {
  return (
    prompt?.sections &&
    Object.fromEntries(Object.entries(prompt.sections).map(([id, one]) => [id, settingOf(one)]))
  )
}

function settingOf(setting: ConfiguredSection): SectionSetting {
  if (typeof setting !== "object") return setting
  const { need, freshness, on_change, priority = need, ...rest } = setting
  return { ...rest, priority, onChange: on_change ?? (freshness && newOnChange(freshness)) }
}
