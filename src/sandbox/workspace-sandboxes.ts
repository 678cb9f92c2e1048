// The sandboxes of a workspace's agent, from its configuration and what the user has approved of it.
import { join, resolve } from "node:path"
import { isSandboxApproved } from "../approval/approvable.ts"
import { approvedFiles } from "../approval/parts.ts"
import type { Workspace } from "../sources/workspace.ts"
import { profileModule } from "../workspace/profile/profile-table.ts"
import type { Boxes } from "./boxes.ts"
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
}

export function workspaceSandboxes(options: WorkspaceSandboxOptions): Sandboxes {
  const { workspace, home, env, boxes, warn } = options
  return createSandboxes({
    ...{ env, boxes, warn, agent: workspace().id },
    settings: () => settingsNow(workspace(), home),
    folders: (session) => foldersOf(options, session),
  })
}

/** What the configuration says, as far as it is approved. */
export function settingsNow(workspace: Workspace, home: string | undefined): SandboxSettings {
  const { sandbox } = workspace.config
  // Looking at approvals opens a database, and most workspaces have no sandbox.
  return sandboxSettings(sandbox, sandbox !== undefined && isSandboxApproved(workspace, home))
}

function foldersOf(
  { workspace, directory, home }: WorkspaceSandboxOptions,
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
