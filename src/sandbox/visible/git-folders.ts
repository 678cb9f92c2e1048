// Git's own folders in what commands may write: `.git`, those of submodules in it, and the one that a linked work tree
// belongs to. Commits write there. What git runs or reads as settings is fixed, because git runs on the host, too.
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf, isThere, realPath } from "../../files/real-path.ts"
import { entryAt } from "../../files/set-aside.ts"
import { findWorktree } from "../../sources/git/worktree.ts"
import { readSource } from "../../sources/read/file.ts"

export interface GitFolder {
  /** A real path. */
  readonly path: string
  /** Existing files and folders in it that may not change. */
  readonly fixed: readonly string[]
}

/**
 * What git reads as settings or runs. `commondir` and `gitdir` say where the rest of a repository is, `config.worktree`
 * may hold settings if `config` says so, `info/attributes` names filters, and `remotes` and `branches` where to fetch.
 */
const FIXED = ["config", "config.worktree", "commondir", "gitdir", "hooks", "info", "remotes", "branches"]
/** Folders with more of git's own folders. */
const NESTED = ["modules", "worktrees"]
/** One of them is enough: a command cannot remove all of them. */
const SIGNS = ["HEAD", "config", "commondir", "hooks"]
/** Always there in a repository, so that one without them has them made: their place is then taken. */
const MADE = ["hooks", "info"]

/**
 * The repository of a `.git`, and those inside it. It may be a link or name another folder. Empty if that is outside of
 * `folders`, unless it is a repository that knows this work tree: a file from elsewhere could name any folder.
 */
export function gitFolderAt(path: string, folders: readonly string[]): readonly GitFolder[] {
  const entry = entryAt(path)
  if (entry === undefined) return []
  const target = isFolder(path) ? existingPathOf(path) : linkedFolder(path)
  if (target === undefined) return []
  const isOwn = target === path || (isAmong(target, folders) && isThere(join(target, "HEAD")))
  if (isOwn) return [...repositoriesIn(target), ...chosenHooks(target, { workTree: dirname(path), folders })]
  if (entry.target !== undefined) return []
  const { main } = findWorktree(dirname(path)) ?? {}
  const common = main === undefined ? undefined : join(main, ".git")
  return common !== undefined && target.startsWith(`${common}/worktrees/`) ? repositoriesIn(common) : []
}

function isAmong(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path !== folder && isInside(path, folder))
}

interface Checkout {
  readonly workTree: string
  readonly folders: readonly string[]
}

/** A folder of hooks that the settings name. They are fixed themselves, so it stays the same. */
function chosenHooks(path: string, { workTree, folders }: Checkout): readonly GitFolder[] {
  const found = readSource(join(path, "config"), { roots: [path], shown: "config" })
  const [, written] = (found.kind === "read" && /hookspath\s*=\s*"?([^"\n;#]+)/i.exec(found.text)) || []
  if (written === undefined) return []
  const hooks = realPath(resolve(workTree, written.trim()))
  return isAmong(hooks, folders) && !isInside(workTree, hooks) ? [{ path, fixed: [hooks] }] : []
}

/** Whatever is missing in it: a command may have removed all but what is fixed, to have it taken for something else. */
function repositoriesIn(path: string): readonly GitFolder[] {
  for (const name of MADE) makeFolder(join(path, name))
  const inner = NESTED.flatMap((name) => below(join(path, name)))
  const fixed = FIXED.map((name) => join(path, name)).filter(isThere)
  return [{ path, fixed }, ...inner]
}

/** Names of submodules may have slashes, so that folders lie between. */
function below(folder: string): readonly GitFolder[] {
  if (!isFolder(folder)) return []
  const found = foldersIn(folder)
  if (found === undefined) return [{ path: folder, fixed: [folder] }]
  const inner = found.flatMap((path) =>
    SIGNS.some((name) => isThere(join(path, name))) ? repositoriesIn(path) : below(path),
  )
  return [{ path: folder, fixed: [] }, ...inner]
}

/** What is new among the names that are fixed. */
export function unlistedIn(path: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  return FIXED.map((name) => join(path, name)).filter((one) => !known.has(one) && isThere(one))
}

/** Undefined if it may not be read: what is in it could be found by name. */
function foldersIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return errorCode(error) === "EACCES" ? undefined : []
  }
}

function makeFolder(path: string): void {
  try {
    if (!isThere(path)) mkdirSync(path)
  } catch (error) {
    // A repository that cannot be written to cannot be written to by a command either.
    if (errorCode(error) === undefined) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Where a `.git` file says that the repository is. */
function linkedFolder(path: string): string | undefined {
  const folder = dirname(path)
  const found = readSource(path, { roots: [folder], shown: basename(path) })
  const [, written] = (found.kind === "read" && /^gitdir: (.+)$/m.exec(found.text)) || []
  return written === undefined ? undefined : existingPathOf(resolve(folder, written))
}
