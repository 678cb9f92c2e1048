import { mkdirSync, symlinkSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import { gatherContext } from "../../../src/sources/context/context.ts"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
  here.git("repo", "init", "-q")
})
afterEach(() => here.remove())

/** What comes after an AGENTS.md with this text. */
function importsOf(text: string, directory = "repo") {
  here.write(`${directory}/AGENTS.md`, text)
  const { files, findings } = here.gather(directory)
  expect(files[0]).toBe(`/${directory}/AGENTS.md: ${text}`)
  return { files: files.slice(1), findings }
}

test("an imported file is an entry of its own after the one that imports it, whose text stays as it is", () => {
  here.write("repo/docs/a.md", "---\ndescription: of a\n---\nText of a.\n")
  here.write("repo/AGENTS.md", "First.\n@docs/a.md\nLast.\n")
  const { files } = gatherContext(here.options("repo", { trust: "inner" }))
  const facts = {
    role: "context",
    trust: "inner",
    identity: expect.stringMatching(/^\d+:\d+$/),
    digest: expect.any(String),
  }
  expect(files.filter(({ path }) => path.startsWith(here.at("")))).toEqual([
    {
      ...facts,
      path: here.at("repo/AGENTS.md"),
      text: "First.\n@docs/a.md\nLast.\n",
      firstLine: 1,
      fields: {},
    },
    {
      ...facts,
      path: here.at("repo/docs/a.md"),
      text: "Text of a.\n",
      firstLine: 4,
      fields: { description: "of a" },
    },
  ])
})

test.each([
  ["a relative path", "@docs/a.md"],
  ["a path with a dot", "@./docs/a.md"],
  ["spaces around it", "  @docs/a.md  "],
  ["the start of a sentence", "@docs/a.md has the rules."],
  ["the middle of a sentence", "See @docs/a.md for more."],
  ["the end of a sentence", "It is in @docs/a.md."],
  ["brackets", "The rules (@docs/a.md) count."],
  ["emphasis", "The rules in **@docs/a.md** count."],
  ["quotes", 'The rules in "@docs/a.md", they count.'],
  ["an item of a list", "- @docs/a.md"],
  ["a line after a closed fence", "```\nx\n```\n@docs/a.md"],
  ["a line with code before it", "Run `x` as in @docs/a.md"],
  ["a line with an odd backtick", "A ` and @docs/a.md"],
])("an import is found in %s", (_, text) => {
  here.write("repo/docs/a.md", "a")
  expect(importsOf(text)).toEqual({ files: ["/repo/docs/a.md: a"], findings: [] })
})

test.each([
  ["a fence", "```\n@docs/a.md\n```"],
  ["a fence with tildes", "~~~md\n@docs/a.md\n~~~"],
  ["a fence in a list", "- x\n    ```\n    @docs/a.md\n    ```"],
  ["a fence that is never closed", "```\n@docs/a.md"],
  ["inline code", "Write `@docs/a.md` there."],
  ["inline code with more backticks", "Write `` ` @docs/a.md `` there."],
  ["inline code with code in it", "Write `` `a` @docs/a.md `` there."],
  ["inline code alone on a line", "`@docs/a.md`"],
  ["a mail address", "Write to me@docs/a.md please."],
  ["a bare @", "@ docs/a.md"],
])("%s holds no import", (_, text) => {
  here.write("repo/docs/a.md", "a")
  expect(importsOf(text)).toEqual({ files: [], findings: [] })
})

test.each(["a.md", "a.txt", "a.mdc", "Makefile", "src/a.ts", "my\\ notes.md"])(
  "%s can be imported",
  (path) => {
    const name = path.replace("\\", "")
    here.write(`repo/${name}`, "text")
    expect(importsOf(`@${path}`)).toEqual({ files: [`/repo/${name}: text`], findings: [] })
    expect(importsOf(`See @${path}.`)).toEqual({ files: [`/repo/${name}: text`], findings: [] })
  },
)

test("paths may be absolute, or from the home folder", () => {
  here.git("home/project", "init", "-q")
  here.write("home/project/a.md", "a")
  here.write("home/project/b.md", "b")
  const text = `@${here.at("home/project/a.md")}\n@~/project/b.md`
  here.write("home/project/AGENTS.md", text)
  expect(here.gather("home/project")).toEqual({
    files: [
      "/home/project/AGENTS.md: @/home/project/a.md\n@~/project/b.md",
      "/home/project/a.md: a",
      "/home/project/b.md: b",
    ],
    findings: [],
  })
})

test("without a home folder, a path from it is missing", () => {
  here.write("repo/AGENTS.md", "@~/a.md\n@~/etc/passwd")
  const { directory, policy, known, trust } = here.options("repo")
  const { diagnostics } = gatherContext({ directory, policy, known, trust })
  expect(diagnostics.filter((finding) => finding.code.startsWith("import-"))).toEqual([
    { code: "import-missing", path: here.at("repo/AGENTS.md"), line: 1, target: "~/a.md", needs: "familiar" },
  ])
})

