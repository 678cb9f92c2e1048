// The folders that a configuration gives its agent in addition to its own, and which of them are outside the workspace.
// Whether those may be used is decided elsewhere.
import { resolve } from "node:path"
import { isInside } from "../../files/inside.ts"
import { fromHome, realPath } from "../../files/real-path.ts"
import type { Workspace } from "../workspace.ts"

export interface NamedDirectory {
  /** As written in the configuration. */
  readonly name: string
  readonly path: string
  /** With links resolved, as far as it exists. */
  readonly real: string
  readonly isOutside: boolean
}

export function namedDirectories(
  workspace: Pick<Workspace, "config" | "root" | "home">,
): readonly NamedDirectory[] {
  return [...new Set(workspace.config.directories)].map((name) => {
    const path = resolve(workspace.root, fromHome(name, workspace.home))
    const real = realPath(path)
    return { name, path, real, isOutside: !isInside(real, workspace.root) }
  })
}
