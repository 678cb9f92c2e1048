import { linkSync, mkdirSync, statSync, symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
})
afterEach(() => here.remove())

const identityOf = (path: string) => {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

test.each(["first", "all"] as const)(
  "%s: CLAUDE.md as a link to AGENTS.md is the same file, silently",
  (policy) => {
    here.write("repo/AGENTS.md", "x")
    symlinkSync("AGENTS.md", here.at("repo/CLAUDE.md"))
    expect(here.gather("repo", { policy })).toEqual({ files: ["/repo/AGENTS.md: x"], findings: [] })
  },
)

test.each(["first", "all"] as const)("%s: a hard link is the same file, silently", (policy) => {
  here.write("repo/AGENTS.md", "x")
  mkdirSync(here.at("repo/app"))
  linkSync(here.at("repo/AGENTS.md"), here.at("repo/CLAUDE.md"))
  linkSync(here.at("repo/AGENTS.md"), here.at("repo/app/AGENTS.md"))
  expect(here.gather("repo/app", { policy })).toEqual({ files: ["/repo/AGENTS.md: x"], findings: [] })
})

test("a link to a file of an outer directory is the same file, even if it leads outside the roots", () => {
  here.write("AGENTS.md", "x")
  mkdirSync(here.at("repo"))
  symlinkSync("../AGENTS.md", here.at("repo/AGENTS.md"))
  expect(here.gather("repo")).toEqual({ files: ["/AGENTS.md: x"], findings: [] })
})

test("a file that is elsewhere in the prompt is not sent again, and still hides the others", () => {
  const known = new Set([identityOf(here.write("repo/AGENTS.md", "behaviour"))])
  here.write("repo/CLAUDE.md", "hidden")
  expect(here.gather("repo", { known })).toEqual({
    files: [],
    findings: [
      "file-shadowed /repo/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("a hidden file that is elsewhere in the prompt is no diagnostic", () => {
  here.write("repo/AGENTS.md", "x")
  const known = new Set([identityOf(here.write("repo/CLAUDE.md", "told elsewhere"))])
  expect(here.gather("repo", { known })).toEqual({ files: ["/repo/AGENTS.md: x"], findings: [] })
})

test("an import of what is elsewhere in the prompt adds nothing", () => {
  here.write("repo/AGENTS.md", "@SOUL.md")
  const known = new Set([identityOf(here.write("repo/SOUL.md", "soul"))])
  expect(here.gather("repo", { known })).toEqual({ files: ["/repo/AGENTS.md: @SOUL.md"], findings: [] })
})

test("a working directory behind a link has the context of the directory it leads to", () => {
  here.write("real/AGENTS.md", "real")
  here.write("real/app/AGENTS.md", "app")
  here.write("links/AGENTS.md", "not above it")
  symlinkSync("../real/app", here.at("links/app"))
  const expected = { files: ["/real/AGENTS.md: real", "/real/app/AGENTS.md: app"], findings: [] }
  expect(here.gather("links/app")).toEqual(expected)
  expect(here.gather("real/app")).toEqual(expected)
})

test("a link inside the git root is followed; its imports are seen from the file, not from the link", () => {
  here.git("repo", "init", "-q")
  here.write("repo/docs/agents.md", "@style.md")
  here.write("repo/docs/style.md", "style")
  mkdirSync(here.at("repo/app"))
  symlinkSync("../docs/agents.md", here.at("repo/app/AGENTS.md"))
  expect(here.gather("repo/app")).toEqual({
    files: ["/repo/app/AGENTS.md: @style.md", "/repo/docs/style.md: style"],
    findings: [],
  })
})

test("a link that leads out of the git root is refused, and takes the place all the same", () => {
  here.git("repo", "init", "-q")
  here.write("secret.md", "secret")
  here.write("repo/CLAUDE.md", "hidden")
  symlinkSync("../secret.md", here.at("repo/AGENTS.md"))
  expect(here.gather("repo")).toEqual({
    files: [],
    findings: [
      "outside-roots /repo/AGENTS.md: leads outside the folders that may be read, to /secret.md. It was left out.",
      "file-shadowed /repo/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("outside of git each directory is its own root: a link into another one is refused", () => {
  here.write("docs/agents.md", "x")
  here.write("repo/app/x", "")
  symlinkSync("../../docs/agents.md", here.at("repo/app/AGENTS.md"))
  symlinkSync("app/x", here.at("repo/AGENTS.md"))
  expect(here.gather("repo/app")).toEqual({
    files: [],
    findings: [
      "outside-roots /repo/app/AGENTS.md: leads outside the folders that may be read, to /docs/agents.md. It was left out.",
    ],
  })
})

test("an .incipit that is a link is read, and shown as the home folder's", () => {
  here.write("dotfiles/incipit/AGENTS.md", "@more.md")
  here.write("dotfiles/incipit/more.md", "more")
  mkdirSync(here.at("home"))
  symlinkSync("../dotfiles/incipit", here.at("home/.incipit"))
  expect(here.gather("repo")).toEqual({
    files: ["~/.incipit/AGENTS.md: @more.md", "~/.incipit/more.md: more"],
    findings: [],
  })
})

test("a link that leads nowhere is no file", () => {
  here.write("repo/CLAUDE.md", "x")
  symlinkSync("gone.md", here.at("repo/AGENTS.md"))
  expect(here.gather("repo")).toEqual({ files: ["/repo/CLAUDE.md: x"], findings: [] })
})

describe("a link that was checked out as a plain file, as on Windows", () => {
  beforeEach(() => here.git("repo", "init", "-q"))

  test.each([
    ["CLAUDE.md", "CLAUDE.md"],
    ["./docs/AI.md", "docs/AI.md"],
    ["docs/AI.md\n", "docs/AI.md"],
  ])("%j is followed", (text, target) => {
    here.write("repo/AGENTS.md", text)
    here.write(`repo/${target}`, "Rules.")
    const { files, findings } = here.gather("repo")
    expect(files).toEqual([`/repo/AGENTS.md: ${text}`, `/repo/${target}: Rules.`])
    expect(findings).toEqual([])
  })

  test("what it leads to may be missing or outside", () => {
    here.write("secret.md", "Secret.")
    here.write("repo/AGENTS.md", "docs/absent.md")
    here.write("repo/app/AGENTS.md", "../../secret.md")
    expect(here.gather("repo/app").findings).toEqual([
      "import-outside /repo/app/AGENTS.md:1: imports ../../secret.md, which is outside the folders that may be read. The line is sent as written.",
    ])
  })

  test("a CLAUDE.md that leads to AGENTS.md adds nothing", () => {
    here.write("repo/AGENTS.md", "Rules.")
    here.write("repo/CLAUDE.md", "AGENTS.md")
    expect(here.gather("repo")).toEqual({ files: ["/repo/AGENTS.md: Rules."], findings: [] })
  })

  test.each([
    "See CLAUDE.md",
    "See docs/../CLAUDE.md",
    "CLAUDE.md\nMore.",
    "# CLAUDE.md",
    "`CLAUDE.md`",
    "LICENSE",
  ])("%j is a text", (text) => {
    here.write("repo/AGENTS.md", text)
    here.write("repo/CLAUDE.md", "Rules.")
    here.write("repo/LICENSE", "Free.")
    expect(here.gather("repo").files).toEqual([`/repo/AGENTS.md: ${text}`])
  })
})
