// A workspace: the folder that describes an agent, with its configuration and where its files are.
import { existsSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import { errorCode, systemReason } from "../base/system-error.ts"
import type { Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"
import type { DeclaredCache } from "../files/gate/declared.ts"
import type { Gate } from "../files/gate/gate.ts"
import { strictest } from "../files/gate/requirement.ts"
import { isInside } from "../files/inside.ts"
import { INCIPIT_FOLDER, stateFolders } from "../files/paths.ts"
import { type LoadedConfig, loadConfig } from "./config/config.ts"
import type { Config } from "./config/config-schema.ts"
import { configuredTrust, shownPath } from "./config/configured-trust.ts"
import { type FileCache, type FileOptions, readSourceFile, underGuard } from "./read/source-file.ts"
import type { SkillCache } from "./skills/skills.ts"
import { workspaceGate } from "./workspace-gate.ts"

export interface Workspace {
  readonly root: string
  /** The folder of the agent: the root itself, or `agents/<id>` in it. */
  readonly folder: string
  readonly home: string | undefined
  /** Folders below the home folder that may be read too. */
  readonly homes: readonly string[]
  /** What of its system's own files needs more than other files, by path. */
  readonly closed?: Readonly<Record<string, Trust>> | undefined
  /** Folders with the state of agents, which nobody opens as files. */
  readonly state: readonly string[]
  readonly id: string
  /** Counts from 1, and grows with every reload. */
  readonly revision: number
  readonly config: Config
  /** The model that a further agent's own incipit.yaml names; it is also the configuration's. */
  readonly ownModel?: string | undefined
  /** The line of each value of the configuration, by its keys joined with dots. */
  readonly lines: ReadonlyMap<string, number>
  /** What was read before: only what changed is read again. */
  readonly cache: ReadCache
  readonly diagnostics: readonly Diagnostic[]
}

export interface WorkspaceOptions {
  /** The user's home folder, where `.incipit/` may hold a base of one's own. */
  readonly home?: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
  /** Folders below the home folder that may be read too. Default: `.incipit`. */
  readonly homes?: readonly string[]
  /** The state directory and the variables that name one, if they are not those of the process. */
  readonly state?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** From a workspace that was opened before. */
  readonly cache?: ReadCache
}

/** Reading again with this reads only what changed. */
export interface ReadCache {
  readonly files: FileCache
  readonly skills: SkillCache
  /** What files say about who may see them. */
  readonly declared: DeclaredCache
}

export interface Gathered<T> {
  readonly value: T
  readonly diagnostics: readonly Diagnostic[]
}

export function openWorkspace(root: string, options: WorkspaceOptions = {}): Workspace {
  const real = realFolder(root, "the workspace")
  const { config, lines, diagnostics } = loadConfig(join(real, "incipit.yaml"), "incipit.yaml")
  const { agent } = options
  const folder = agent === undefined ? real : agentFolder(real, agent)
  const own = agent === undefined ? undefined : loadConfig(join(folder, "incipit.yaml"), ownPath(agent))
  const model = own?.config.model
  const home = options.home === undefined ? undefined : realOrUndefined(options.home)
  if (folder !== home) refuseLinkedState(folder)
  return {
    root: real,
    folder,
    home,
    homes: options.homes ?? [INCIPIT_FOLDER],
    state: stateFolders({
      state: options.state,
      home: options.home ?? homedir(),
      env: options.env ?? process.env,
    }),
    id: agent ?? "main",
    revision: 1,
    config: model === undefined ? config : { ...config, model },
    ownModel: model,
    lines,
    cache: options.cache ?? { files: new Map(), skills: new Map(), declared: new Map() },
    // The configuration is the owner's.
    diagnostics: [...diagnostics, ...(own?.diagnostics ?? []), ...unusedKeys(own, ownPath(agent ?? ""))].map(
      (finding) => ({ ...finding, needs: "full" as const }),
    ),
  }
}

function ownPath(agent: string): string {
  return `agents/${agent}/incipit.yaml`
}

/** Who may see what, and what acts, is for the workspace to say: of an agent's own file only the model counts. */
function unusedKeys(own: LoadedConfig | undefined, path: string): readonly Diagnostic[] {
  const keys = Object.keys(own?.config ?? {}).filter((key) => key !== "model")
  return keys.map((key) => ({ code: "not-of-an-agent", path, key }))
}

/** The workspace as it is now: a new one, with what has not changed taken over from the old. */
export function reload(workspace: Workspace): Workspace {
  const { root, home, homes, closed, id, cache, revision, state } = workspace
  const agent = id === "main" ? {} : { agent: id }
  return {
    ...openWorkspace(root, { cache, homes, ...agent, ...(home !== undefined && { home }) }),
    ...{ state, closed },
    revision: revision + 1,
  }
}

/** A name that can stand in a path without leading anywhere else; nothing if it cannot. */
export function segment(name: string | undefined): string | undefined {
  return name !== undefined && /^(?!\.+$)[\p{L}\p{N}_.@-]+$/u.test(name) ? name : undefined
}

/** A file with a role, and the trust it needs unless its frontmatter says otherwise. */
export interface Convention {
  readonly role: string
  readonly trust: Trust
  /** Comments at the top are for people; they are not told. */
  readonly stripComments?: boolean
  /** Frontmatter is told like the rest. */
  readonly tellsFrontMatter?: boolean
  /** It has no frontmatter. */
  readonly isData?: boolean
  /** It needs this much, whatever it says. */
  readonly least?: Trust
}

export type FileReader = ((path: string, convention: Convention) => SourceFile | undefined) & {
  readonly diagnostics: Diagnostic[]
  readonly gate: Gate
}

/**
 * Reads files of the workspace and of its folders in the home folder, and collects what it finds about them. `person`:
 * whose own files may be told.
 */
export function fileReader(workspace: Workspace, person?: string): FileReader {
  const diagnostics: Diagnostic[] = []
  const roots = rootsOf(workspace)
  const gate = workspaceGate(workspace)
  const read = (path: string, convention: Convention): SourceFile | undefined => {
    const shown = shownPath(path, workspace)
    const options: FileOptions = {
      ...convention,
      ...configured(path, workspace, diagnostics),
      shown,
      roots,
      isOwn: true,
    }
    const found = underGuard(
      readSourceFile(path, options, workspace.cache.files),
      strictest([gate.guardUnder(path, person), convention.least && { trust: convention.least }]),
    )
    diagnostics.push(...found.diagnostics)
    return found.file
  }
  return Object.assign(read, { diagnostics, gate })
}

function configured(
  path: string,
  workspace: Workspace,
  diagnostics: Diagnostic[],
): { readonly trust?: Trust } {
  const found = configuredTrust(path, workspace)
  if (found === undefined) return {}
  if (found.unknown !== undefined)
    diagnostics.push({
      code: "unknown-trust",
      path: "incipit.yaml",
      value: found.unknown,
      used: "full",
      needs: "full",
    })
  return { trust: found.trust }
}

export function rootsOf({ root, home, homes }: Workspace): readonly string[] {
  return home === undefined ? [root] : [root, ...homes.map((name) => join(home, name))]
}

/** The real path of a folder, which must be there. */
export function realFolder(path: string, what: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    const why = systemReason(error)
    throw new IncipitError("unreadable-workspace", `cannot open ${what} ${path}: ${why}`, { cause: error })
  }
  throw new IncipitError("unreadable-workspace", `${path} is not a folder`)
}

function agentFolder(root: string, agent: string): string {
  const path = join(root, "agents", agent)
  if (segment(agent) === undefined || !existsSync(path))
    throw new IncipitError("no-agent", `there is no agent "${agent}"`)
  const real = realFolder(path, "the agent's folder")
  // All of it may be read and told: a link would open a folder that nobody has approved.
  if (real !== path)
    throw new IncipitError("no-agent", `the folder of the agent "${agent}" is a link, and leads to ${real}`)
  return real
}

/** Through a link, conversations of another workspace would be gone on with, and removed when their time is up. */
function refuseLinkedState(folder: string): void {
  const path = join(folder, INCIPIT_FOLDER)
  const real = realOrUndefined(path)
  if (real !== undefined && !isInside(real, folder))
    throw new IncipitError(
      "unusable-database",
      `nothing can be kept in ${path}, a link that leads to ${real}`,
    )
}

function realOrUndefined(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
