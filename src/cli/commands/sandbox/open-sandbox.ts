// The sandbox of a workspace as the agent's commands would get it, whoever talks: for commands that look at it.
import { resolve } from "node:path"
import { realPath } from "../../../files/real-path.ts"
import { type Boxes, createBoxes } from "../../../sandbox/boxes.ts"
import type { SandboxState } from "../../../sandbox/sandbox-state.ts"
import { createSandboxes, type Sandboxes } from "../../../sandbox/sandboxes.ts"
import type { SandboxSettings } from "../../../sandbox/settings.ts"
import { foldersOf, settingsNow } from "../../../sandbox/workspace-sandboxes.ts"
import { openWorkspace, type Workspace } from "../../../sources/workspace.ts"
import { homeFolder, type MachineFlags, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"

export interface LookedAt {
  readonly workspace: Workspace
  readonly directory: string
  readonly home: string | undefined
  /** As configured, whether it is on or not. */
  readonly settings: SandboxSettings
  readonly boxes: Boxes
  readonly warnings: readonly string[]
  /** What the commands of a session would get if the mode were on. */
  of(session: string, agent?: string): Promise<SandboxState>
}

type Flags = MachineFlags & { readonly workspace?: string | undefined; readonly cwd?: string | undefined }

export function lookAtSandbox(flags: Flags, terminal: Terminal): LookedAt {
  const home = homeFolder(flags, terminal)
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { home })
  const directory = realPath(resolve(terminal.cwd, flags.cwd ?? workspace.root))
  const settings = settingsNow(workspace, home)
  const boxes = createBoxes()
  const warnings: string[] = []
  const place = { workspace: () => workspace, directory, home }
  const sandboxesOf = (agent: string): Sandboxes =>
    createSandboxes({
      ...{ boxes, agent, env: terminal.env, warn: (text: string) => void warnings.push(text) },
      settings: () => ({ ...settings, mode: "on" }),
      folders: (session) => foldersOf(place, session),
    })
  return {
    ...{ workspace, directory, home, settings, boxes, warnings },
    of: (id, agent = workspace.id) =>
      sandboxesOf(agent).of({
        id,
        audience: { trust: "full", situation: "dm", mode: "full" },
        isOwner: true,
      }),
  }
}
