// The folders that a configuration gives its agent in addition to its own, and which of them are outside the workspace.
// Whether those may be used is decided elsewhere.
import { realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import type { Workspace } from "../workspace.ts"

export interface NamedDirectory {
  /** As written in the configuration. */
  readonly name: string
  readonly path: string
  /** With links resolved; the path itself while it does not exist. */
  readonly real: string
  readonly isOutside: boolean
}

export function namedDirectories(
  workspace: Pick<Workspace, "config" | "root" | "home">,
): readonly NamedDirectory[] {
  return [...new Set(workspace.config.directories)].map((name) => {
    const path = expandHome(name, workspace)
    const real = realOf(path)
    return { name, path, real, isOutside: !isInside(real, workspace.root) }
  })
}

/** A path that starts with ~ is below the home folder; any other is relative to the configuration. */
function expandHome(path: string, { home, root }: Pick<Workspace, "home" | "root">): string {
  if (home !== undefined && /^~(\/|$)/.test(path)) return join(home, path.slice(1))
  return resolve(root, path)
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return path
  }
}
