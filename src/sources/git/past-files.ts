// What a repository knows about its files: which ones it tracks, and what one of them said in earlier commits. For finding
// text that was read from them. Returns nothing where git or the repository cannot be used.
import { relative, sep } from "node:path"
import process from "node:process"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { findProgram } from "../../files/program.ts"
import { findRepository, type Repository } from "./repository.ts"
import { git } from "./run-git.ts"

const LIMIT_MS = 5000
const MOST_NAMES = 32 << 20
const MOST_TEXT = 1 << 20

export interface TrackedFiles {
  readonly root: string
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[]
}

export async function trackedFiles(folder: string): Promise<TrackedFiles | undefined> {
  const asker = gitFor(folder)
  const names = await asker?.ask(["ls-files", "-z", "--cached"], MOST_NAMES)
  if (asker === undefined || names === undefined) return undefined
  return { root: asker.repository.root, paths: names.split("\0").filter((name) => name !== "") }
}

/** The texts of a file in its last commits, newest first. */
export async function pastVersions(path: string, folder: string, most: number): Promise<readonly string[]> {
  const asker = gitFor(folder)
  if (asker === undefined || asker.repository.head === undefined || !isInside(path, asker.repository.root))
    return []
  const name = relative(asker.repository.root, path).split(sep).join("/")
  const log = ["--literal-pathspecs", "log", `-${most}`, "--format=%H", "--no-patch", "--no-show-signature"]
  const commits =
    (await asker.ask([...log, asker.repository.head, "--", name]))?.split("\n").filter(isCommit) ?? []
  const texts: string[] = []
  for (const commit of commits) {
    const text = await asker.ask(["cat-file", "blob", `${commit}:${name}`], MOST_TEXT)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text)
}

interface Git {
  readonly repository: Repository
  /** Undefined if git fails. */
  readonly ask: (args: readonly string[], mostBytes?: number) => Promise<string | undefined>
}

function gitFor(folder: string): Git | undefined {
  const repository = findRepository(folder)
  if (repository === undefined || typeof repository === "string") return undefined
  const program = findProgram("git", { path: process.env.PATH, notIn: repository.root })
  if (program === undefined) return undefined
  return {
    repository,
    async ask(args, mostBytes = MOST_NAMES) {
      try {
        return await git(program, args, { repository, limitMs: LIMIT_MS, mostBytes })
      } catch (error) {
        // A file that a commit removed, a damaged object, a slow disk: then nothing is known.
        if (errorCode(error) !== undefined || error instanceof Error) return undefined
        throw error
      }
    },
  }
}
