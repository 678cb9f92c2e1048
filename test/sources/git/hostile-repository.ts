// Ways in which a repository can name a program, each with what makes git look for it. `program` leaves a mark when it runs.
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Trap {
  readonly root: string
  /** A program that leaves the mark. */
  readonly program: string
  readonly mark: string
}

const FILTER = (program: string) => `[filter "x"]\n\tclean = ${program}\n\tprocess = ${program}\n\trequired\n`

/** Appended to the configuration, or done to the folder. */
export const TRICKS: Readonly<Record<string, (trap: Trap) => string>> = {
  "a filter": ({ root, program }) => attributes(root, "* filter=x", FILTER(program)),
  "a filter behind a name of 20 MB": ({ root, program }) =>
    attributes(root, "* filter=x", `${FILTER(program)}[filter "${"y".repeat(20_000_000)}"]\n\tclean = cat\n`),
  "a filter in attributes of its own": ({ root, program }) => {
    writeFileSync(join(root, ".git", "own"), "* filter=x\n")
    return `${FILTER(program)}[core]\n\tattributesFile = ${join(root, ".git", "own")}\n`
  },
  "a filter in the configuration of a work tree": ({ root, program }) => {
    writeFileSync(join(root, ".git", "config.worktree"), FILTER(program))
    return attributes(root, "* filter=x", "[extensions]\n\tworktreeConfig = true\n")
  },
  "core.fsmonitor": ({ program }) => `[core]\n\tfsmonitor = ${program}\n`,
  "core.hooksPath": ({ root, program }) => {
    const hooks = join(root, "hooks")
    mkdirSync(hooks)
    for (const name of ["post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"])
      symlinkSync(program, join(hooks, name))
    return `[core]\n\thooksPath = ${hooks}\n`
  },
  "a hook": ({ root, program }) => {
    const hooks = join(root, ".git", "hooks")
    rmSync(hooks, { recursive: true, force: true })
    mkdirSync(hooks)
    for (const name of ["post-index-change", "reference-transaction"]) symlinkSync(program, join(hooks, name))
    return ""
  },
  "diff.external": ({ program }) => `[diff]\n\texternal = ${program}\n`,
  textconv: ({ root, program }) =>
    attributes(root, "* diff=x", `[diff "x"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`),
  "a merge driver": ({ root, program }) =>
    attributes(root, "* merge=x", `[merge "x"]\n\tdriver = ${program}\n`),
  "a pager": ({ program }) =>
    `[core]\n\tpager = ${program}\n[pager]\n\tlog = ${program}\n\tdiff = ${program}\n[interactive]\n\tdiffFilter = ${program}\n`,
  "an editor": ({ program }) => `[core]\n\teditor = ${program}\n\taskPass = ${program}\n`,
  aliases: ({ program }) =>
    `[alias]\n${["log", "diff", "status", "ls-files"].map((name) => `\t${name} = !${program}\n`).join("")}`,
  "include.path": ({ root, program }) => {
    writeFileSync(join(root, "more"), FILTER(program))
    return attributes(root, "* filter=x", `[include]\n\tpath = ${join(root, "more")}\n`)
  },
  includeIf: ({ root, program }) => {
    writeFileSync(join(root, "more"), FILTER(program))
    const conditions = [`gitdir:${root}/`, "onbranch:**", "hasconfig:remote.*.url:**"]
    const all = conditions.map((when) => `[includeIf "${when}"]\n\tpath = ${join(root, "more")}\n`).join("")
    return attributes(root, "* filter=x", `[remote "origin"]\n\turl = https://a.invalid/\n${all}`)
  },
  "gpg.program": ({ program }) =>
    `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n[gpg "ssh"]\n\tprogram = ${program}\n\tdefaultKeyCommand = ${program}\n`,
  "objects that have to be fetched": ({ root, program, mark }) => {
    rmSync(join(root, ".git", "objects"), { recursive: true })
    mkdirSync(join(root, ".git", "objects"))
    const remote = `[remote "origin"]\n\turl = ${root}\n\tpromisor = true\n\tuploadpack = touch ${mark}; false\n`
    const own = `[core]\n\trepositoryFormatVersion = 1\n\tsshCommand = ${program}\n\tgitProxy = ${program}\n`
    return `${own}[extensions]\n\tpartialClone = origin\n${remote}[uploadpack]\n\tpackObjectsHook = ${program}\n`
  },
  "objects that have to be fetched by ssh": ({ root, program }) => {
    rmSync(join(root, ".git", "objects"), { recursive: true })
    mkdirSync(join(root, ".git", "objects"))
    const remote = `[remote "origin"]\n\turl = ssh://a.invalid/b\n\tpromisor = true\n`
    return `[core]\n\trepositoryFormatVersion = 1\n\tsshCommand = ${program}\n[extensions]\n\tpartialClone = origin\n${remote}`
  },
  "a credential helper": ({ program }) => `[credential]\n\thelper = ${program}\n`,
  trace2: ({ mark }) =>
    `[trace2]\n\tnormalTarget = ${mark}\n\teventTarget = ${mark}\n\tperfTarget = ${mark}\n`,
  "core.worktree": ({ root }) => `[core]\n\tworktree = ${join(root, "..", "home")}\n`,
  "a submodule with a filter": ({ root, program }) => {
    const inner = join(root, "inner")
    mkdirSync(inner)
    writeFileSync(join(inner, "a"), "one")
    git(inner, "init", "-q")
    git(inner, "add", ".")
    git(inner, "commit", "-qm", "inner")
    git(root, "add", "inner")
    git(root, "commit", "-qm", "a submodule")
    appendFileSync(join(inner, ".git", "config"), `${FILTER(program)}[core]\n\tfsmonitor = ${program}\n`)
    attributes(inner, "* filter=x", "")
    writeFileSync(join(inner, "a"), "two")
    return "[status]\n\tsubmoduleSummary = true\n[diff]\n\tsubmodule = log\n\tignoreSubmodules = none\n"
  },
  "another folder for what is shared": ({ root, program }) => {
    const other = join(root, "other")
    mkdirSync(join(other, "objects"), { recursive: true })
    mkdirSync(join(other, "refs"))
    writeFileSync(join(other, "config"), FILTER(program))
    writeFileSync(join(root, ".git", "commondir"), "../other\n")
    return attributes(root, "* filter=x", "")
  },
  "a git of its own": ({ root, program }) => {
    for (const folder of [root, join(root, "node_modules", ".bin")]) {
      mkdirSync(folder, { recursive: true })
      symlinkSync(program, join(folder, "git"))
    }
    return ""
  },
}

function attributes(root: string, line: string, config: string): string {
  writeFileSync(join(root, ".gitattributes"), `${line}\n`)
  return config
}

/** The repository has one commit, and a file that was changed to another text of the same length. */
export function layTrap(trap: Trap, trick: (trap: Trap) => string): void {
  const { root, program, mark } = trap
  writeFileSync(program, `#!/bin/sh\ntouch "${mark}"\ncat\n`, { mode: 0o755 })
  writeFileSync(join(root, "a"), "one")
  git(root, "init", "-q")
  git(root, "add", "a")
  git(root, "commit", "-qm", "A")
  appendFileSync(join(root, ".git", "config"), trick(trap))
  writeFileSync(join(root, "a"), "two")
}

/** As the owner of a repository would, with nothing of this machine's configuration. */
export function git(cwd: string, ...args: readonly string[]): void {
  const own = ["user.name=A", "user.email=a@b", "init.defaultBranch=main", "protocol.file.allow=always"]
  const env = { PATH: process.env.PATH, HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" }
  execFileSync("git", [...own.flatMap((one) => ["-c", one]), ...args], { cwd, env, stdio: "ignore" })
}
