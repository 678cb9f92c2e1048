import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { contextFor, gatherContext } from "../../../src/sources/context/context.ts"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
})
afterEach(() => here.remove())

const ALL = { policy: "all" } as const

test("the home folder's file comes first, then the directories from the outermost to the working directory", () => {
  here.write("repo/app/AGENTS.md")
  here.write("AGENTS.md", "outermost")
  here.write("repo/CLAUDE.md")
  here.write("home/.incipit/AGENTS.md")
  here.write("repo/app/below/AGENTS.md")
  here.write("repo/other/AGENTS.md")
  here.write("home/AGENTS.md")
  expect(here.gather("repo/app")).toEqual({
    files: [
      "~/.incipit/AGENTS.md: home/.incipit/AGENTS.md",
      "/AGENTS.md: outermost",
      "/repo/CLAUDE.md: repo/CLAUDE.md",
      "/repo/app/AGENTS.md: repo/app/AGENTS.md",
    ],
    findings: [],
  })
})

test("the walk goes above the git root, as pi's does", () => {
  here.git("repo", "init", "-q")
  here.write("AGENTS.md")
  here.write("repo/AGENTS.md")
  expect(here.gather("repo").files).toEqual(["/AGENTS.md: AGENTS.md", "/repo/AGENTS.md: repo/AGENTS.md"])
})

test("without a home folder nothing comes first", () => {
  here.write("home/.incipit/AGENTS.md")
  here.write("repo/AGENTS.md")
  const { directory, policy, known, trust } = here.options("repo")
  const { files } = gatherContext({ directory, policy, known, trust })
  expect(files.filter(({ path }) => path.startsWith(here.at(""))).map(({ path }) => path)).toEqual([
    here.at("repo/AGENTS.md"),
  ])
})

