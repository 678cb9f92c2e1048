// Which files say what the agent is told or may do, or what git runs, by name: a change of one is agreed to each time, as
// it may change what is agreed to from then on. Says nothing about who may read or write them.
import { basename, dirname, relative, sep } from "node:path"
import { isInside } from "../files/inside.ts"

/** Wherever they stand: some are told with the folder that they are in. */
const NAMES =
  /^(incipit\.yaml|\.git|(agents|claude)(\.\w+)?\.md|(soul|identity|tools|user|heartbeat|(append_)?system|skill)\.md)$/i
const FOLDERS = /^\.(incipit|agents|claude|pi|git)$/i
/** Only in a workspace: elsewhere these are everyday names. */
const WORKSPACE_FOLDERS = /^(rules|skills|agents|users|prompts|channels|addendums|workflows|hooks)$/i

/** Both are real paths. */
export function isOwnFile(path: string, workspace: string): boolean {
  const folders = dirname(path).split(sep)
  if (NAMES.test(basename(path)) || folders.some((name) => FOLDERS.test(name))) return true
  if (!isInside(path, workspace)) return false
  const [first = ""] = relative(workspace, path).split(sep)
  return WORKSPACE_FOLDERS.test(first)
}
