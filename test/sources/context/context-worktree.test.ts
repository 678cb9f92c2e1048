import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
  here.git("main", "init", "-q")
})
afterEach(() => here.remove())

/** Commits what is there, and checks it out once more in `place`. */
function addWorktree(place: string, from = "main"): void {
  here.git(from, "add", "-A")
  here.git(from, "commit", "-q", "--allow-empty", "-m", "all")
  here.git(from, "worktree", "add", "-q", here.at(place))
}

const shadowed = (path: string, by: string) =>
  `file-shadowed ${path}: is ignored because ${by} takes its place`

test("in a work tree inside the main checkout, the main checkout's same file is not sent twice", () => {
  here.write("main/AGENTS.md", "rules")
  here.write("main/src/AGENTS.md", "of src")
  addWorktree("main/.worktrees/fix")
  expect(here.gather("main/.worktrees/fix/src")).toEqual({
    files: ["/main/.worktrees/fix/AGENTS.md: rules", "/main/.worktrees/fix/src/AGENTS.md: of src"],
    findings: [shadowed("/main/AGENTS.md", "/main/.worktrees/fix/AGENTS.md")],
  })
})

test("in the main checkout itself nothing is hidden by its work trees", () => {
  here.write("main/AGENTS.md", "rules")
  addWorktree("main/.worktrees/fix")
  expect(here.gather("main")).toEqual({ files: ["/main/AGENTS.md: rules"], findings: [] })
})

test("what the work tree does not have is sent from the main checkout", () => {
  here.write("main/AGENTS.md", "rules")
  here.write("main/.gitignore", "CLAUDE.local.md\n")
  here.write("main/CLAUDE.local.md", "my notes")
  addWorktree("main/fix")
  here.write("main/docs/AGENTS.md", "untracked")
  expect(here.gather("main/fix")).toEqual({
    files: ["/main/CLAUDE.local.md: my notes", "/main/fix/AGENTS.md: rules"],
    findings: [shadowed("/main/AGENTS.md", "/main/fix/AGENTS.md")],
  })
})

test("a file of another name in the work tree hides nothing above", () => {
  here.write("main/AGENTS.md", "old name")
  addWorktree("main/fix")
  renameSync(here.at("main/fix/AGENTS.md"), here.at("main/fix/CLAUDE.md"))
  expect(here.gather("main/fix")).toEqual({
    files: ["/main/AGENTS.md: old name", "/main/fix/CLAUDE.md: old name"],
    findings: [],
  })
})

test("a directory between the two is compared with the same place in the work tree", () => {
  here.write("main/AGENTS.md", "rules")
  here.write("main/packages/AGENTS.md", "packages")
  addWorktree("main/packages/fix")
  here.write("main/packages/CLAUDE.local.md", "only here")
  expect(here.gather("main/packages/fix")).toEqual({
    files: ["/main/packages/CLAUDE.local.md: only here", "/main/packages/fix/AGENTS.md: rules"],
    findings: [
      shadowed("/main/AGENTS.md", "/main/packages/fix/AGENTS.md"),
      shadowed("/main/packages/AGENTS.md", "/main/packages/fix/packages/AGENTS.md"),
    ],
  })
})

test("all: every same-named file of the main checkout is hidden", () => {
  here.write("main/AGENTS.md", "a")
  here.write("main/CLAUDE.md", "c")
  addWorktree("main/fix")
  expect(here.gather("main/fix", { policy: "all" })).toEqual({
    files: ["/main/fix/AGENTS.md: a", "/main/fix/CLAUDE.md: c"],
    findings: [
      shadowed("/main/AGENTS.md", "/main/fix/AGENTS.md"),
      shadowed("/main/CLAUDE.md", "/main/fix/CLAUDE.md"),
    ],
  })
})

test("above the main checkout all is sent", () => {
  here.write("AGENTS.md", "above")
  here.write("main/AGENTS.md", "rules")
  addWorktree("main/fix")
  expect(here.gather("main/fix").files).toEqual(["/AGENTS.md: above", "/main/fix/AGENTS.md: rules"])
})

test("a work tree beside the main checkout has nothing to hide", () => {
  here.write("main/AGENTS.md", "rules")
  addWorktree("fix")
  expect(here.gather("fix")).toEqual({ files: ["/fix/AGENTS.md: rules"], findings: [] })
})

