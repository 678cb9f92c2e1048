// The state of the repository around a folder: branch, changes, last commits. Bounded in time, and without running
// anything that the repository itself names: hooks and monitors of a cloned repository are somebody else's code.
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { Diagnostic } from "../core/diagnostic.ts"
import type { GitState } from "../core/scope.ts"
import { errorCode } from "./file.ts"

export interface GitFound {
  readonly state: GitState | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** A prompt must not wait for a slow disk. */
const TIMEOUT_MS = 1_000
const SAFE = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

/** The two questions are asked at once, so that a caller can do other things meanwhile. */
export async function gitState(directory: string): Promise<GitFound> {
  if (!isRepository(directory)) return { state: undefined, diagnostics: [] }
  try {
    const log = git(directory, ["log", "-3", "--format=%h %s"]).catch(withoutCommits)
    const [status, commits] = await Promise.all([
      git(directory, ["status", "--porcelain=v1", "--branch"]),
      log,
    ])
    const [head = "", ...changes] = linesOf(status)
    const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(head)?.[1] ?? "HEAD"
    const name = branch.startsWith("HEAD (") ? "detached" : branch
    return { state: { branch: name, dirty: changes.length, commits: linesOf(commits) }, diagnostics: [] }
  } catch (error) {
    const isSlow = error instanceof Error && "killed" in error && error.killed === true
    const reason = isSlow ? "it took too long" : (errorCode(error) ?? "git failed")
    return { state: undefined, diagnostics: [{ code: "git-unavailable", path: directory, reason }] }
  }
}

/** A repository without commits has no log; whether it has a state at all, the other question tells. */
function withoutCommits(): string {
  return ""
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "")
}

async function git(directory: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" }
  const limits = { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await run("git", [...SAFE, ...args], {
    cwd: directory,
    env,
    encoding: "utf8",
    ...limits,
  })
  return stdout
}

const run = promisify(execFile)

/** Looked for on disk first: most folders are no repository, and a process is dear. */
function isRepository(directory: string): boolean {
  if (!existsSync(directory)) return false
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true
    if (folder === dirname(folder)) return false
  }
}
