// How the configuration names files, and the trust that `prompt.files` gives one of them.
import { join, posix, relative, sep } from "node:path"
import { isTrust, type Trust } from "../../base/trust.ts"
import type { Workspace } from "../workspace.ts"

type Named = Pick<Workspace, "root" | "folder" | "home" | "homes" | "config">

export interface ConfiguredTrust {
  readonly trust: Trust
  /** What stands there, if that is no trust. */
  readonly unknown?: string
}

/** In the folder of whichever agent reads it. A trust that does not exist counts as full. */
export function configuredTrust(path: string, workspace: Named): ConfiguredTrust | undefined {
  const shown = shownPath(path, workspace)
  const own = relative(workspace.folder, path).split(sep).join("/")
  const entry = workspace.config.prompt?.files?.find((file) => {
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
  const inHome = home !== undefined && homes.some((name) => path.startsWith(join(home, name) + sep))
  const shown = inHome ? join("~", relative(home, path)) : relative(root, path)
  return shown === "" ? "the workspace" : shown.split(sep).join("/")
}

/** A path of the configuration as files are named: `./NOTES.md` is NOTES.md. */
export function listedPath(path: string): string {
  return posix.normalize(path)
}