test("a folder of the work tree that is named as itself hides nothing", () => {
  here.write("main/AGENTS.md", "rules")
  addWorktree("main/fix")
  here.write("main/fix/fix/AGENTS.md", "deeper")
  expect(here.gather("main/fix/fix").files).toEqual([
    "/main/fix/AGENTS.md: rules",
    "/main/fix/fix/AGENTS.md: deeper",
  ])
})

test("work trees of a bare repository hide nothing, because it has no checkout", () => {
  here.write("main/AGENTS.md", "rules")
  here.git("main", "add", "-A")
  here.git("main", "commit", "-q", "-m", "all")
  here.git(".", "clone", "-q", "--bare", here.at("main"), here.at("project/.bare"))
  here.git("project/.bare", "worktree", "add", "-q", "-b", "fix", here.at("project/fix"))
  here.write("project/AGENTS.md", "for all branches")
  expect(here.gather("project/fix")).toEqual({
    files: ["/project/AGENTS.md: for all branches", "/project/fix/AGENTS.md: rules"],
    findings: [],
  })
})

test("a work tree of the home folder does not hide what the home folder's .incipit says", () => {
  here.git("home", "init", "-q")
  here.write("home/.incipit/AGENTS.md", "home")
  addWorktree("home/fix", "home")
  expect(here.gather("home/fix")).toEqual({ files: ["~/.incipit/AGENTS.md: home"], findings: [] })
})

test("a repository of its own inside another one hides nothing, be it cloned or a submodule", () => {
  here.write("main/AGENTS.md", "outer")
  here.git("main/cloned", "init", "-q")
  here.write("main/cloned/AGENTS.md", "cloned")
  here.write("main/module/AGENTS.md", "module")
  here.write("main/.git/modules/module/HEAD", "ref: refs/heads/main\n")
  here.write("main/module/.git", "gitdir: ../.git/modules/module\n")
  expect(here.gather("main/cloned")).toEqual({
    files: ["/main/AGENTS.md: outer", "/main/cloned/AGENTS.md: cloned"],
    findings: [],
  })
  expect(here.gather("main/module")).toEqual({
    files: ["/main/AGENTS.md: outer", "/main/module/AGENTS.md: module"],
    findings: [],
  })
})

test("a .git file that git does not know of cannot hide the outer instructions", () => {
  here.write("main/AGENTS.md", "outer")
  addWorktree("main/fix")
  here.write("main/archive/AGENTS.md", "unpacked")
  here.write("main/archive/.git", `gitdir: ${here.at("main/.git/worktrees/fix")}\n`)
  expect(here.gather("main/archive")).toEqual({
    files: ["/main/AGENTS.md: outer", "/main/archive/AGENTS.md: unpacked"],
    findings: [],
  })
})

test("relative links between the two are understood", () => {
  here.write("main/AGENTS.md", "rules")
  addWorktree("main/fix")
  writeFileSync(here.at("main/fix/.git"), "gitdir: ../.git/worktrees/fix\n")
  writeFileSync(here.at("main/.git/worktrees/fix/gitdir"), "../../../fix/.git\n")
  expect(here.gather("main/fix").files).toEqual(["/main/fix/AGENTS.md: rules"])
})

test("a link from the work tree to the main checkout's file does not lose it", () => {
  here.write("main/AGENTS.md", "rules")
  addWorktree("main/fix")
  unlinkSync(here.at("main/fix/AGENTS.md"))
  symlinkSync("../AGENTS.md", here.at("main/fix/AGENTS.md"))
  expect(here.gather("main/fix")).toEqual({ files: ["/main/AGENTS.md: rules"], findings: [] })
})

test("the git root is what files of the work tree may read", () => {
  here.write("main/docs/style.md", "style")
  here.write("main/AGENTS.md", "")
  addWorktree("main/fix")
  here.write("main/fix/AGENTS.md", "@docs/style.md\n@../docs/style.md")
  mkdirSync(here.at("main/fix/src"))
  expect(here.gather("main/fix/src")).toEqual({
    files: ["/main/fix/AGENTS.md: @docs/style.md\n@../docs/style.md", "/main/fix/docs/style.md: style"],
    findings: [
      "import-outside /main/fix/AGENTS.md:2: imports ../docs/style.md, which is outside the folders that may be read. The line is sent as written.",
      shadowed("/main/AGENTS.md", "/main/fix/AGENTS.md"),
    ],
  })
})
