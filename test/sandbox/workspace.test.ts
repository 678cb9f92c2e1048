// What commands do in a workspace as usual, and what they cannot do there: change what runs later, or what a prompt is
// made of.
import { execFileSync } from "node:child_process"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { afterEach, describe, expect, test } from "vitest"
import { openWorld, type World, type WorldOptions, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()
const open: World[] = []
const world = (options?: WorldOptions): World => {
  const made = openWorld(options)
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
}
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...IDENTITY },
    stdio: ["ignore", "pipe", "ignore"],
  })

function repository(options?: WorldOptions): World {
  const made = world(options)
  git(made.root, "init", "--quiet", "--initial-branch", "main")
  made.write("tides.txt", "low\n")
  git(made.root, "add", ".")
  git(made.root, "commit", "--quiet", "--message", "first")
  return made
}

const COMMIT = "git -c user.name=Ada -c user.email=ada@example.org commit --quiet"

describe.skipIf(WHY_NOT !== undefined)("work in a workspace", () => {
  test("npm test, python, make and files that the next command finds", async () => {
    const { write, run, read } = world()
    write("package.json", JSON.stringify({ name: "tides", scripts: { test: "node --test" } }))
    write("tide.test.js", 'require("node:test").test("low", () => {})\n')
    write("Makefile", "tide: tide.c\n\tcp tide.c tide\n")
    write("tide.c", "int main() { return 0; }\n")
    expect(await run("npm test 2>&1 | grep -oE '(pass|fail) [0-9]+$'")).toBe("exit 0\npass 1\nfail 0")
    expect(await run('python3 -c \'open("made.txt", "w").write("by python")\'')).toBe("exit 0")
    expect(await run("make --silent && cat tide")).toBe("exit 0\nint main() { return 0; }")
    expect(read("made.txt")).toBe("by python")
  })

  test("git commit, with the user's own name", async () => {
    const home = repository()
    home.write(
      ".gitconfig",
      '[user]\n\tname = Ada \\"L\\" B\n\temail = ada@example.org\n[core]\n\tpager = touch /tmp/ran\n',
    )
    const own = repository({ env: { ...process.env, HOME: home.root } })
    expect(await own.run("echo high >> tides.txt && git commit --all --quiet --message second")).toBe(
      "exit 0",
    )
    expect(git(own.root, "log", "--format=%an <%ae> %s")).toContain('Ada "L" B <ada@example.org> second')
    expect(await own.run("git config --global --list")).toBe(
      'exit 0\nuser.name=Ada "L" B\nuser.email=ada@example.org',
    )
  })

  test("what git runs is not changed, and not moved out of the way", async () => {
    const { root, run } = repository()
    const before = readFileSync(join(root, ".git/config"), "utf8")
    for (const [command, message] of [
      ["echo '[core] fsmonitor = ./evil' >> .git/config", ".git/config: Read-only file system"],
      ["git config core.hooksPath .", "could not write config file .git/config: Device or resource busy"],
      ["echo evil > .git/hooks/post-commit", ".git/hooks/post-commit: Read-only file system"],
      ["echo '* filter=evil' > .git/info/attributes", ".git/info/attributes: Read-only file system"],
      ["mv .git git", "cannot move '.git' to 'git': Device or resource busy"],
      ["mv .git/hooks hooks", "cannot remove '.git/hooks/"],
    ] as const)
      expect(await run(command)).toContain(message)
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(before)
    expect(git(root, "log", "--format=%s")).toBe("first\n")
  })

  test("one that was emptied is no way to make another", async () => {
    const { root, run } = repository()
    const before = readFileSync(join(root, ".git/config"), "utf8")
    expect(await run("rm -rf .git 2>/dev/null; ls .git")).toMatch(
      // Older versions of git make `branches`, too.
      /^exit 0\n(?:branches\n)?config\nhooks\ninfo$/,
    )
    expect(await run("mv .git git")).toContain("Device or resource busy")
    expect(await run("echo '[core] fsmonitor = ./evil' >> .git/config")).toContain("Read-only file system")
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe(before)
  })

  test("a repository that a command makes is renamed", async () => {
    const { root, run } = world()
    expect(await run("git init --quiet sub && git init --quiet .")).toContain("sub/.git to .git.from-sandbox")
    expect([existsSync(join(root, ".git")), existsSync(join(root, "sub/.git"))]).toEqual([false, false])
  })

  test("a repository is not made to look elsewhere for its settings", async () => {
    const { root, run } = repository()
    expect(
      await run("mkdir -p evil/hooks && cp .git/config evil && echo ../evil > .git/commondir"),
    ).toContain("[renamed .git/commondir to commondir.from-sandbox:")
    expect(existsSync(join(root, ".git/commondir"))).toBe(false)
    expect(await run("echo 'x' > .git/config.worktree")).toContain("config.worktree.from-sandbox")
  })

  test("submodules and linked work trees are the same", async () => {
    const { root, run, outside } = repository()
    git(root, "submodule", "--quiet", "add", root, "inner")
    git(root, "commit", "--quiet", "--message", "inner")
    expect(await run(`cd inner && echo high > tides.txt && ${COMMIT} --all --message deep`)).toBe("exit 0")
    expect(await run("echo x >> .git/modules/inner/config")).toContain("Read-only file system")
    expect(await run("echo x > .git/modules/inner/hooks/post-commit")).toContain("Read-only file system")
    expect(await run("mv .git/modules/inner .git/modules/other")).toContain("Device or resource busy")
    expect(await run("mv .git/modules .git/other")).toContain("Device or resource busy")
    expect(await run("echo 'gitdir: ../evil' > inner/.git")).toContain("Read-only file system")
    const linked = join(outside, "linked")
    git(root, "worktree", "add", "--quiet", linked)
    const other = world({ folders: { directory: linked, workspace: linked } })
    expect(await other.run(`echo linked > tides.txt && ${COMMIT} --all --message linked`)).toBe("exit 0")
    expect(git(root, "log", "--all", "--format=%s")).toContain("linked")
    expect(await other.run(`echo x >> ${root}/.git/config`)).toContain("Read-only file system")
    expect(await other.run(`cat ${root}/tides.txt`)).toContain("No such file or directory")
  })

  test("a .git that names a folder elsewhere opens nothing", async () => {
    const { root, outside, run, write } = world()
    mkdirSync(join(outside, "secret"))
    writeFileSync(join(outside, "secret", "HEAD"), "ref: refs/heads/main\n")
    write(".git", `gitdir: ${outside}/secret\n`)
    expect(await run(`ls ${outside}/secret`)).toContain("No such file or directory")
    expect(lstatSync(join(root, ".git")).isFile()).toBe(true)
  })

  test("files that a prompt is made of are read-only, and new ones are renamed", async () => {
    const { root, run, write, read } = world()
    write("AGENTS.md", "Be kind.\n")
    write("incipit.yaml", "sandbox: { mode: on }\n")
    write(".incipit/SYSTEM.md", "System.\n")
    write("skills/tides/SKILL.md", "Tides.\n")
    write("docs/CLAUDE.md", "Docs.\n")
    for (const path of [
      "AGENTS.md",
      "incipit.yaml",
      ".incipit/SYSTEM.md",
      "skills/tides/SKILL.md",
      "docs/CLAUDE.md",
    ])
      expect(await run(`echo evil >> ${path}`)).toContain(`${path}: Read-only file system`)
    expect(await run("echo evil > .incipit/APPEND_SYSTEM.md; rm -rf skills; mv .incipit x")).not.toContain(
      "renamed",
    )
    const answer = await run(
      "echo evil > SOUL.md; mkdir -p sub/.claude && echo evil > sub/.claude/a.md; echo ok > ok.txt",
    )
    expect(answer).toMatch(/^exit 0\n\[renamed /)
    expect(answer).toContain("SOUL.md to SOUL.md.from-sandbox")
    expect(answer).toContain("sub/.claude to .claude.from-sandbox")
    expect([existsSync(join(root, "SOUL.md")), existsSync(join(root, "sub/.claude"))]).toEqual([false, false])
    expect([read("SOUL.md.from-sandbox"), read("ok.txt"), read("AGENTS.md")]).toEqual([
      "evil\n",
      "ok\n",
      "Be kind.\n",
    ])
  })

  test("a folder is not swapped for another with the same files", async () => {
    const { run, write, read } = world()
    write("docs/AGENTS.md", "Be kind.\n")
    const answer = await run("mv docs gone && mkdir docs && echo evil > docs/AGENTS.md")
    expect(answer).toContain("renamed docs/AGENTS.md to AGENTS.md.from-sandbox")
    expect(read("gone/AGENTS.md")).toBe("Be kind.\n")
  })

  test("links of such names are renamed, and put back if they are replaced", async () => {
    const { root, run, write } = world()
    write("README.md", "Read me.\n")
    symlinkSync("README.md", join(root, "CLAUDE.md"))
    expect(await run("rm CLAUDE.md && echo evil > CLAUDE.md; ln -s /tmp AGENTS.md")).toContain("renamed")
    expect(readlinkSync(join(root, "CLAUDE.md"))).toBe("README.md")
    expect(existsSync(join(root, "AGENTS.md"))).toBe(false)
  })

  test("what a link of such a name leads to is read-only, and stays where it is", async () => {
    const { root, run, write, read } = world()
    write("docs/agents/main.txt", "Be kind.\n")
    symlinkSync("docs/agents/main.txt", join(root, "CLAUDE.md"))
    expect(await run("echo evil > docs/agents/main.txt")).toContain("Read-only file system")
    expect(await run("mv docs gone; mv docs/agents docs/gone; echo ok > docs/ok")).toMatch(/busy\n.*busy/)
    expect([read("CLAUDE.md"), read("docs/ok")]).toEqual(["Be kind.\n", "ok\n"])
  })

  test("a repository under another name is protected, and so are hooks that its settings name", async () => {
    const { root, run, write, outside } = world()
    git(root, "init", "--quiet", "--separate-git-dir", join(root, "meta"))
    git(root, "config", "core.hooksPath", "tools/checks")
    write("tools/checks/pre-commit", "true\n")
    for (const path of ["meta/config", "meta/hooks/pre-commit", "tools/checks/pre-commit"])
      expect(await run(`echo evil >> ${path}`)).toContain("Read-only file system")
    expect(await run("mv meta other")).toContain("Device or resource busy")
    expect(await run(`echo x > x && git add x && ${COMMIT} --message x`)).toContain("exit 0")
    git(outside, "init", "--quiet", "first")
    const linked = world({ folders: { workspace: outside, directory: join(outside, "first") } })
    renameSync(join(outside, "first/.git"), join(outside, "store"))
    symlinkSync("../store", join(outside, "first/.git"))
    expect(await linked.run("echo evil >> ../store/config")).toContain("Read-only file system")
  })

  test("what the user approved to run is read-only, wherever it is", async () => {
    const fixed: string[] = []
    const { run, write, read } = world({ folders: { fixed } })
    fixed.push(write("scripts/hook.ts", "export default {}\n"))
    expect(await run("echo evil > scripts/hook.ts")).toContain("Read-only file system")
    expect(read("scripts/hook.ts")).toBe("export default {}\n")
  })

  test("state inside the workspace is hidden", async () => {
    const hidden: string[] = []
    const { root, run, write } = world({ folders: { hidden } })
    write("state/agent.db", "conversations")
    hidden.push(join(root, "state"))
    expect(await run("ls -A state; cat state/agent.db; touch state/x")).toBe(
      "exit 1\ncat: state/agent.db: No such file or directory\ntouch: cannot touch 'state/x': Read-only file system",
    )
  })

  test("more can be opened, to read or to write, and less", async () => {
    const { root, outside } = world()
    const given = world({ config: { read: [root], write: [outside], workspace: "read-only" } })
    expect(await given.run(`touch ${outside}/a; touch ${root}/a; touch a`)).toMatch(
      /^exit 1\n.*Read-only file system\n.*Read-only file system$/,
    )
    expect(existsSync(join(outside, "a"))).toBe(true)
    const none = world({ config: { workspace: "none" } })
    expect(await none.run(`pwd; ls ${none.root}`)).toBe(
      `exit 2\n/tmp\nls: cannot access '${none.root}': No such file or directory`,
    )
  })

  test("/tmp is shared by the commands of a scope, and by no others", async () => {
    const as = (id: string) => ({
      id,
      audience: { trust: "full", situation: "dm", mode: "full" } as const,
      isOwner: true,
    })
    for (const [scope, isShared] of [
      ["session", false],
      ["agent", true],
      ["shared", true],
    ] as const) {
      const { run } = world({ config: { scope } })
      expect(await run("echo low > /tmp/tide", as("a"))).toBe("exit 0")
      expect(await run("cat /tmp/tide", as("a"))).toBe("exit 0\nlow")
      expect(await run("cat /tmp/tide 2>/dev/null", as("b"))).toBe(isShared ? "exit 0\nlow" : "exit 1")
    }
  })
})
