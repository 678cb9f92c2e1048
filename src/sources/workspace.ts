// A workspace: the folder that describes an agent, with its configuration and the places of its files.
import { existsSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import { errorCode, systemReason } from "../base/system-error.ts"
import type { Trust } from "../base/trust.ts"
import type { DeclaredCache } from "../files/gate/declared.ts"
import { isInside } from "../files/inside.ts"
import { INCIPIT_FOLDER, MAIN_AGENT, stateFolders } from "../files/paths.ts"
import { existingPathOf, requireRealPath } from "../files/real-path.ts"
import { type AgentConfig, agentConfig, type OwnConfig } from "./config/agent-config.ts"
import { loadConfig } from "./config/config.ts"
import type { Config } from "./config/config-schema.ts"
import type { MemoryCache } from "./memory-cache.ts"
import type { FileCache } from "./read/source-file.ts"
import type { SkillCache } from "./skills/skills.ts"

/** An open folder with its configuration. Gather agents and sessions from it. */
export interface Workspace {
  readonly root: string
  /** False if no folder describes the agent: `root` is only the working directory. */
  readonly isFolder: boolean
  /** The agent's folder: the root itself, or `agents/<id>` in it. */
  readonly folder: string
  readonly home: string | undefined
  /** Folders below the home folder that may be read, too. */
  readonly homes: readonly string[]
  /** Files of its system that need more trust than other files, by path. */
  readonly closed?: Readonly<Record<string, Trust>> | undefined
  /** The folder with a copy of the agent's documents, if they are in a database. A real path. */
  readonly documents?: string | undefined
  /** Folders with agent state, which are never opened as files. */
  readonly state: readonly string[]
  readonly id: string
  /** Starts at 1 and grows with every reload. */
  readonly revision: number
  readonly config: Config
  /** What a further agent's own incipit.yaml sets; `config` has it, too, except for limits of spending. */
  readonly own?: OwnConfig | undefined
  /** The line of each value of the configuration, by its keys joined with dots. */
  readonly lines: ReadonlyMap<string, number>
  /** Results of earlier reads: only what changed is read again. */
  readonly cache: ReadCache
  readonly diagnostics: readonly Diagnostic[]
}

/** Where home and state are, and which agent of the folder is meant. */
export interface WorkspaceOptions {
  /** The user's home folder, whose `.incipit/` may hold a custom base prompt. */
  readonly home?: string | undefined
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string | undefined
  /** Folders below the home folder that may be read, too. Default: `.incipit`. */
  readonly homes?: readonly string[]
  /** The state directory and the variables that name one, if they differ from the process's. */
  readonly state?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** From a workspace that was opened before. */
  readonly cache?: ReadCache | undefined
}

/** What was read before. Pass it to read only what changed. */
export interface ReadCache {
  readonly files: FileCache
  readonly skills: SkillCache
  /** What files declare about who may see them. */
  readonly declared: DeclaredCache
  /** What the menu of memory listed. */
  readonly memory: MemoryCache
}

export function newReadCache(): ReadCache {
  return { files: new Map(), skills: new Map(), declared: new Map(), memory: new Map() }
}

/** What was read, and what was wrong with it. */
export interface Gathered<T> {
  readonly value: T
  readonly diagnostics: readonly Diagnostic[]
}

/** Opens a folder that describes an agent, with its incipit.yaml. */
export function openWorkspace(root: string, options: WorkspaceOptions = {}): Workspace {
  const real = realFolder(root, "the workspace")
  const { config, lines, diagnostics } = loadConfig(join(real, "incipit.yaml"), "incipit.yaml")
  const { agent } = options
  const folder = agent === undefined ? real : agentFolder(real, agent)
  const own = agent === undefined ? undefined : ownConfig(config, folder, agent)
  const home = options.home === undefined ? undefined : existingPathOf(options.home)
  if (folder !== home) refuseLinkedState(folder)
  return {
    root: real,
    folder,
    isFolder: true,
    home,
    homes: options.homes ?? [INCIPIT_FOLDER],
    state: stateFolders({
      state: options.state,
      home: options.home ?? homedir(),
      env: options.env ?? process.env,
    }),
    id: agent ?? MAIN_AGENT,
    revision: 1,
    config: own?.config ?? config,
    own: own?.own,
    lines,
    cache: options.cache ?? newReadCache(),
    // Diagnostics about the configuration are for the owner.
    diagnostics: [...diagnostics, ...(own?.diagnostics ?? [])].map((diagnostic) => ({
      ...diagnostic,
      needs: "full" as const,
    })),
  }
}

function ownConfig(workspace: Config, folder: string, agent: string): AgentConfig {
  const shown = `agents/${agent}/incipit.yaml`
  return agentConfig(workspace, loadConfig(join(folder, "incipit.yaml"), shown), shown)
}

/** The workspace as it is now: a new object that reuses what has not changed. */
export function reload(workspace: Workspace): Workspace {
  const { root, home, homes, closed, id, cache, revision, state } = workspace
  const agent = id === MAIN_AGENT ? {} : { agent: id }
  return {
    ...openWorkspace(root, { cache, homes, ...agent, ...(home !== undefined && { home }) }),
    ...{ state, closed },
    revision: revision + 1,
  }
}

/** Returns the name if it is safe as a single path segment, otherwise undefined. */
export function segment(name: string | undefined): string | undefined {
  return name !== undefined && /^(?!\.+$)[\p{L}\p{N}_.@-]+$/u.test(name) ? name : undefined
}

export function rootsOf({ root, home, homes }: Workspace): readonly string[] {
  return home === undefined ? [root] : [root, ...homes.map((name) => join(home, name))]
}

/** The real path of a folder, which must exist. */
export function realFolder(path: string, what: string): string {
  try {
    const real = requireRealPath(path)
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
  // The whole folder may be read and sent: a link would open a folder that the user has not approved.
  if (real !== path)
    throw new IncipitError("no-agent", `the folder of the agent "${agent}" is a link that leads to ${real}`)
  return real
}

/** Through a link, the agent would continue another workspace's conversations, and delete them when they expire. */
function refuseLinkedState(folder: string): void {
  const path = join(folder, INCIPIT_FOLDER)
  const real = existingPathOf(path)
  if (real !== undefined && !isInside(real, folder))
    throw new IncipitError(
      "unusable-database",
      `cannot keep state in ${path}: it is a link that leads to ${real}`,
    )
}
