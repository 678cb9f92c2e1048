// Reads the files of a workspace, each for one role. The gate and `prompt.files` decide how much trust a file needs.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"
import type { Gate } from "../files/gate/gate.ts"
import { strictest } from "../files/gate/requirement.ts"
import { configuredTrust, shownPath } from "./config/configured-trust.ts"
import { type FileOptions, readSourceFile, underGuard } from "./read/source-file.ts"
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
  readonly gate: Gate
}

/**
 * Reads files of the workspace and of its folders in the home folder, and collects diagnostics about them. `person`: whose
 * private files may be sent.
 */
export function fileReader(workspace: Workspace, person?: string): FileReader {
  const diagnostics: Diagnostic[] = []
  const roots = rootsOf(workspace)
  const gate = workspaceGate(workspace)
  const read = (path: string, convention: Convention): SourceFile | undefined => {
    const shown = shownPath(path, workspace)
    const options: FileOptions = {
      ...convention,
      ...configured(path, workspace, diagnostics),
      shown,
      roots,
      isOwn: true,
    }
    const found = readSourceFile(path, options, workspace.cache.files)
    if (found.file === undefined && found.diagnostics.length === 0) return undefined
    const least = convention.least && { trust: convention.least }
    const guarded = underGuard(found, strictest([gate.guardUnder(path, person), least]))
    diagnostics.push(...guarded.diagnostics)
    return guarded.file
  }
  return Object.assign(read, { diagnostics, gate })
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
