// Git's own folders in what commands may write: `.git`, those of submodules in it, and the one that a linked work tree
// belongs to. Commits write there. What git runs or reads as settings is fixed, because git runs on the host, too.
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { existingPathOf, isThere } from "../../files/real-path.ts"
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
 * may hold settings if `config` says so, and `info/attributes` names filters.
 */
const FIXED = ["config", "config.worktree", "commondir", "gitdir", "hooks", "info"]
/** Folders with more of git's own folders. */
const NESTED = ["modules", "worktrees"]
/** One of them is enough: a command cannot remove all of them. */
const SIGNS = ["HEAD", "config", "commondir", "hooks"]
/** Always there in a repository, so that one without them has them made: their place is then taken. */
const MADE = ["hooks", "info"]

/**
 * The repository of a `.git`, and those inside it. Empty for a link, and for a file that names a folder outside of
 * `folders`, unless that folder is a repository that knows this work tree: a file from elsewhere could name any folder.
 */
export function gitFolderAt(path: string, folders: readonly string[]): readonly GitFolder[] {
  const entry = entryAt(path)
  if (entry === undefined || entry.target !== undefined) return []
  if (isFolder(path)) return repositoriesIn(path)
  const target = linkedFolder(path)
  if (target === undefined || folders.some((folder) => target.startsWith(`${folder}/`))) return []
  const { main } = findWorktree(dirname(path)) ?? {}
  const common = main === undefined ? undefined : join(main, ".git")
  return common !== undefined && target.startsWith(`${common}/worktrees/`) ? repositoriesIn(common) : []
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
  const inner = foldersIn(folder).flatMap((path) =>
    SIGNS.some((name) => isThere(join(path, name))) ? repositoriesIn(path) : below(path),
  )
  return [{ path: folder, fixed: [] }, ...inner]
}

/** What is new among the names that are fixed. */
export function unlistedIn(path: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  return FIXED.map((name) => join(path, name)).filter((one) => !known.has(one) && isThere(one))
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
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
