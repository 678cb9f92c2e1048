// Where the walk to the working directory starts.
import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import type { Workspace } from "../workspace.ts"

/**
 * The workspace, if it has an incipit.yaml and the working directory is in it: then the folder describes an agent, which
 * may talk with others, and what is above belongs to somebody's project. Undefined for any other directory, which gets
 * the context of all folders above it, as with coding agents.
 */
export function contextTop(
  { root, isFolder }: Pick<Workspace, "root" | "isFolder">,
  directory: string,
): string | undefined {
  if (!isFolder || !isInside(realPath(resolve(directory)), root)) return undefined
  return statSync(join(root, "incipit.yaml"), { throwIfNoEntry: false }) === undefined ? undefined : root
}
