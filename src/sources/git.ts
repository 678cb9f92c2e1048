// The state of the repository around a folder: branch, changes, last commits. Bounded in time, and without running
// anything that the repository itself names: hooks, monitors and filters of a folder may be somebody else's code.

import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Diagnostic } from "../core/diagnostic.ts"
import type { GitState } from "../core/scope.ts"
import { errorCode } from "../core/system-error.ts"

export interface GitFound {
  readonly state: GitState | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** A prompt must not wait for a slow disk. */
const TIMEOUT_MS = 1_000
const SAFE = [
  "--no-optional-locks",
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"],
]

/** The two questions are asked at once, so that a caller can do other things meanwhile. */
export async function gitState(directory: string): Promise<GitFound> {
  if (!isRepository(directory)) return { state: undefined, diagnostics: [] }
  try {
    const log = git(directory, ["log", "-3", "--format=%h %s"]).catch(withoutAny)
    // To see whether a file has changed git runs its filter, and asks within submodules, which have filters of their own.
    const status = git(directory, STATUS, await withoutFilters(directory))
    const [state, commits] = await Promise.all([status, log])
    const [head = "", ...changes] = linesOf(state)
    const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(head)?.[1] ?? "HEAD"
    const name = branch.startsWith("HEAD (") ? "detached" : branch
    return { state: { branch: name, dirty: changes.length, commits: linesOf(commits) }, diagnostics: [] }
  } catch (error) {
    const isSlow = error instanceof Error && "killed" in error && error.killed === true
    const reason = isSlow ? "it took too long" : (errorCode(error) ?? "git failed")
    return { state: undefined, diagnostics: [{ code: "git-unavailable", path: directory, reason }] }
  }
}

const STATUS = ["status", "--porcelain=v1", "--branch", "--ignore-submodules=dirty"]

/** Every filter that is configured, as variables that take it away: names may hold what a flag could not. */
async function withoutFilters(directory: string): Promise<Readonly<Record<string, string>>> {
  const asked = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."]
  const names = (await git(directory, asked).catch(withoutAny)).split("\0").filter((name) => name !== "")
  const variables = names.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, name.endsWith(".required") ? "false" : ""],
  ])
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(variables) }
}

/** Without commits there is no log, without filters no list; whether there is a state at all, the status tells. */
function withoutAny(): string {
  return ""
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "")
}

async function git(
  directory: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...NO_FETCH, ...variables }
  const limits = { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await run("git", [...SAFE, ...args], {
    cwd: directory,
    env,
    encoding: "utf8",
    ...limits,
  })
  return stdout
}

/** A repository may say that objects it lacks are fetched, and by which program. An older git knows only the second. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" }

const run = promisify(execFile)

/** Looked for on disk first: most folders are no repository, and a process is dear. */
function isRepository(directory: string): boolean {
  if (!existsSync(directory)) return false
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true
    if (folder === dirname(folder)) return false
  }
}
