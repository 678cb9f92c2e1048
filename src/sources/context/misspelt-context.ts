// Project context that nobody may notice isn't read: names in another letter case, which a program finds on some disks
// and not on others, and links to files that are gone.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { errorCode } from "../../base/system-error.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import { identityAt } from "../../files/identity.ts"
import { shownPath } from "../config/configured-trust.ts"
import { probe } from "../read/imports.ts"
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

/** Links that lead nowhere, in the same folders. The workspace's own AGENTS.md is read with its other files. */
export function brokenContext(workspace: Workspace, directory: string | undefined): readonly Diagnostic[] {
  const folders = new Set([workspace.folder, ...(directory === undefined ? [] : [directory])])
  return [...folders].flatMap((folder) => {
    const names = namesIn(folder)
    return [...CONTEXT_NAMES, LOCAL_CONTEXT].flatMap((name): readonly Diagnostic[] => {
      const path = join(folder, name)
      const isOwn = folder === workspace.folder && name === "AGENTS.md"
      if (isOwn || !names.includes(name) || probe(path) !== undefined) return []
      const shown = folder === workspace.folder ? shownPath(path, workspace) : path
      return [{ code: "file-gone", path: shown, needs: "full" }]
    })
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
