// The state of the repository around a folder: branch, changes, recent commits. A repository may come from someone
// else, so git runs without its configuration (run-git.ts). On any failure there is no state and one diagnostic; there
// is no fallback.
import { lstatSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { errorCode } from "../../base/system-error.ts"
import type { GitState } from "../../core/model/inputs.ts"
import { GIT_TRUST } from "../../core/view/view.ts"
import { APPEND_SYSTEM_FILE, INCIPIT_FOLDER, SYSTEM_FILE } from "../../files/paths.ts"
import { findProgram } from "../../files/program.ts"
import { inspectText } from "../read/inspect.ts"
import { findRepository, type Repository } from "./repository.ts"
import { configuredLimit, git, isFile, NO_LIMIT } from "./run-git.ts"

export interface GitFound {
  readonly state: GitState | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads branch, status and recent commits of a folder, without running its Git configuration. Runs the queries in
 * parallel; the caller can do other work until they finish.
 */
export async function gitState(directory: string, { limitMs = configuredLimit() } = {}): Promise<GitFound> {
  const found = findRepository(directory)
  if (found === undefined) return { state: undefined, diagnostics: [] }
  if (typeof found === "string") return unavailable(directory, found)
  if (limitMs === undefined) return unavailable(directory, NO_LIMIT)
  const program = findProgram("git", { path: process.env.PATH, notIn: found.root })
  if (program === undefined) return unavailable(directory, "git is not installed")
  const ask = (args: readonly string[]) => git(program, args, { repository: found, limitMs })
  try {
    const [log, staged, unstaged] = await Promise.all([
      found.head === undefined ? "" : ask(["log", ...LOG, found.head]),
      ask(["diff", ...STAGED, found.head ?? EMPTY_TREE]),
      ask(["ls-files", ...UNSTAGED, ...excludesOf(found)]),
    ])
    const own = namesIn(unstaged).filter((name) => !isSubmodule(join(found.root, name)))
    const dirty = new Set([...namesIn(staged), ...own]).size
    return foundState(directory, { branch: found.branch, dirty, commits: namesIn(log) })
  } catch (error) {
    return unavailable(directory, reasonOf(error))
  }
}

const LOG = ["-z", "-3", "--format=%h %s", "--no-patch", "--no-notes", "--no-mailmap", "--no-show-signature"]
/**
 * Submodules are separate repositories and are not entered. Only exact renames: detecting others makes git read every
 * file.
 */
const STAGED = [
  ...["--cached", "-z", "--name-only", "-M100%", "--ignore-submodules=all"],
  ...["--no-ext-diff", "--no-textconv"],
]
/**
 * Unlike `diff`, `ls-files` compares the content of a file whose times changed, and does not write the times that it
 * found to the index.
 */
const UNSTAGED = [
  ...["-z", "--modified", "--others", "--directory", "--no-empty-directory", "--exclude-standard"],
  // Files that Incipit writes in a workspace are not the user's changes; files that the user writes there are.
  `--exclude=**/${INCIPIT_FOLDER}/*`,
  ...[SYSTEM_FILE, APPEND_SYSTEM_FILE].map((path) => `--exclude=!**/${path}`),
]
/** Git knows this object without having it. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

/** Ignore files that git would find through the configuration it does not see. */
function excludesOf({ commonDir }: Repository): readonly string[] {
  const { XDG_CONFIG_HOME, HOME } = process.env
  const config = XDG_CONFIG_HOME || (HOME && join(HOME, ".config"))
  const lists = [join(commonDir, "info", "exclude"), ...(config ? [join(config, "git", "ignore")] : [])]
  return lists.filter(isFile).map((path) => `--exclude-from=${path}`)
}

/** Git writes a slash after the name of a new folder, but not after that of a submodule. */
function isSubmodule(path: string): boolean {
  return !path.endsWith("/") && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function namesIn(text: string): readonly string[] {
  return text.split("\0").filter((name) => name !== "")
}

const MOST_CHARACTERS = 200

/** Commit subjects and branch names are untrusted text. */
function foundState(directory: string, { branch, dirty, commits }: GitState): GitFound {
  const path = join(directory, ".git")
  const seen = [branch, ...commits].map((text) => {
    const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
    const inspected = inspectText(line, { path, firstLine: 1, isOwn: false })
    const characters = [...inspected.text]
    const isLong = characters.length > MOST_CHARACTERS
    const short = isLong ? `${characters.slice(0, MOST_CHARACTERS).join("")}...` : inspected.text
    return { text: short, diagnostics: inspected.diagnostics }
  })
  const [name = "", ...subjects] = seen.map(({ text }) => text)
  const diagnostics = seen.flatMap((one) => one.diagnostics).map((one) => ({ ...one, needs: GIT_TRUST }))
  return { state: { branch: name, dirty, commits: subjects }, diagnostics }
}

function unavailable(directory: string, reason: string): GitFound {
  return {
    state: undefined,
    diagnostics: [{ code: "git-unavailable", path: directory, reason, needs: GIT_TRUST }],
  }
}

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "too many files changed"
  return code === "ABORT_ERR" ? "it took too long" : (code ?? "git failed")
}
