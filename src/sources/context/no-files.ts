// The diagnostics about a folder without instructions. Reported only if neither the workspace nor the working directory
// has any, so that the prompt holds only bundled text. If the folder has instructions for other programs, they are named.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Agent, Session } from "../../core/model/inputs.ts"
import { shownPath } from "../config/configured-trust.ts"
import { incipitSystem } from "../systems/incipit-system.ts"
import type { System } from "../systems/system.ts"
import type { Workspace } from "../workspace.ts"
import { unreadForeign } from "./unread-foreign.ts"

export interface NoFilesOptions {
  readonly agent: Pick<Agent, "files" | "skills">
  readonly session: Pick<Session, "files" | "skills">
  /** Whose files to read. Default: Incipit's own. */
  readonly system?: System | undefined
}

export function noFiles(
  workspace: Workspace,
  { agent, session, system = incipitSystem }: NoFilesOptions,
): readonly Diagnostic[] {
  const { files = [], skills = [] } = agent
  const all = [...files, ...session.files, ...skills, ...(session.skills ?? [])]
  if (all.length > 0 || system.inSession === true) return []
  const foreign = system === incipitSystem ? unreadForeign(workspace, { agent, session }) : []
  if (foreign.length > 0) return foreign
  // An audience must not learn whether there are files that it may not see.
  return [{ code: "no-files", path: shownPath(workspace.root, workspace), needs: "full" }]
}
