// Files for a program that has no workspace: which are read, what each carries, and what is said about the others.
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import { digest } from "../../src/base/digest.ts"
import { IncipitError } from "../../src/base/error.ts"
import { byCodePoint } from "../../src/base/order.ts"
import { identityAt } from "../../src/files/identity.ts"
import { readFiles } from "../../src/sources/read-files.ts"
import { makeFolder } from "./folder.ts"

function folderWith(files: Readonly<Record<string, string>>) {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  for (const [path, text] of Object.entries(files)) folder.write(path, text)
  return folder
}

/** The paths that were read, then one line for each diagnostic. */
function outcome(place: string | URL): readonly string[] {
  const { value, diagnostics } = readFiles(place, { role: "rules" })
  return [...value.map(({ path }) => path), ...diagnostics.map((one) => `! ${sentence(one)}`)]
}

test("a file has its text, who may see it, and where it comes from", () => {
  const text =
    "---\ntrust: inner\npriority: high\non_change: wait\nmax_tokens: 50\nsituations: [dm]\n---\nBe kind.\n"
  const { path } = folderWith({ "rules/tone.md": text, "rules/deep/refunds.md": "No refunds.\r\n" })
  const place = relative(process.cwd(), join(path, "rules"))
  expect(readFiles(place, { role: "rules", trust: "familiar" })).toEqual({
    value: [
      {
        ...{ role: "rules", path: `${place}/deep/refunds.md`, trust: "familiar", fields: {} },
        ...{ text: "No refunds.\n", firstLine: 1, digest: digest("No refunds.\n") },
        identity: identityAt(join(path, "rules/deep/refunds.md")),
      },
      {
        ...{ role: "rules", path: `${place}/tone.md`, trust: "inner", text: "Be kind.\n", firstLine: 8 },
        ...{ priority: "high", onChange: "wait", maxTokens: 50, situations: ["dm"] },
        ...{ digest: digest(text), identity: identityAt(join(path, "rules/tone.md")) },
        fields: {
          ...{ trust: "inner", priority: "high", on_change: "wait", max_tokens: 50, situations: ["dm"] },
        },
      },
    ],
    diagnostics: [],
  })
})

const TREE = {
  "rules/b.md": "b",
  "rules/B.md": "B",
  "rules/é.md": "e",
  "rules/a/z.md": "z",
  "rules/a/.hidden.md": "hidden",
  "rules/a/notes.txt": "notes",
  "rules/.github/x.md": "x",
  "rules/node_modules/p/README.md": "package",
  "rules/weird[1]/w.md": "w",
}

const READ: Readonly<Record<string, readonly string[]>> = {
  rules: [
    ...["rules/B.md", "rules/a/z.md", "rules/b.md", "rules/weird[1]/w.md", "rules/é.md"],
    "! rules/a/notes.txt: is not Markdown, so it was left out. To read all files, use the glob rules/**/*",
  ],
  "rules/": [
    ...["rules/B.md", "rules/a/z.md", "rules/b.md", "rules/weird[1]/w.md", "rules/é.md"],
    "! rules/a/notes.txt: is not Markdown, so it was left out. To read all files, use the glob rules/**/*",
  ],
  "rules/*.md": ["rules/B.md", "rules/b.md", "rules/é.md"],
  "rules/**/*": [
    "rules/B.md",
    "rules/a/notes.txt",
    "rules/a/z.md",
    "rules/b.md",
    "rules/weird[1]/w.md",
    "rules/é.md",
  ],
  "rules/**/*.{txt,rst}": ["rules/a/notes.txt"],
  "rules/[ab].md": ["rules/b.md"],
  "rules/?/z.md": ["rules/a/z.md"],
  "rules/.github/*.md": [".github/x.md"],
  "rules/*/.h*": ["rules/a/.hidden.md"],
  "rules/node_modules/*/*.md": ["node_modules/p/README.md"],
  "rules/weird[1]": ["weird[1]/w.md"],
  "rules/b.md": ["b.md"],
  "rules/a/notes.txt": ["notes.txt"],
}

test.each(Object.entries(READ))("%s reads these files, in code-point order", (place, expected) => {
  const { path } = folderWith(TREE)
  expect(outcome(join(path, place))).toEqual(expected)
})

test("a URL, its text and an absolute path show the folder's name; a relative path is shown as written", () => {
  const { path } = folderWith({ "rules/tone.md": "Be kind.\n" })
  const module = pathToFileURL(join(path, "program.ts"))
  const written = relative(process.cwd(), path)
  expect(outcome(new URL("rules", module))).toEqual(["rules/tone.md"])
  expect(outcome(new URL("rules/*.md", module))).toEqual(["rules/tone.md"])
  expect(outcome(new URL("rules", module).href)).toEqual(["rules/tone.md"])
  expect(outcome(join(path, "rules"))).toEqual(["rules/tone.md"])
  expect(outcome(`./${written}/rules`)).toEqual([`${written}/rules/tone.md`])
  expect(outcome(`${written}/rules/../rules/*`)).toEqual([`${written}/rules/tone.md`])
  expect(outcome(`${written}/rules/tone.md`)).toEqual([`${written}/rules/tone.md`])
})

