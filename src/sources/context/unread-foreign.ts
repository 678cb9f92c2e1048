// The hint about instructions that other programs read and no prompt here has: one for a folder, and none for files that
// only lead to those that are read, or repeat them.
import { basename, join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Agent, Session } from "../../core/model/inputs.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { identityAt } from "../../files/identity.ts"
import { shownPath } from "../config/configured-trust.ts"
import { readSourceFile } from "../read/source-file.ts"
import type { Workspace } from "../workspace.ts"
import { type ForeignPlace, foreignPlaces } from "./foreign-files.ts"
import { judgeSecondFile } from "./second-file.ts"

export interface GatheredFiles {
  readonly agent: Pick<Agent, "files">
  readonly session: Pick<Session, "files">
}

export function unreadForeign(
  workspace: Workspace,
  { agent, session }: GatheredFiles,
): readonly Diagnostic[] {
  const { folder } = workspace
  const read = [...agent.files, ...session.files]
  const places = foreignPlaces(folder).filter(({ files }) =>
    files.some((path) => saysMore(join(folder, path), folder, read)),
  )
  if (places.length === 0) return []
  const path = shownPath(folder, workspace)
  return [{ code: "foreign-files", path, instructions: places.map(nameOf).join(", "), needs: "full" }]
}

function nameOf({ path, files }: ForeignPlace): string {
  return files.length > 1 ? `${path} (${files.length} files)` : path
}

/** Whether the file has text of its own beside the files that are read. */
function saysMore(path: string, root: string, read: readonly SourceFile[]): boolean {
  const identity = identityAt(path)
  if (identity === undefined || read.some((file) => file.identity === identity)) return false
  const options = { role: "foreign", trust: "full", shown: path, roots: [root], isOwn: false } as const
  const { file } = readSourceFile(path, options)
  if (file === undefined || file.text.trim() === "") return false
  return read.every(
    (other) => judgeSecondFile(file, { read: other, name: basename(other.path), imports: false }) === "other",
  )
}
