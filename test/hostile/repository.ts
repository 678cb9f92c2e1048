// A small git repository to copy: a few commits, the last with a subject that moves the cursor, one tracked file that differs from what was committed, so that whoever
// asks for the state has a reason to run filters; and one submodule. Made once for each test file.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

let template: string | undefined
afterAll(() => {
  if (template !== undefined) rmSync(template, { recursive: true, force: true })
  template = undefined
})

export function repositoryTemplate(): string {
  template ??= makeTemplate()
  return template
}

/** Git as it is for nobody in particular: no settings of a user or of the machine. */
export function git(cwd: string, ...args: readonly string[]): string {
  const who = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  }
  const when = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" }
  const env = {
    PATH: process.env.PATH,
    ...who,
    ...when,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  }
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], { cwd, env, encoding: "utf8" })
}

function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-template-"))
  git(folder, "init", "-q", "-b", "main")
  writeFileSync(join(folder, "tracked.txt"), "one\n")
  writeFileSync(join(folder, "other.txt"), "other\n")
  mkdirSync(join(folder, "sub"))
  mkdirSync(join(folder, ".git", "modules"))
  git(folder, "add", "tracked.txt", "other.txt")
  git(folder, "commit", "-q", "-m", "first")
  addSubmodule(folder)
  git(folder, "commit", "-q", "--allow-empty", "-m", "\u001b]0;title\u0007\u001b[2J\u202ehidden")
  writeFileSync(join(folder, "tracked.txt"), "two\n")
  return folder
}

/** As `git submodule add` leaves it, with a change in the submodule. */
function addSubmodule(folder: string): void {
  const sub = join(folder, "sub")
  git(
    folder,
    "init",
    "-q",
    "-b",
    "main",
    `--separate-git-dir=${join(folder, ".git", "modules", "sub")}`,
    "sub",
  )
  writeFileSync(join(sub, ".git"), "gitdir: ../.git/modules/sub\n")
  writeFileSync(join(sub, "inner.txt"), "one\n")
  git(
    folder,
    "config",
    "-f",
    join(folder, ".git", "modules", "sub", "config"),
    "core.worktree",
    "../../../sub",
  )
  git(sub, "add", "inner.txt")
  git(sub, "commit", "-q", "-m", "inner")
  const head = git(sub, "rev-parse", "HEAD").trim()
  writeFileSync(join(folder, ".gitmodules"), '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n')
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${head},sub`)
  git(folder, "add", ".gitmodules")
  git(folder, "commit", "-q", "-m", "with a submodule")
  writeFileSync(join(sub, "inner.txt"), "two\n")
}
