// How the configuration names files, and which trust `prompt.files` gives them.
import { join, posix, relative, sep } from "node:path"
import { isTrust, type Trust } from "../../base/trust.ts"
import { isInside } from "../../files/inside.ts"
import type { Workspace } from "../workspace.ts"

type Named = Pick<Workspace, "root" | "folder" | "home" | "homes" | "config">

export interface ConfiguredTrust {
  readonly trust: Trust
  /** The value as written, if it is not a trust level. */
  readonly unknown?: string
}

/** Resolved in the folder of the agent that reads it. An unknown trust level counts as full. */
export function configuredTrust(path: string, workspace: Named): ConfiguredTrust | undefined {
  const { files = [] } = workspace.config.prompt ?? {}
  if (files.length === 0) return undefined
  const shown = shownPath(path, workspace)
  const own = relative(workspace.folder, path).split(sep).join("/")
  const entry = files.find((file) => {
    const name = listedPath(file.path)
    return name === shown || name === own || (own.startsWith("users/") && own.endsWith(`/${name}`))
  })
  if (entry?.trust === undefined) return undefined
  return isTrust(entry.trust) ? { trust: entry.trust } : { trust: "full", unknown: entry.trust }
}

/** Relative to the workspace, or to the home folder as `~`, with forward slashes. */
export function shownPath(
  path: string,
  { root, home, homes }: Pick<Workspace, "root" | "home" | "homes">,
): string {
  const inHome = home !== undefined && homes.some((name) => isInside(path, join(home, name)))
  const shown = inHome ? join("~", relative(home, path)) : relative(root, path)
  return shown === "" ? "the workspace" : shown.split(sep).join("/")
}

/** Normalizes a path from the configuration: `./NOTES.md` becomes NOTES.md. */
export function listedPath(path: string): string {
  return posix.normalize(path)
}
