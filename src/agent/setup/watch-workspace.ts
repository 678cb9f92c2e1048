// The current workspace. Files are checked on every turn. The configuration is read again when it has changed; if it
// cannot be read, the last good one stays.
import { statSync } from "node:fs"
import { join } from "node:path"
import type { PeopleLimit } from "../../approval/approved-people.ts"
import { IncipitError } from "../../base/error.ts"
import { oncePerObject } from "../../base/memo/once.ts"
import { errorCode } from "../../base/system-error.ts"
import type { Profile } from "../../core/model/profile.ts"
import { contentStamp } from "../../files/identity.ts"
import type { PromptDefinition } from "../../prompt/chat-kit.ts"
import { loadConfig } from "../../sources/config/config.ts"
import { emptyWorkspace } from "../../sources/empty-workspace.ts"
import { noFilesSystem } from "../../sources/systems/no-files-system.ts"
import type { System } from "../../sources/systems/system.ts"
import { openWorkspace, reload, type Workspace, type WorkspaceOptions } from "../../sources/workspace.ts"
import { usableProfile } from "../../workspace/profile/module-profile.ts"
import {
  type Profiled,
  type ProfiledOptions,
  type PromptLimits,
  profiled,
} from "../../workspace/profile/profiled.ts"
import type { EventSinks } from "../storage/event-sinks.ts"

/** The workspace's diagnostics include those about its profile. */
export type Current = Omit<Profiled, "diagnostics">

export interface Watching {
  now(): Current
  /** Why the configuration cannot be read as it is now. */
  problem(): IncipitError | undefined
  /** Reads the configuration again if its file has changed, or always on request. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
}

export type Refreshed =
  | { readonly kind: "same" }
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly error: IncipitError }

export interface WatchingOptions extends WorkspaceOptions, Omit<ProfiledOptions, "home"> {
  readonly root: string
  /** Whether the agent has a memory. */
  readonly hasMemory: boolean
  readonly people?: PeopleLimit | undefined
}

export async function watchWorkspace(options: WatchingOptions): Promise<Watching> {
  let seen = stampsOf(options)
  let current = await currentOf(openWorkspace(options.root, options), options)
  let problem: IncipitError | undefined
  const readIfChanged = async (always: boolean): Promise<Refreshed> => {
    const stamp = stampsOf(options)
    if (stamp === seen && !always) return { kind: "same" }
    seen = stamp
    try {
      current = await currentOf(reload(current.workspace), options)
      problem = undefined
      return { kind: "changed" }
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      current = withPeopleNow(current, options)
      problem = error
      return { kind: "failed", error }
    }
  }
  // One at a time: whoever asks while the file is being read must not go on with what it said before.
  let last: Promise<unknown> = Promise.resolve()
  return {
    now: () => current,
    problem: () => problem,
    refresh({ always = false } = {}) {
      const next = last.then(() => readIfChanged(always))
      last = next.catch(() => {})
      return next
    },
  }
}

/** With the copy of the documents that are in a database. */
export function withDocuments(watching: Watching, documents: string): Watching {
  const copied = ({ workspace, ...rest }: Current): Current => ({
    ...rest,
    workspace: { ...workspace, documents },
  })
  const once = oncePerObject(copied)
  return { ...watching, now: () => once(watching.now()) }
}

export interface FixedOptions extends Pick<WorkspaceOptions, "home" | "state" | "env"> {
  readonly profile: Profile
  /** The prompt that the profile is of, with its files and limits. */
  readonly definition?: PromptDefinition | undefined
  readonly directory: string
}

/** For an agent without a workspace: there is nothing to watch. */
export function withoutWorkspace({ profile, definition, directory, ...options }: FixedOptions): Watching {
  const workspace = emptyWorkspace(directory, options)
  const current = {
    ...withoutMemory({ workspace, profile: usableProfile(profile), system: systemOf(definition) }),
    limits: definition && { budget: definition.budget, ttl: definition.ttl },
  }
  return { now: () => current, problem: () => undefined, refresh: async () => ({ kind: "same" }) }
}

function systemOf(definition: PromptDefinition | undefined): System {
  if (definition === undefined) return noFilesSystem
  const { agent, diagnostics } = definition
  return { ...noFilesSystem, agent: () => ({ value: { files: agent.files, skills: [] }, diagnostics }) }
}

/** The workspace as the rest of the agent uses it. */
export interface LiveWorkspace {
  /** The working directory. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  current(): Workspace
  profile(): Profile
  /** Whose files are read, and where. */
  system(): System
  /** Those of a prompt that brings its own. */
  limits(): PromptLimits | undefined
  /** Why the configuration cannot be read as it is now. */
  problem(): IncipitError | undefined
  /** Reads the configuration again if its file has changed. If it cannot be read, the last good one stays. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
}

export interface LiveWorkspaceOptions extends Pick<LiveWorkspace, "directory" | "env"> {
  readonly events: Pick<EventSinks, "scope">
  /** Called after the configuration was read again. */
  readonly changed: () => void
}

export function liveWorkspace(
  watching: Watching,
  { directory, env, events, changed }: LiveWorkspaceOptions,
): LiveWorkspace {
  return {
    directory,
    env,
    current: () => watching.now().workspace,
    profile: () => watching.now().profile,
    system: () => watching.now().system,
    limits: () => watching.now().limits,
    problem: watching.problem,
    async refresh(options) {
      const found = await refreshed(watching, events, options)
      if (found.kind !== "same") changed()
      return found
    },
  }
}

/** Also records the result. */
async function refreshed(
  watching: Watching,
  { scope }: Pick<EventSinks, "scope">,
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
  const { workspace, profile, system, diagnostics: adjusted } = await profiled(opened, options)
  const diagnostics = [...workspace.diagnostics, ...adjusted]
  const config = options.people?.limit(workspace.config) ?? workspace.config
  const current = { workspace: { ...workspace, config, diagnostics }, profile, system }
  return options.hasMemory ? current : withoutMemory(current)
}

/**
 * With who may see what as incipit.yaml says now, if only something else cannot be used: a profile, or a further agent's
 * own file. A server takes the trust of its callers from there, and both must say the same.
 */
function withPeopleNow(current: Current, { root, people }: WatchingOptions): Current {
  try {
    const { config: read } = loadConfig(join(root, "incipit.yaml"), "incipit.yaml")
    const { users, rooms, situations } = people?.limit(read) ?? read
    const { workspace } = current
    return {
      ...current,
      workspace: { ...workspace, config: { ...workspace.config, users, rooms, situations } },
    }
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    return current
  }
}

/** The prompt neither lists memory nor recalls anything from it, whatever is configured. */
function withoutMemory({ workspace, profile, system }: Current): Current {
  const { listsMemory: _off, ...rest } = system
  const feeds = { ...workspace.config.feeds, recall: false, bulletin: false }
  return { workspace: { ...workspace, config: { ...workspace.config, feeds } }, profile, system: rest }
}

/** Stamps of the workspace's configuration, of the agent's if it is a further one, and of what was approved. */
function stampsOf({ root, agent, people }: WatchingOptions): string {
  const folders = [root, ...(agent === undefined ? [] : [join(root, "agents", agent)])]
  return [...folders.map(stampOf), people?.stamp()].join(" ")
}

function stampOf(root: string): string {
  try {
    return contentStamp(statSync(join(root, "incipit.yaml"), { bigint: true }))
  } catch (error) {
    // Reading the file reports what is wrong with it.
    const code = errorCode(error)
    if (code === undefined) throw error
    return code
  }
}
