// The state of the repository around a folder: branch, changes, last commits. Bounded in time, and without running
// anything that the repository itself names: hooks and monitors of a cloned repository are somebody else's code.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
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

export function gitState(directory: string): GitFound {
  if (!isRepository(directory)) return { state: undefined, diagnostics: [] }
  try {
    const [head = "", ...changes] = git(directory, ["status", "--porcelain=v1", "--branch"])
      .split("\n")
      .filter(Boolean)
    const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(head)?.[1] ?? "HEAD"
    const commits = head.startsWith("## No commits yet")
      ? []
      : git(directory, ["log", "-3", "--format=%h %s"]).split("\n").filter(Boolean)
    return {
      state: { branch: branch.startsWith("HEAD (") ? "detached" : branch, dirty: changes.length, commits },
      diagnostics: [],
    }
  } catch (error) {
    const reason =
      error instanceof Error && "signal" in error && error.signal === "SIGTERM"
        ? "it took too long"
        : (errorCode(error) ?? "git failed")
    return { state: undefined, diagnostics: [{ code: "git-unavailable", path: directory, reason }] }
  }
}

function git(directory: string, args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" }
  return execFileSync("git", [...SAFE, ...args], {
    cwd: directory,
    env,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  })
}

/** Looked for on disk first: most folders are no repository, and a process is dear. */
function isRepository(directory: string): boolean {
  if (!existsSync(directory)) return false
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true
    if (folder === dirname(folder)) return false
  }
}
