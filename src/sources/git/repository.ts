// The repository around a folder, found by reading files: where its parts are, its branch and its newest commit. Runs no
// git and reads no configuration. Only what `.git` itself holds counts: a link that leads out of it, or a `.git` that
// names a repository which does not name it back, could belong to somebody else. A folder that merely looks like a bare
// repository is none.
import { lstatSync, type Stats, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import process from "node:process"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"
import { readSource } from "../read/file.ts"
import { upward } from "./worktree.ts"

export interface Repository {
  /** The folder that has the `.git`; a real path, as all of these. */
  readonly root: string
  /** HEAD and the index; of a linked work tree its own. */
  readonly gitDir: string
  /** Objects and refs. */
  readonly commonDir: string
  /** "detached" if HEAD is at no branch. */
  readonly branch: string
  /** Undefined before the first commit. */
  readonly head: string | undefined
}

/** Undefined: there is none. A string: why it is not used. */
export function findRepository(directory: string): Repository | string | undefined {
  const start = existingPathOf(directory)
  if (start === undefined) return undefined
  const root = upward(start).find((folder) => entryAt(join(folder, ".git")) !== undefined)
  if (root === undefined) return undefined
  const entry = entryAt(join(root, ".git"))
  if (entry === undefined) return undefined
  if (isStrangers(root, entry)) return "it belongs to another user, in a folder that everybody may write to"
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

/** As `git worktree add` and `git submodule add` leave it. */
function linkedPlaces(root: string): Places | undefined {
  const [, written] = /^gitdir: (.+)$/m.exec(textOf(join(root, ".git"), root) ?? "") ?? []
  const gitDir = written === undefined ? undefined : existingPathOf(resolve(root, written))
  if (gitDir === undefined) return undefined
  const back = textOf(join(gitDir, "gitdir"), gitDir)?.trimEnd()
  if (back !== undefined && basename(dirname(gitDir)) === "worktrees") {
    const isOurs = existingPathOf(resolve(gitDir, back)) === join(root, ".git")
    return isOurs ? { gitDir, commonDir: dirname(dirname(gitDir)) } : undefined
  }
  // A submodule's repository is kept by the one around it.
  const isKept = upward(dirname(root)).some((folder) => isInside(gitDir, join(folder, ".git", "modules")))
  return isKept ? { gitDir, commonDir: gitDir } : undefined
}

/** What could lead git out of the repository, or make it wait. */
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
  const written = textOf(join(places.gitDir, "HEAD"), places.gitDir)?.trim()
  if (written === undefined) return "HEAD cannot be read"
  if (isDigest(written)) return { root, ...places, branch: "detached", head: written }
  const ref = refIn(written)
  if (ref === undefined) return "HEAD is neither a branch nor a commit"
  const head = commitAt(ref, places.commonDir)
  if (head === "unreadable") return `${ref} cannot be read`
  return { root, ...places, branch: ref.replace(/^refs\/heads\//, ""), head }
}

const MOST_LINKS = 5
/** A line for each ref; large projects have tens of thousands. */
const PACKED_BYTES = 16 * 1024 * 1024

function commitAt(ref: string, commonDir: string): string | "unreadable" | undefined {
  let at = ref
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const path = join(commonDir, at)
    // Of "a" there is a folder if there is a branch "a/b": then it is not a ref of its own.
    const isLoose = entryAt(path)?.isDirectory() === false
    const text = isLoose ? textOf(path, commonDir)?.trim() : undefined
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
  const text = textOf(path, commonDir, PACKED_BYTES)
  if (text === undefined) return "unreadable"
  const line = text.split("\n").find((one) => one.endsWith(` ${ref}`))
  const digest = line?.slice(0, line.indexOf(" "))
  return digest === undefined || isDigest(digest) ? digest : "unreadable"
}

function isDigest(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** As git allows names, so that none leads out of the folder or writes a line of the prompt. */
function refIn(text: string): string | undefined {
  const [, ref] = /^ref: *(refs\/[^\s]{1,500})$/.exec(text) ?? []
  if (ref === undefined || /\p{Cc}|[~^:?*[\\]|\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)|[/.]$/u.test(ref))
    return undefined
  return ref
}

/** Anybody could have put a repository there, with a history that is then told to the model. */
function isStrangers(root: string, entry: Stats): boolean {
  const me = process.getuid?.()
  return me !== undefined && entry.uid !== me && (statSync(root).mode & 0o002) !== 0
}

function textOf(path: string, folder: string, limit?: number): string | undefined {
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
