// The git work tree that a folder is in, and the main checkout if the work tree is linked. Only looks at `.git`; runs
// no git.
import { statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { realPath } from "../../files/real-path.ts"
import { readSource } from "../read/file.ts"

export interface Worktree {
  readonly root: string
  /** The checkout that this one is linked to by `git worktree add`. */
  readonly main: string | undefined
}

/** Takes a real path. Returns undefined if no folder above has a `.git`. */
export function findWorktree(directory: string): Worktree | undefined {
  const root = upward(directory).find((folder) => gitOf(folder) !== undefined)
  return root === undefined ? undefined : { root, main: mainOf(root) }
}

/** The folder and all its parents, nearest first. */
export function upward(directory: string): readonly string[] {
  const folders = [directory]
  for (let at = directory; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at))
  return folders
}

function gitOf(folder: string): "folder" | "file" | undefined {
  try {
    const stat = statSync(join(folder, ".git"), { throwIfNoEntry: false })
    if (stat?.isDirectory()) return "folder"
    return stat?.isFile() ? "file" : undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/**
 * Both sides must agree, as `git worktree add` leaves them: a `.git` file from an archive could name any checkout and
 * would hide its instructions.
 */
function mainOf(root: string): string | undefined {
  if (gitOf(root) !== "file") return undefined
  const link = join(root, ".git")
  const [, written] = /^gitdir: (.+)$/m.exec(readGitText(link, root)) ?? []
  if (written === undefined) return undefined
  const entry = realPath(resolve(root, written))
  // Any other name is a bare repository, which has no checkout.
  const git = dirname(dirname(entry))
  if (basename(git) !== ".git") return undefined
  const back = readGitText(join(entry, "gitdir"), entry).trimEnd()
  return realPath(resolve(entry, back)) === link ? dirname(git) : undefined
}

/** Uses the safe reader: a `.git` that is a pipe must not block us. */
function readGitText(path: string, folder: string): string {
  const found = readSource(path, { roots: [folder], shown: path })
  return found.kind === "read" ? found.text : ""
}
