// Files that determine the agent's prompt or permissions, or that git, a shell or an editor runs automatically, by
// name. Every change to one needs approval, as it may change what needs approval later. Does not decide who may read or
// write them.
import { basename, dirname, relative, sep } from "node:path"
import { isInside } from "../../files/inside.ts"

/** In any folder: some are sent together with the folder they are in. */
const NAMES =
  /^(incipit\.yaml|\.git|(agents|claude)(\.\w+)?\.md|(soul|identity|tools|user|heartbeat|(append_)?system|skill)\.md)$/i
/** Files that run when a shell, git or ssh starts: a workspace may be the home folder. */
const STARTED =
  /^\.(bash(rc|_profile|_login|_logout|_aliases)|profile|z(shrc|shenv|profile|login|logout)|xprofile|xsessionrc|envrc|gitconfig|gitmodules|gitattributes|npmrc|pam_environment)$/i
const FOLDERS = /^\.(incipit|agents|claude|pi|git|husky|githooks|vscode|idea|ssh)$/i
/** Inside `.config`. */
const CONFIG_FOLDERS = /^(git|fish|autostart|systemd|environment\.d)$/i
/** Only in a workspace: elsewhere these are everyday names. */
const WORKSPACE_FOLDERS = /^(rules|skills|agents|users|prompts|channels|addendums|workflows|hooks)$/i

/** Both are real paths. */
export function isProtectedFile(path: string, workspace: string): boolean {
  const folders = dirname(path).split(sep)
  const name = basename(path)
  if (NAMES.test(name) || STARTED.test(name) || folders.some((one) => FOLDERS.test(one))) return true
  if (folders.some((one, at) => one === ".config" && CONFIG_FOLDERS.test(folders[at + 1] ?? ""))) return true
  if (!isInside(path, workspace)) return false
  const [first = ""] = relative(workspace, path).split(sep)
  return WORKSPACE_FOLDERS.test(first)
}
