// Finds the repository around a folder by reading files: where its parts are, its branch and its newest commit. Runs no
// git and reads no configuration. Only what is inside `.git` counts: a link that leads out of it, or a `.git` file
// naming a repository that does not name it back, could belong to someone else. A folder that merely looks like a bare
// repository is not one.
import { lstatSync, type Stats, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import process from "node:process"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { readSource } from "../read/file.ts"
import { upward } from "./worktree.ts"

export interface Repository {
  /** The folder that contains `.git`. This and the following are real paths. */
  readonly root: string
  /** Holds HEAD and the index; a linked work tree has its own. */
  readonly gitDir: string
  /** Holds objects and refs. */
  readonly commonDir: string
  /** "detached" if HEAD is not on a branch. */
  readonly branch: string
  /** Undefined before the first commit. */
  readonly head: string | undefined
}

/** Returns undefined if there is none; a string says why it is not used. */
export function findRepository(directory: string): Repository | string | undefined {
  const start = existingPathOf(directory)
  if (start === undefined) return undefined
  const root = upward(start).find((folder) => entryAt(join(folder, ".git")) !== undefined)
  if (root === undefined) return undefined
  const entry = entryAt(join(root, ".git"))
  if (entry === undefined) return undefined
  if (isStrangers(root, entry)) return "it belongs to another user, in a folder that anyone can write to"
  const places = entry.isDirectory() ? ownPlaces(root) : entry.isFile() ? linkedPlaces(root) : undefined
  if (places === undefined) return ".git is neither a folder nor a link that its repository confirms"
  return problemIn(places) ?? withHead(root, places)
}

interface Places {
  readonly gitDir: string
  readonly commonDir: string
}

function ownPlaces(root: string): Places {
  const gitDir = join(root, ".git")
  return { gitDir, commonDir: gitDir }
}

/** In the layout that `git worktree add` and `git submodule add` create. */
function linkedPlaces(root: string): Places | undefined {
  const [, written] = /^gitdir: (.+)$/m.exec(readGitText(join(root, ".git"), root) ?? "") ?? []
  const gitDir = written === undefined ? undefined : existingPathOf(resolve(root, written))
  if (gitDir === undefined) return undefined
  const back = readGitText(join(gitDir, "gitdir"), gitDir)?.trimEnd()
  if (back !== undefined && basename(dirname(gitDir)) === "worktrees") {
    const isOurs = existingPathOf(resolve(gitDir, back)) === join(root, ".git")
    return isOurs ? { gitDir, commonDir: dirname(dirname(gitDir)) } : undefined
  }
  // A submodule's repository is inside the `.git` of the repository around it.
  const isKept = upward(dirname(root)).some((folder) => isInside(gitDir, join(folder, ".git", "modules")))
  return isKept ? { gitDir, commonDir: gitDir } : undefined
}

/** Anything that could lead git out of the repository, or make it block. */
function problemIn({ gitDir, commonDir }: Places): string | undefined {
  const index = entryAt(join(gitDir, "index"))
  if (index !== undefined && !index.isFile()) return "its index is not a regular file"
  const objects = join(commonDir, "objects")
  if (entryAt(objects)?.isDirectory() !== true) return "it has no folder of objects"
  for (const folder of ["info", "pack"]) {
    const entry = entryAt(join(objects, folder))
    if (entry !== undefined && !entry.isDirectory()) return `objects/${folder} is not a folder`
  }
  if (entryAt(join(objects, "info", "alternates")) !== undefined)
    return "it borrows objects of another repository (objects/info/alternates)"
  if (entryAt(join(commonDir, "reftable")) !== undefined) return "its refs are in a reftable"
  return undefined
}

function withHead(root: string, places: Places): Repository | string {
  const written = readGitText(join(places.gitDir, "HEAD"), places.gitDir)?.trim()
  if (written === undefined) return "HEAD cannot be read"
  if (isDigest(written)) return { root, ...places, branch: "detached", head: written }
  const ref = refIn(written)
  if (ref === undefined) return "HEAD is neither a branch nor a commit"
  const head = commitAt(ref, places.commonDir)
  if (head === "unreadable") return `${ref} cannot be read`
  return { root, ...places, branch: ref.replace(/^refs\/heads\//, ""), head }
}

/**
 * The commit that a branch, a branch of a remote, a tag or a digest names. Returns undefined if there is none. A tag
 * may lead to an object that names the commit, which git follows.
 */
export function commitNamed({ commonDir, gitDir, head }: Repository, name: string): string | undefined {
  if (name === "HEAD") return head
  if (isDigest(name)) return name
  const full = name.startsWith("refs/") ? [name] : PLACES.map((place) => `${place}${name}`)
  for (const ref of full) {
    if (refIn(`ref: ${ref}`) === undefined) continue
    const own = commitAt(ref, commonDir)
    const found = own === undefined && gitDir !== commonDir ? commitAt(ref, gitDir) : own
    if (found !== undefined && found !== "unreadable") return found
  }
  return undefined
}

/** In the order in which a name is tried. */
const PLACES = ["refs/heads/", "refs/remotes/", "refs/tags/"]

const MOST_LINKS = 5
/** One line for each ref; large projects have tens of thousands. */
const PACKED_BYTES = 16 * 1024 * 1024

function commitAt(ref: string, commonDir: string): string | "unreadable" | undefined {
  let at = ref
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const path = join(commonDir, at)
    // "a" is a folder if there is a branch "a/b"; then it is not a loose ref.
    const isLoose = entryAt(path)?.isDirectory() === false
    const text = isLoose ? readGitText(path, commonDir)?.trim() : undefined
    if (isLoose && text === undefined) return "unreadable"
    if (text === undefined) return packedCommit(at, commonDir)
    if (isDigest(text)) return text
    const next = refIn(text)
    if (next === undefined) return "unreadable"
    at = next
  }
  return "unreadable"
}

function packedCommit(ref: string, commonDir: string): string | "unreadable" | undefined {
  const path = join(commonDir, "packed-refs")
  if (entryAt(path) === undefined) return undefined
  const text = readGitText(path, commonDir, PACKED_BYTES)
  if (text === undefined) return "unreadable"
  const line = text.split("\n").find((one) => one.endsWith(` ${ref}`))
  const digest = line?.slice(0, line.indexOf(" "))
  return digest === undefined || isDigest(digest) ? digest : "unreadable"
}

function isDigest(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** Accepts only names that git allows, so that none leads out of the folder or injects a line into the prompt. */
function refIn(text: string): string | undefined {
  const [, ref] = /^ref: *(refs\/[^\s]{1,500})$/.exec(text) ?? []
  if (ref === undefined || /\p{Cc}|[~^:?*[\\]|\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)|[/.]$/u.test(ref))
    return undefined
  return ref
}

/** Another user could have put a repository there, whose history would then reach the model. */
function isStrangers(root: string, entry: Stats): boolean {
  const me = process.getuid?.()
  return me !== undefined && entry.uid !== me && (statSync(root).mode & 0o002) !== 0
}

function readGitText(path: string, folder: string, limit?: number): string | undefined {
  const found = readSource(path, { roots: [folder], shown: path, ...(limit !== undefined && { limit }) })
  return found.kind === "read" ? found.text : undefined
}

/** Links are not followed. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
