// Reads the files of a workspace, each for one role. The gate and `prompt.files` decide how much trust a file needs.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Trust } from "../base/trust.ts"
import type { AbsentFile, SourceFile } from "../core/model/source.ts"
import type { Gate } from "../files/gate/gate.ts"
import { strictest } from "../files/gate/requirement.ts"
import { identityAt } from "../files/identity.ts"
import { isThere } from "../files/real-path.ts"
import { configuredTrust, shownPath } from "./config/configured-trust.ts"
import { documentsFolder, readPlace } from "./documents.ts"
import { namesBeside, nearestTo } from "./nearest-name.ts"
import { type FileFound, type FileOptions, readSourceFile, underGuard } from "./read/source-file.ts"
import { rootsOf, type Workspace } from "./workspace.ts"
import { workspaceGate } from "./workspace-gate.ts"

/** A file with a role, and the trust it requires unless its frontmatter says otherwise. */
export interface Convention {
  readonly role: string
  readonly trust: Trust
  /** Comments at the top are for people and are not sent. */
  readonly stripComments?: boolean
  /** Sends the frontmatter with the rest. */
  readonly sendsFrontMatter?: boolean
  /** It has no frontmatter. */
  readonly isData?: boolean
  /** The minimum trust, whatever the file declares. */
  readonly least?: Trust
}

export type FileReader = ((path: string, convention: Convention) => SourceFile | undefined) & {
  readonly diagnostics: Diagnostic[]
  /** What it was asked for and did not find. */
  readonly absent: AbsentFile[]
  readonly gate: Gate
}

/**
 * Reads files of the workspace and of its folders in the home folder, and collects diagnostics about them. `person`: whose
 * private files may be sent.
 */
export function fileReader(workspace: Workspace, person?: string): FileReader {
  const diagnostics: Diagnostic[] = []
  const absent: AbsentFile[] = []
  const beside = namesBeside()
  const roots = rootsOf(workspace)
  const gate = workspaceGate(workspace)
  const read = (path: string, convention: Convention): SourceFile | undefined => {
    const shown = shownPath(path, workspace)
    const place = readPlace(workspace, path)
    const options: FileOptions = {
      ...convention,
      ...configured(path, workspace, diagnostics),
      shown,
      roots: place === path ? roots : [documentsFolder(workspace)],
      isOwn: true,
    }
    const found = named(readSourceFile(place, options, workspace.cache.files), { path, place })
    if (found.file === undefined && found.diagnostics.length === 0) {
      if (isThere(place)) diagnostics.push({ code: "file-gone", path: shown, needs: "full" })
      absent.push({ role: convention.role, path: shown, ...nearestTo(path, shown, beside) })
      return undefined
    }
    const least = convention.least && { trust: convention.least }
    // A copy has no other names, and declares for itself what it requires.
    const guard = place === path ? gate.guardUnder(path, person) : undefined
    const guarded = underGuard(found, strictest([guard, least]))
    diagnostics.push(...guarded.diagnostics)
    return guarded.file
  }
  return Object.assign(read, { diagnostics, absent, gate })
}

/** Instructions count as one file with those of the folder, so that they are not sent twice as project context. */
function named(found: FileFound, { path, place }: Readonly<Record<"path" | "place", string>>): FileFound {
  const { file } = found
  if (place === path || file === undefined || file.role === "memory") return found
  const identity = identityAt(path)
  return identity === undefined ? found : { ...found, file: { ...file, identity } }
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