test("what is left out or changed is said, and the rest is read", () => {
  const { path, write } = folderWith({
    "rules/good.md": "Good.\n",
    "rules/sealed.md": "---\ntrust: [\n---\nBroken.\n",
    "rules/large.md": "x".repeat(1024 * 1024 + 1),
    "rules/utf16.md": Buffer.from("Text.\n", "utf16le").toString("latin1"),
    "elsewhere/secret.md": "Secret.\n",
  })
  const at = (name: string) => join(path, "rules", name)
  writeFileSync(at("latin.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]))
  write("rules/bell.md", "Ding\u0007 dong\n")
  symlinkSync(join(path, "elsewhere/secret.md"), at("out.md"))
  symlinkSync(join(path, "elsewhere"), at("folder-out"))
  symlinkSync(at("nothing"), at("broken.md"))
  symlinkSync(at("loop.md"), at("loop.md"))
  symlinkSync(at("."), at("again"))
  mkdirSync(at("folder.md"))
  execFileSync("mkfifo", [at("pipe.md")])
  expect(outcome(join(path, "rules"))).toEqual([
    ...["rules/bell.md", "rules/good.md", "rules/latin.md", "rules/loop.md", "rules/sealed.md"],
    `! rules/folder-out: leads outside the folders that may be read, to ${join(path, "elsewhere")}. It was left out.`,
    "! rules/bell.md:1: has 1 control character (BEL) here. It was removed.",
    "! rules/broken.md: cannot be found: it is a broken link, or was just deleted. It was left out.",
    "! rules/large.md: has 1048577 bytes; files of up to 1048576 bytes are read. It was left out.",
    "! rules/latin.md: is not valid UTF-8. Invalid bytes are sent as U+FFFD.",
    "! rules/loop.md: cannot be read right now: its links lead in a circle. A running agent keeps the text it had.",
    `! rules/out.md: leads outside the folders that may be read, to ${join(path, "elsewhere/secret.md")}. It was left out.`,
    "! rules/pipe.md: is not a regular file. It was left out.",
    "! rules/sealed.md:2: invalid frontmatter: Flow sequence in block collection must be sufficiently indented and end with a ]",
    "! rules/utf16.md: contains NUL bytes, so it is a binary file or not in UTF-8. It was left out. Save it as UTF-8 text.",
  ])
  const { value } = readFiles(join(path, "rules"), { role: "rules" })
  expect(value.map(({ path, trust, text }) => [path, trust, text])).toEqual([
    ["rules/bell.md", "public", "Ding dong\n"],
    ["rules/good.md", "public", "Good.\n"],
    ["rules/latin.md", "public", "caf\ufffd"],
    ["rules/loop.md", "public", ""],
    // Its frontmatter cannot be read, so its restrictions are unknown.
    ["rules/sealed.md", "full", "Broken.\n"],
  ])
})

test("keys and hard links to them need full trust; a diagnostic about other files is for the operator", () => {
  const { path } = folderWith({ "app/.env": "KEY=1\n", "app/note.md": "A note.\n", "app/list.csv": "a,b\n" })
  linkSync(join(path, "app/.env"), join(path, "app/env.md"))
  const trusts = (place: string) =>
    readFiles(join(path, place), { role: "files" }).value.map(({ path, trust }) => [path, trust])
  expect(trusts("app")).toEqual([
    ["app/env.md", "full"],
    ["app/note.md", "public"],
  ])
  expect(trusts("app/.env")).toEqual([[".env", "full"]])
  const { diagnostics } = readFiles(join(path, "app"), { role: "files" })
  expect(diagnostics.map(({ code, needs }) => [code, needs])).toEqual([["not-markdown", "full"]])
})

test("an agent's own state is never read", () => {
  const { path } = folderWith({ "state/incipit/0123456789abcdef0123/history": "what somebody typed\n" })
  const before = process.env.XDG_STATE_HOME
  process.env.XDG_STATE_HOME = join(path, "state")
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME
    else process.env.XDG_STATE_HOME = before
  })
  expect(outcome(join(path, "state/**/history"))).toEqual([
    "! state/incipit/0123456789abcdef0123/history: belongs to the state of an agent, which is never sent. It was left out.",
  ])
})

test("nothing found is said", () => {
  const { path } = folderWith({ "rules/list.csv": "a,b\n" })
  expect(outcome(join(path, "rules"))).toEqual([
    "! rules/list.csv: is not Markdown, so it was left out. To read all files, use the glob rules/**/*",
    `! ${path}/rules: has no Markdown files. To read other files, use a glob that names them, such as *.txt.`,
  ])
  expect(outcome(join(path, "rules/*.md"))).toEqual([`! ${path}/rules/*.md: matches no file.`])
})