test("what is missing is a diagnostic with its line, if it is alone and looks like a text", () => {
  expect(importsOf("One.\n\n@docs/gone.md\n@gone.txt")).toEqual({
    files: [],
    findings: [
      "import-missing /repo/AGENTS.md:3: imports docs/gone.md, which does not exist. The line is sent as written.",
      "import-missing /repo/AGENTS.md:4: imports gone.txt, which does not exist. The line is sent as written.",
    ],
  })
})

test("what is missing is a diagnostic also if it was mentioned before", () => {
  expect(importsOf("See @gone.md.\n@gone.md").findings).toEqual([
    "import-missing /repo/AGENTS.md:2: imports gone.md, which does not exist. The line is sent as written.",
  ])
})

test("the line of a diagnostic counts the frontmatter", () => {
  here.write("repo/AGENTS.md", "---\ndescription: x\n---\nOne.\n@gone.md")
  expect(here.gather("repo").findings).toEqual([
    "import-missing /repo/AGENTS.md:5: imports gone.md, which does not exist. The line is sent as written.",
  ])
})

test("a mention is no import: of a person, a package, a decorator, a folder, a file that is not there", () => {
  mkdirSync(here.at("repo/src"))
  const text =
    "Ask @alice about @scope/name.\n@alice\n@Injectable()\nSee @gone.md in @src or @src/.\n@.\n@..\n@@@ @. @.. @~"
  expect(importsOf(text)).toEqual({ files: [], findings: [] })
})

test("a folder on a line of its own is a diagnostic", () => {
  mkdirSync(here.at("repo/docs"))
  expect(importsOf("@docs")).toEqual({
    files: [],
    findings: ["not-a-regular-file /repo/docs: is not a regular file. It was left out."],
  })
})

test("nothing outside of the git root is imported, by path, link, or from the home folder", () => {
  here.write("secret.md", "secret")
  here.write("home/.incipit/own.md", "own")
  symlinkSync("../secret.md", here.at("repo/link.md"))
  const outside = (line: number, target: string) =>
    `import-outside /repo/AGENTS.md:${line}: imports ${target}, which is outside the folders that may be read. The line is sent as written.`
  const text = "@../secret.md\nSee @link.md.\n@~/.incipit/own.md\n@/etc/passwd\n@/etc/gone.md"
  expect(importsOf(text)).toEqual({
    files: [],
    findings: [
      outside(1, "../secret.md"),
      outside(2, "link.md"),
      outside(3, "~/.incipit/own.md"),
      outside(4, "/etc/passwd"),
      "import-missing /repo/AGENTS.md:5: imports /etc/gone.md, which does not exist. The line is sent as written.",
    ],
  })
})

test("the home folder's file imports from its .incipit, and from nowhere else", () => {
  here.write("home/.incipit/AGENTS.md", "@style.md\n@~/.incipit/more/b.md\n@../diary.md")
  here.write("home/.incipit/style.md", "style")
  here.write("home/.incipit/more/b.md", "b")
  here.write("home/diary.md", "dear diary")
  expect(here.gather("repo")).toEqual({
    files: [
      "~/.incipit/AGENTS.md: @style.md\n@~/.incipit/more/b.md\n@../diary.md",
      "~/.incipit/style.md: style",
      "~/.incipit/more/b.md: b",
    ],
    findings: [
      "import-outside ~/.incipit/AGENTS.md:3: imports ../diary.md, which is outside the folders that may be read. The line is sent as written.",
    ],
  })
})

test("a home folder that is a repository does not widen what its .incipit may import", () => {
  here.git("home", "init", "-q")
  here.write("home/.incipit/AGENTS.md", "@../diary.md")
  here.write("home/diary.md", "dear diary")
  expect(here.gather("home/work")).toEqual({
    files: ["~/.incipit/AGENTS.md: @../diary.md"],
    findings: [
      "import-outside ~/.incipit/AGENTS.md:1: imports ../diary.md, which is outside the folders that may be read. The line is sent as written.",
    ],
  })
})

test("outside of git, a file imports from its own directory and below", () => {
  here.write("plain/a.md", "a")
  here.write("plain/app/b.md", "b")
  here.write("plain/app/AGENTS.md", "@b.md\n@../a.md")
  here.write("plain/AGENTS.md", "@app/b.md")
  expect(here.gather("plain/app")).toEqual({
    files: ["/plain/AGENTS.md: @app/b.md", "/plain/app/b.md: b", "/plain/app/AGENTS.md: @b.md\n@../a.md"],
    findings: [
      "import-outside /plain/app/AGENTS.md:2: imports ../a.md, which is outside the folders that may be read. The line is sent as written.",
    ],
  })
})

