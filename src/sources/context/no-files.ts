// The finding about a folder without instructions: told only where neither the workspace nor the working directory has
// any, so that only bundled texts are left.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Agent, Session } from "../../core/model/scope.ts"
import { shownPath } from "../config/configured-trust.ts"
import { incipitSystem, type System } from "../systems/system.ts"
import type { Workspace } from "../workspace.ts"

export interface NoFilesOptions {
  readonly agent: Pick<Agent, "files" | "skills">
  readonly session: Pick<Session, "files" | "skills">
  /** Whose files are read. Default: Incipit's own. */
  readonly system?: System | undefined
}

export function noFiles(
  workspace: Workspace,
  { agent, session, system = incipitSystem }: NoFilesOptions,
): readonly Diagnostic[] {
  const { files = [], skills = [] } = agent
  const all = [...files, ...session.files, ...skills, ...(session.skills ?? [])]
  if (all.length > 0 || system.inSession === true) return []
  // Whether there are files that an audience may not see is nothing for that audience.
  return [{ code: "no-files", path: shownPath(workspace.root, workspace), needs: "full" }]
}