test("more files than a prompt can mean are cut off with a warning", () => {
  const { path } = folderWith({})
  mkdirSync(join(path, "rules"))
  for (let at = 0; at < 1001; at += 1) writeFileSync(join(path, "rules", `${at}.md`), "x")
  const { value, diagnostics } = readFiles(join(path, "rules"), { role: "rules" })
  expect([value.length, ...diagnostics.map(sentence)]).toEqual([
    1000,
    `${path}/rules: has more than 1000 files. The rest was not read.`,
  ])
})

test("folders that are too deep to look through are said", () => {
  const { path } = folderWith({ [`rules/${"d/".repeat(17)}deep.md`]: "Deep.\n", "rules/a.md": "A.\n" })
  expect(outcome(join(path, "rules"))).toEqual([
    "rules/a.md",
    `! ${path}/rules: has too many files or too deep folders to look through all of them. Use a narrower glob.`,
  ])
})

test("a place that cannot be read is an error with the path that was looked at", () => {
  const { path } = folderWith({ "rules/tone.md": "Be kind.\n" })
  const missing = relative(process.cwd(), join(path, "rulez"))
  const error = (place: string | URL) => {
    try {
      return outcome(place)
    } catch (problem) {
      return problem instanceof IncipitError ? `${problem.code}: ${problem.message}` : problem
    }
  }
  expect([
    error(missing),
    error(`${missing}/*.md`),
    error(join(path, "rulez")),
    error(join(path, "rules/tone.md/*.md")),
    error(`${path}/rules/*/../x.md`),
    error(join(path, `rules/${"{a,b}".repeat(9)}`)),
    error(""),
    error("a\0b"),
    error(new URL("https://example.com/rules")),
    error(new URL("rules?.md", pathToFileURL(`${path}/`))),
    // A wrong type, as a program without types may pass it.
    error(["rules"] as never),
  ]).toEqual([
    `unreadable-file: cannot read ${missing}: no such file or folder (looked for ${path}/rulez)`,
    `unreadable-file: cannot read ${missing}/*.md: no such file or folder (looked for ${path}/rulez)`,
    `unreadable-file: cannot read ${path}/rulez: no such file or folder`,
    `unreadable-file: cannot read ${path}/rules/tone.md/*.md: it is not a folder (looked for ${path}/rules/tone.md)`,
    `bad-files: cannot read files: "${path}/rules/*/../x.md" has ".." after a wildcard, so it matches nothing`,
    `bad-files: cannot read files: "${path}/rules/${"{a,b}".repeat(9)}" is too complex a glob`,
    `bad-files: cannot read files: "" is empty`,
    `bad-files: cannot read files: "a\\u0000b" has a NUL character`,
    `bad-files: cannot read files: "https://example.com/rules" is not a file: URL`,
    `bad-files: cannot read files: "file://${path}/rules?.md" has a ? or a #; write %3F or %23 instead`,
    "bad-files: cannot read files: rules is neither a path nor a URL",
  ])
  expect(() => readFiles(path, { role: "rules", trust: "friends" as never })).toThrow(
    'cannot read files: "friends" is not one of public, familiar, inner, full',
  )
})

const NAME = fc.constantFrom("a", "b", "Z", "é", "𐐀", "\uE000", "x y", "c.md.d")
const FILE = fc.tuple(fc.array(NAME, { maxLength: 3 }), NAME, fc.constantFrom(".md", ".txt", ""))

test("every Markdown file of a tree is read once, whole and in order; every other file is counted", () => {
  fc.assert(
    fc.property(fc.array(FILE, { maxLength: 12 }), (files) => {
      const folder = makeFolder()
      try {
        const ways = new Set(
          files.map(([folders, name, end]) =>
            [...folders.map((one) => `${one}.d`), `${name}${end}`].join("/"),
          ),
        )
        for (const way of ways) folder.write(`rules/${way}`, `Text of ${way}.\n`)
        mkdirSync(join(folder.path, "rules"), { recursive: true })
        const { value, diagnostics } = readFiles(join(folder.path, "rules"), { role: "rules" })
        const markdown = [...ways].filter((way) => way.endsWith(".md")).sort(byCodePoint)
        expect(value.map(({ path, text }) => [path, text])).toEqual(
          markdown.map((way) => [`rules/${way}`, `Text of ${way}.\n`]),
        )
        const others = diagnostics.flatMap((one) =>
          one.code === "not-markdown" ? 1 + (one.others ?? 0) : [],
        )
        expect(others.reduce((sum, count) => sum + count, 0)).toBe(ways.size - markdown.length)
      } finally {
        rmSync(folder.path, { recursive: true })
      }
    }),
    { numRuns: 60 },
  )
})