test("a home folder whose .incipit is the working directory is sent once, as the home folder's", () => {
  here.write("home/.incipit/AGENTS.md", "x")
  here.write("home/.incipit/CLAUDE.md", "y")
  expect(here.gather("home/.incipit")).toEqual({
    files: ["~/.incipit/AGENTS.md: x"],
    findings: [
      "file-shadowed ~/.incipit/CLAUDE.md: is ignored because ~/.incipit/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("first: per directory the first name wins, and every other that is there is a diagnostic", () => {
  for (const name of ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"])
    here.write(`repo/${name}`)
  expect(here.gather("repo")).toEqual({
    files: ["/repo/AGENTS.override.md: repo/AGENTS.override.md"],
    findings: ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"].map(
      (name) =>
        `file-shadowed /repo/${name}: is ignored because /repo/AGENTS.override.md takes its place. To read both, set prompt.context: all.`,
    ),
  })
})

test.each([
  ["AGENTS.md", "AGENTS.MD"],
  ["AGENTS.MD", "CLAUDE.md"],
  ["CLAUDE.md", "CLAUDE.MD"],
])("first: %s is before %s", (winner, other) => {
  here.write(`repo/${other}`, "other")
  here.write(`repo/${winner}`, "winner")
  expect(here.gather("repo")).toEqual({
    files: [`/repo/${winner}: winner`],
    findings: [
      `file-shadowed /repo/${other}: is ignored because /repo/${winner} takes its place. To read both, set prompt.context: all.`,
    ],
  })
})

test("first: each directory chooses for itself", () => {
  here.write("repo/AGENTS.md", "a")
  here.write("repo/app/CLAUDE.md", "b")
  expect(here.gather("repo/app")).toEqual({
    files: ["/repo/AGENTS.md: a", "/repo/app/CLAUDE.md: b"],
    findings: [],
  })
})

test("all: every name of a directory is read, in the fixed order, outermost directory first", () => {
  for (const name of [
    "CLAUDE.local.md",
    "CLAUDE.MD",
    "CLAUDE.md",
    "AGENTS.MD",
    "AGENTS.md",
    "AGENTS.override.md",
  ])
    here.write(`repo/app/${name}`, "x")
  here.write("repo/CLAUDE.local.md", "y")
  here.write("repo/CLAUDE.md", "y")
  expect(here.gather("repo/app", ALL)).toEqual({
    files: [
      "/repo/CLAUDE.md: y",
      "/repo/CLAUDE.local.md: y",
      "/repo/app/AGENTS.override.md: x",
      "/repo/app/AGENTS.md: x",
      "/repo/app/AGENTS.MD: x",
      "/repo/app/CLAUDE.md: x",
      "/repo/app/CLAUDE.MD: x",
      "/repo/app/CLAUDE.local.md: x",
    ],
    findings: [],
  })
})

test("CLAUDE.local.md is read besides the winner, after it, and hides nothing", () => {
  here.write("repo/CLAUDE.local.md", "local")
  here.write("repo/AGENTS.md", "winner")
  here.write("repo/app/CLAUDE.local.md", "alone")
  expect(here.gather("repo/app")).toEqual({
    files: ["/repo/AGENTS.md: winner", "/repo/CLAUDE.local.md: local", "/repo/app/CLAUDE.local.md: alone"],
    findings: [],
  })
})

test.each(["first", "all"] as const)(
  "%s: rules only of the working directory, where it is in no repository, last, by code point",
  (policy) => {
    here.write("repo/.claude/rules/outer.md", "no")
    here.write("repo/app/AGENTS.md", "agents")
    here.write("repo/app/CLAUDE.local.md", "local")
    for (const name of ["b.md", "B.md", "ä.md", "a.md", "notes.txt", ".hidden.md", "deep/c.md"])
      here.write(`repo/app/.claude/rules/${name}`, "rule")
    expect(here.gather("repo/app", { policy })).toEqual({
      files: [
        "/repo/app/AGENTS.md: agents",
        "/repo/app/CLAUDE.local.md: local",
        "/repo/app/.claude/rules/B.md: rule",
        "/repo/app/.claude/rules/a.md: rule",
        "/repo/app/.claude/rules/b.md: rule",
        "/repo/app/.claude/rules/deep/c.md: rule",
        "/repo/app/.claude/rules/ä.md: rule",
      ],
      findings: [],
    })
  },
)

test.each(["", " \n\t\n", "\ufeff\r\n", "---\ndescription: d\n---\n\n"])(
  "an AGENTS.md that is %j is not told, and still hides CLAUDE.md",
  (text) => {
    here.write("repo/AGENTS.md", text)
    here.write("repo/CLAUDE.md", "hidden")
    expect(here.gather("repo")).toEqual({
      files: [],
      findings: [
        "file-shadowed /repo/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
      ],
    })
    expect(here.gather("repo", ALL)).toEqual({ files: ["/repo/CLAUDE.md: hidden"], findings: [] })
  },
)

test("a file is sent with its role, identity, lines and fields; its frontmatter does not say who sees it", () => {
  here.write(
    "repo/AGENTS.md",
    "---\ndescription: d\ntrust: public\nsituations: [dm]\naudience: main\n---\nBody.\n",
  )
  const { files } = gatherContext(here.options("repo", { trust: "inner" }))
  expect(files.filter(({ path }) => path.startsWith(here.at("")))).toEqual([
    {
      role: "context",
      path: here.at("repo/AGENTS.md"),
      identity: expect.stringMatching(/^\d+:\d+$/),
      trust: "inner",
      text: "Body.\n",
      firstLine: 7,
      digest: expect.any(String),
      fields: { description: "d", trust: "public", situations: ["dm"], audience: "main" },
    },
  ])
})

test("a diagnostic is as hidden as the files it is about", () => {
  here.write("repo/AGENTS.md", "@missing.md")
  here.write("repo/CLAUDE.md", "x")
  const { diagnostics } = gatherContext(here.options("repo", { trust: "inner" }))
  expect(diagnostics.filter((finding) => "path" in finding && finding.path.startsWith(here.at("")))).toEqual([
    {
      code: "import-missing",
      path: here.at("repo/AGENTS.md"),
      line: 1,
      target: "missing.md",
      needs: "inner",
    },
    {
      code: "file-shadowed",
      path: here.at("repo/CLAUDE.md"),
      by: here.at("repo/AGENTS.md"),
      isChoice: true,
      needs: "inner",
    },
  ])
})

test("a working directory that is not there has the context of the folders that are", () => {
  here.write("repo/AGENTS.md", "x")
  expect(here.gather("repo/to/be/made")).toEqual({ files: ["/repo/AGENTS.md: x"], findings: [] })
})

test("of more than 64 directories the nearest 64 are walked, and a diagnostic says so", () => {
  const deep = join("d", ...Array<string>(64).fill("d"))
  here.write("d/AGENTS.md", "65 up")
  here.write("d/d/AGENTS.md", "64 up")
  mkdirSync(here.at(deep), { recursive: true })
  const finding = `too-many-files /${deep}: has more than 64 files. The rest was not read.`
  expect(here.gather(deep)).toEqual({ files: ["/d/d/AGENTS.md: 64 up"], findings: [finding] })
  const { files } = contextFor(here.at(join(deep, "x.ts")), here.options("d/.."))
  expect(files.map(({ path }) => path)).toEqual([here.at("d/d/AGENTS.md")])
})

test("more than 200 files are a diagnostic, and the first 200 are sent", () => {
  for (let at = 0; at < 250; at += 1) here.write(`repo/${at}.md`, "imported")
  here.write("repo/AGENTS.md", Array.from({ length: 250 }, (_, at) => `@${at}.md`).join("\n"))
  here.write("repo/.claude/rules/last.md", "rule")
  const { files, findings } = here.gather("repo")
  expect(findings).toEqual(["too-many-files /repo: has more than 200 files. The rest was not read."])
  expect(files.slice(1)).toEqual(Array.from({ length: 199 }, (_, at) => `/repo/${at}.md: imported`))
})

test("more than 200 rules are a diagnostic, and the first 200 by name are sent", () => {
  const names = Array.from({ length: 203 }, (_, at) => `${String(at).padStart(3, "0")}.md`)
  for (const name of names) here.write(`repo/.claude/rules/${name}`, "x")
  expect(here.gather("repo")).toEqual({
    files: names.slice(0, 200).map((name) => `/repo/.claude/rules/${name}: x`),
    findings: ["too-many-files /repo/.claude/rules: has more than 200 files. The rest was not read."],
  })
})