test("what is refused to one file may be imported by another", () => {
  here.write("shared/own.md", "own")
  here.write("shared/AGENTS.md", "x")
  here.write("home/.incipit/AGENTS.md", `@${here.at("shared/own.md")}`)
  here.write("shared/app/AGENTS.md", "y")
  here.write("shared/AGENTS.md", "@own.md")
  expect(here.gather("shared/app").files.slice(1)).toEqual([
    "/shared/AGENTS.md: @own.md",
    "/shared/own.md: own",
    "/shared/app/AGENTS.md: y",
  ])
})

test("imports of imports follow in depth, each seen from its own folder, and each file comes once", () => {
  here.write("repo/a/one.md", "@two.md\n@../b/three.md")
  here.write("repo/a/two.md", "@../b/three.md")
  here.write("repo/b/three.md", "three")
  here.write("repo/last.md", "last @a/two.md")
  expect(importsOf("@a/one.md\n@last.md\nagain @a/one.md")).toEqual({
    files: [
      "/repo/a/one.md: @two.md\n@../b/three.md",
      "/repo/a/two.md: @../b/three.md",
      "/repo/b/three.md: three",
      "/repo/last.md: last @a/two.md",
    ],
    findings: [],
  })
})

test("an import four files deep is read, the fifth is a diagnostic", () => {
  for (let at = 1; at <= 6; at += 1) here.write(`repo/${at}.md`, `@${at + 1}.md`)
  expect(importsOf("@1.md")).toEqual({
    files: ["/repo/1.md: @2.md", "/repo/2.md: @3.md", "/repo/3.md: @4.md", "/repo/4.md: @5.md"],
    findings: [
      "import-too-deep /repo/4.md:1: imports 5.md, which is more than 4 imports deep. The line is sent as written.",
    ],
  })
})

test("a circle of imports ends with a diagnostic", () => {
  here.write("repo/a.md", "@b.md")
  here.write("repo/b.md", "One.\nBack to @AGENTS.md, and @b.md")
  expect(importsOf("@a.md")).toEqual({
    files: ["/repo/a.md: @b.md", "/repo/b.md: One.\nBack to @AGENTS.md, and @b.md"],
    findings: [
      "import-cycle /repo/b.md:2: imports AGENTS.md, which imports this file. The line is sent as written.",
      "import-cycle /repo/b.md:2: imports b.md, which imports this file. The line is sent as written.",
    ],
  })
})

test("a circle through a link is found by identity", () => {
  symlinkSync("AGENTS.md", here.at("repo/other.md"))
  expect(importsOf("@other.md")).toEqual({
    files: [],
    findings: [
      "import-cycle /repo/AGENTS.md:1: imports other.md, which imports this file. The line is sent as written.",
    ],
  })
})

test("an AGENTS.md that imports CLAUDE.md does not hide it", () => {
  here.write("repo/CLAUDE.md", "c")
  expect(importsOf("@CLAUDE.md")).toEqual({ files: ["/repo/CLAUDE.md: c"], findings: [] })
})

test("a CLAUDE.md that only imports AGENTS.md adds it, or nothing if that is read already", () => {
  here.write("repo/CLAUDE.md", "@AGENTS.md")
  here.write("repo/AGENTS.md", "a")
  expect(here.gather("repo", { policy: "all" })).toEqual({
    files: ["/repo/AGENTS.md: a", "/repo/CLAUDE.md: @AGENTS.md"],
    findings: [],
  })
})

test("a nearer file that was imported by an outer one comes there, once", () => {
  here.write("repo/app/AGENTS.md", "app")
  here.write("repo/AGENTS.md", "@app/AGENTS.md")
  here.write("repo/app/CLAUDE.md", "hidden")
  expect(here.gather("repo/app")).toEqual({
    files: ["/repo/AGENTS.md: @app/AGENTS.md", "/repo/app/AGENTS.md: app"],
    findings: [
      "file-shadowed /repo/app/CLAUDE.md: is ignored because /repo/app/AGENTS.md takes its place. To read both, set prompt.context: all.",
    ],
  })
})

test("an imported file of only whitespace is left out silently", () => {
  here.write("repo/empty.md", " \n")
  expect(importsOf("@empty.md")).toEqual({ files: [], findings: [] })
})

test("rules and local notes import too", () => {
  here.write("repo/.claude/rules/r.md", "@../../r-more.md")
  here.write("repo/CLAUDE.local.md", "@l-more.md")
  here.write("repo/r-more.md", "r")
  here.write("repo/l-more.md", "l")
  expect(here.gather("repo")).toEqual({
    files: [
      "/repo/CLAUDE.local.md: @l-more.md",
      "/repo/l-more.md: l",
      "/repo/.claude/rules/r.md: @../../r-more.md",
      "/repo/r-more.md: r",
    ],
    findings: [],
  })
})
