// The sandboxes of a workspace's agent, from its configuration and what the user has approved of it.
import { join, resolve } from "node:path"
import { isSandboxApproved } from "../approval/approvable.ts"
import { approvedFiles } from "../approval/parts.ts"
import type { Workspace } from "../sources/workspace.ts"
import { profileModule } from "../workspace/profile/profile-table.ts"
import type { Boxes } from "./boxes.ts"
import type { InsideLaunch, InsideProgram } from "./sandbox-state.ts"
import type { SandboxedSession } from "./sandboxed-session.ts"
import { createSandboxes, type Sandboxes } from "./sandboxes.ts"
import { type SandboxSettings, sandboxSettings } from "./settings.ts"
import type { AgentFolders } from "./view.ts"

export interface WorkspaceSandboxOptions {
  readonly workspace: () => Workspace
  /** The working directory; a real path. */
  readonly directory: string
  /** Where approvals are kept. */
  readonly home: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly boxes: Boxes
  readonly warn: (text: string) => void
  /** Whatever the mode is: for programs that are to run inside in any case. */
  readonly isAlwaysOn?: boolean
}

export function workspaceSandboxes(options: WorkspaceSandboxOptions): Sandboxes {
  const { workspace, home, env, boxes, warn, isAlwaysOn = false } = options
  return createSandboxes({
    ...{ env, boxes, warn, agent: workspace().id },
    settings: () => {
      const settings = settingsNow(workspace(), home)
      return isAlwaysOn ? { ...settings, mode: "on" } : settings
    },
    folders: (session) => foldersOf(options, session),
  })
}

/** What the configuration says, as far as it is approved. */
export function settingsNow(workspace: Workspace, home: string | undefined): SandboxSettings {
  const { sandbox } = workspace.config
  // Looking at approvals opens a database, and most workspaces have no sandbox.
  return sandboxSettings(sandbox, sandbox !== undefined && isSandboxApproved(workspace, home))
}

export function foldersOf(
  { workspace, directory, home }: Pick<WorkspaceSandboxOptions, "workspace" | "directory" | "home">,
  { directories = [], files = [] }: SandboxedSession,
): AgentFolders {
  const current = workspace()
  const { folder, root, config } = current
  const listed = (config.prompt?.files ?? []).map(({ path }) => join(folder, path))
  const gathered = files.filter(({ path }) => !path.startsWith("~")).map(({ path }) => resolve(root, path))
  return {
    ...{ directory, workspace: folder, others: directories, home: home ?? current.home },
    fixed: [...new Set([...listed, ...gathered, ...approvedFiles(current, profileModule(config))])],
    hidden: current.state,
  }
}

/** Starts programs such as servers in a sandbox of their own. Rejects if there is none. */
export function insideStarter(
  options: WorkspaceSandboxOptions,
): (program: InsideProgram) => Promise<InsideLaunch> {
  const sandboxes = workspaceSandboxes({ ...options, isAlwaysOn: true })
  return async (program) => {
    const state = await sandboxes.of({
      ...{ id: "servers", isOwner: true },
      audience: { trust: "full", situation: "system", mode: "full" },
    })
    if (state.kind === "on") return state.launch(program)
    throw new Error(`there is no sandbox to run it in: ${state.kind === "missing" ? state.why : "it is off"}`)
  }
}
