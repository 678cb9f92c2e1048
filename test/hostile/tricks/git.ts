// Tricks of a repository: everything that git runs, reads or writes because a repository says so.
import { appendFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Place, Trick } from "../place.ts"
import { git } from "../repository.ts"
import { leaving, put, putHole, putLink, putPipe, putProgram } from "./plant.ts"

/** A filter that runs when git looks whether a file has changed. */
const filter = (place: Place, name: string) =>
  `[filter ${JSON.stringify(name)}]\n\tclean = "${leaving(place, "filter")}; cat"\n\tsmudge = "${leaving(place, "smudge")}; cat"\n\tprocess = "${leaving(place, "process")}"\n\trequired = true\n`
const attributes = (place: Place, name = "evil") =>
  void put(place, ".gitattributes", `* filter=${name} diff=${name} merge=${name}\n`)

/** All that names a program in a configuration, whatever command would run it. */
const PROGRAM_KEYS = [
  ...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass"],
  ...[
    "core.alternateRefsCommand",
    "sequence.editor",
    "diff.external",
    "diff.evil.textconv",
    "diff.evil.command",
  ],
  ...[
    "pager.log",
    "pager.status",
    "pager.diff",
    "pager.config",
    "pager.show",
    "pager.rev-parse",
    "pager.diff-files",
  ],
  ...["gpg.program", "gpg.ssh.program", "gpg.x509.program", "credential.helper", "interactive.diffFilter"],
  ...["uploadpack.packObjectsHook", "trailer.evil.command", "merge.evil.driver", "web.browser", "man.viewer"],
]
const ALIASES = [
  "status",
  "log",
  "config",
  "rev-parse",
  "diff-files",
  "diff-index",
  "ls-files",
  "symbolic-ref",
  "cat-file",
]
const HOOKS = [
  ...["post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "post-checkout"],
  ...["pre-commit", "post-merge", "post-rewrite", "query-watchman", "update", "pre-push", "p4-pre-submit"],
]

function keyLines(key: string, value: string): string {
  const parts = key.split(".")
  const [section = "", ...rest] = parts
  const name = rest.at(-1) ?? ""
  const middle = rest.slice(0, -1).join(".")
  return `[${section}${middle === "" ? "" : ` "${middle}"`}]\n\t${name} = ${JSON.stringify(value)}\n`
}

const programs: Trick = {
  name: "git: a program for every key that names one",
  gitConfig: (place) =>
    PROGRAM_KEYS.map((key) => keyLines(key, `${leaving(place, key)}; true`)).join("") +
    ALIASES.map((name) => keyLines(`alias.${name}`, `!${leaving(place, `alias-${name}`)}`)).join("") +
    "[log]\n\tshowSignature = true\n[status]\n\tsubmoduleSummary = true\n[diff]\n\tignoreSubmodules = none\n[gc]\n\tauto = 1\n[core]\n\tsplitIndex = true\n\tuntrackedCache = true\n[feature]\n\tmanyFiles = true\n[maintenance]\n\tauto = true\n",
}

const filters: Trick = {
  name: "git: filters by .gitattributes",
  gitConfig: (place) => filter(place, "evil"),
  plant: (place) => attributes(place),
}

const hugeName: Trick = {
  name: "git: a filter whose name is too long to be listed",
  gitConfig: (place) => filter(place, "evil") + filter(place, "x".repeat(17 * 1024 * 1024)),
  plant: (place) => attributes(place),
}

const infoAttributes: Trick = {
  name: "git: filters by .git/info/attributes and core.attributesFile",
  gitConfig: (place) =>
    filter(place, "info") + keyLines("core.attributesFile", join(place.folder, "attributes")),
  plant: (place) => {
    mkdirSync(join(place.folder, ".git", "info"), { recursive: true })
    writeFileSync(join(place.folder, ".git", "info", "attributes"), "* filter=info\n")
    put(place, "attributes", "* filter=info\n")
  },
}

const hooks: Trick = {
  name: "git: hooks",
  gitConfig: () => keyLines("core.hooksPath", "githooks"),
  plant: (place) => {
    for (const name of HOOKS) {
      putProgram(place, `.git/hooks/${name}`, `hook-${name}`)
      putProgram(place, `githooks/${name}`, `hooks-path-${name}`)
    }
  },
}

const includes: Trick = {
  name: "git: includes of configurations elsewhere",
  gitConfig: (place) =>
    `${keyLines("include.path", "../included")}[includeIf "gitdir:${place.folder}/"]\n\tpath = ../included\n[includeIf "onbranch:*"]\n\tpath = ../included\n`,
  plant: (place) => {
    attributes(place, "included")
    put(place, "included", filter(place, "included") + keyLines("core.fsmonitor", leaving(place, "included")))
  },
}

const traces: Trick = {
  name: "git: trace2 targets",
  gitConfig: ({ markers }) =>
    ["normalTarget", "eventTarget", "perfTarget"]
      .map((name) => keyLines(`trace2.${name}`, join(markers, `trace2-${name}`)))
      .join(""),
}

const submodule: Trick = {
  name: "git: a submodule with filters, a monitor and hooks of its own",
  plant: (place) => {
    const own = join(place.folder, ".git", "modules", "sub")
    appendFileSync(
      join(own, "config"),
      filter(place, "inner") + keyLines("core.fsmonitor", leaving(place, "inner-monitor")),
    )
    put(place, "sub/.gitattributes", "* filter=inner\n")
    putProgram(place, ".git/modules/sub/hooks/post-index-change")
  },
}

const promisor: Trick = {
  name: "git: a partial clone that lacks its objects",
  gitConfig: (place) =>
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${JSON.stringify(`ext::sh -c "${leaving(place, "promisor")}"`)}\n\tpromisor = true\n\tuploadpack = ${JSON.stringify(leaving(place, "uploadpack"))}\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n`,
  plant: (place) => {
    const tree = git(place.folder, "rev-parse", "HEAD~1^{tree}").trim()
    for (const id of [tree, git(place.folder, "rev-parse", "HEAD:.gitmodules").trim()])
      rmSync(join(place.folder, ".git", "objects", id.slice(0, 2), id.slice(2)), { force: true })
  },
}

/** The repository moves to a folder by another name; what leads there is up to the trick. */
function moveRepository(place: Place, to: string): void {
  renameSync(join(place.folder, ".git"), join(place.folder, to))
  appendFileSync(
    join(place.folder, to, "config"),
    filter(place, "evil") + keyLines("core.fsmonitor", leaving(place, "moved")),
  )
  attributes(place)
}

const gitFile: Trick = {
  name: "git: .git is a file that leads to another folder",
  plant: (place) => {
    moveRepository(place, "evil.git")
    put(place, ".git", "gitdir: evil.git\n")
  },
}
const gitLink: Trick = {
  name: "git: .git is a link",
  plant: (place) => {
    moveRepository(place, "evil.git")
    putLink(place, ".git", "evil.git")
  },
}
const gitWorktree: Trick = {
  name: "git: core.worktree is the whole disk",
  gitConfig: () => keyLines("core.worktree", "/"),
}
const worktreeConfig: Trick = {
  name: "git: a configuration of the worktree",
  gitConfig: () => "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n",
  plant: (place) => {
    attributes(place)
    put(
      place,
      ".git/config.worktree",
      filter(place, "evil") + keyLines("core.fsmonitor", leaving(place, "worktree-config")),
    )
  },
}
const linkedWorktree: Trick = {
  name: "git: the folder says it is a linked worktree of a repository in it",
  plant: (place) => {
    moveRepository(place, "main.git")
    put(place, "main.git/worktrees/w/commondir", "../..\n")
    put(place, "main.git/worktrees/w/HEAD", "ref: refs/heads/main\n")
    put(place, "main.git/worktrees/w/gitdir", `${join(place.folder, ".git")}\n`)
    put(place, ".git", "gitdir: main.git/worktrees/w\n")
  },
}

/** The top of a folder that looks like a bare repository, which a plain clone brings along. */
function bareAt(place: Place, path: string): void {
  const target = join(place.folder, path)
  mkdirSync(target, { recursive: true })
  cpSync(join(place.folder, ".git"), target, { recursive: true })
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n`
  writeFileSync(
    join(target, "config"),
    config + filter(place, "evil") + keyLines("core.fsmonitor", leaving(place, "bare-monitor")),
  )
  writeFileSync(join(target, "tracked.txt"), "two\n")
  writeFileSync(join(target, ".gitattributes"), "* filter=evil\n")
  writeFileSync(join(target, "SOUL.md"), "Kind.\n")
}
const bareInside: Trick = {
  name: "git: a bare repository within, where the command is started",
  start: "vendor/lib",
  plant: (place) => bareAt(place, "vendor/lib"),
}
const bareTop: Trick = {
  name: "git: the folder itself is a bare repository, with no .git",
  plant: (place) => {
    bareAt(place, "tmp")
    rmSync(join(place.folder, ".git"), { recursive: true })
    for (const name of readdirSync(join(place.folder, "tmp"))) {
      rmSync(join(place.folder, name), { recursive: true, force: true })
      renameSync(join(place.folder, "tmp", name), join(place.folder, name))
    }
  },
}
const bareWithin: Trick = {
  name: "git: bare repositories below the folder",
  plant: (place) => {
    bareAt(place, "vendor/lib")
    bareAt(place, "skills/repo")
    bareAt(place, "memory/repo")
  },
}
const insideGit: Trick = { name: "git: the command is started within .git", start: ".git" }

const odd = (path: string, put: (place: Place, path: string) => void, what: string): Trick => ({
  name: `git: ${path} is ${what}`,
  plant: (place) => put(place, path),
})
const zero = (place: Place, path: string) => putLink(place, path, "/dev/zero")
const hole = (place: Place, path: string) => putHole(place, path, 10 * 1024 ** 3)
const ODD_FILES = [
  ".git/config",
  ".git/HEAD",
  ".git/index",
  ".git/packed-refs",
  ".git/refs/heads/main",
  ".git/info/exclude",
]

const names: Trick = {
  name: "git: a branch that moves the cursor",
  plant: (place) => {
    const head = git(place.folder, "rev-parse", "HEAD").trim()
    put(place, ".git/refs/heads/\u001b[2Jmain\u202e", `${head}\n`)
    put(place, ".git/HEAD", "ref: refs/heads/\u001b[2Jmain\u202e\n")
  },
}
const alternates: Trick = {
  name: "git: objects of a repository elsewhere",
  plant: (place) => {
    put(place, ".git/objects/info/alternates", `${join(place.home, ".git", "objects")}\n/dev/zero\n`)
    put(place, ".git/commondir", "../../outside\n")
  },
}

/** These go together in one repository. */
export const GIT_TRICKS: readonly Trick[] = [
  programs,
  filters,
  infoAttributes,
  hooks,
  includes,
  traces,
  submodule,
  bareWithin,
  names,
]
/** Each of these takes the place of something. */
export const LONE_GIT_TRICKS: readonly Trick[] = [
  ...[hugeName, promisor, gitFile, gitLink, gitWorktree, worktreeConfig, linkedWorktree],
  ...[bareInside, bareTop, insideGit, alternates],
  ...ODD_FILES.flatMap((path) => [odd(path, putPipe, "a pipe"), odd(path, zero, "a link to /dev/zero")]),
  ...[".git/config", ".git/index", ".git/HEAD", ".git"].map((path) => odd(path, hole, "a file of 10 GB")),
  ...[".git"].flatMap((path) => [odd(path, putPipe, "a pipe"), odd(path, zero, "a link to /dev/zero")]),
]
