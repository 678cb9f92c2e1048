// Names of project context in another letter case. A program that looks for CLAUDE.md finds claude.md on some disks and
// not on others, so nobody may notice that the file isn't read.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import { identityAt } from "../../files/identity.ts"
import { shownPath } from "../config/configured-trust.ts"
import type { Workspace } from "../workspace.ts"
import { CONTEXT_NAMES, LOCAL_CONTEXT } from "./context.ts"

const KNOWN = [...CONTEXT_NAMES, LOCAL_CONTEXT, "SKILL.md"]

/** The name that the file of this name was probably meant to have. */
export function nameInOtherCase(path: string): string | undefined {
  const name = basename(path)
  if (KNOWN.includes(name)) return undefined
  return KNOWN.find((known) => known.toLowerCase() === name.toLowerCase())
}

/** Those of the workspace's folder and of the working directory; not where a file with a right name is read instead. */
export function misspeltContext(
  workspace: Workspace,
  directory: string | undefined,
  read: readonly SourceFile[],
): readonly AbsentFile[] {
  const folders = new Set([workspace.folder, ...(directory === undefined ? [] : [directory])])
  const identities = new Set(read.map(({ identity }) => identity))
  const found = [...folders].flatMap((folder): readonly AbsentFile[] => {
    const names = namesIn(folder)
    const isTaken = CONTEXT_NAMES.some((name) => names.includes(name))
    return names.flatMap((name) => {
      const meant = nameInOtherCase(name)
      if (meant === undefined || meant === "SKILL.md" || names.includes(meant)) return []
      if (isTaken && meant !== LOCAL_CONTEXT) return []
      const path = join(folder, name)
      if (identities.has(identityAt(path) ?? "")) return []
      const nearest = folder === workspace.folder ? shownPath(path, workspace) : path
      return [{ role: "context", path: meant, nearest }]
    })
  })
  // The first is the one that the reason names: shared instructions before private notes.
  return [
    ...found.filter(({ path }) => path !== LOCAL_CONTEXT),
    ...found.filter(({ path }) => path === LOCAL_CONTEXT),
  ]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
