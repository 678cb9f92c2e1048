// `list`, `find` and `grep`: in order, without what git ignores and without what the asker may not see.
import { closeSync, ftruncateSync, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { globMatcher } from "../../src/tools/files/glob.ts"
import { type Acting, makeActing } from "./acting.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

function project() {
  for (const path of [
    "README.md",
    "Zed.md",
    "a-b.md",
    "a/b.md",
    "a/deep/er/c.ts",
    "dist/out.js",
    "keep.log",
    "node_modules/x/index.js",
    "other.log",
    ".git/config",
    "é.md",
    "👩‍👩‍👧.md",
  ])
    acting.write(path, `the tea of ${path}\nnothing\n`)
  acting.write(".gitignore", "# built\ndist/\n*.log\n!keep.log\n")
  acting.write("a/.gitignore", "!*.log\nb.md\n")
  acting.write("a/own.log", "the tea of a/own.log\n")
}

test("list, as it is told", async () => {
  project()
  expect(await acting.call("list")).toBe(
    [
      ".gitignore",
      "README.md",
      "Zed.md",
      "a/",
      "a-b.md",
      "keep.log",
      "é.md",
      "👩‍👩‍👧.md",
      "[4 skipped: ignored by git, .git or node_modules]",
    ].join("\n"),
  )
  expect(await acting.call("list", { path: "a" })).toBe(
    [".gitignore", "deep/", "own.log", "[1 skipped: ignored by git, .git or node_modules]"].join("\n"),
  )
  // What is asked for by name is shown, ignored or not.
  expect(await acting.call("list", { path: "dist" })).toBe("out.js")
  expect(await acting.call("list", { path: "node_modules/x" })).toBe("index.js")
  expect(await acting.call("list", { path: "README.md" })).toBe("failed: README.md is not a folder.")
  expect(await acting.call("list", { path: "reamde" })).toBe(
    "failed: No such file or folder: reamde. Did you mean README.md?",
  )
  mkdirSync(join(acting.root, "empty"))
  expect(await acting.call("list", { path: "empty" })).toBe("No names found.")
})

test("find, as it is told", async () => {
  project()
  expect(await acting.call("find", { pattern: "*.md" })).toBe(
    ["README.md", "Zed.md", "a-b.md", "é.md", "👩‍👩‍👧.md"].join("\n"),
  )
  expect(await acting.call("find", { pattern: "*.{ts,log}" })).toBe(
    ["a/deep/er/c.ts", "a/own.log", "keep.log"].join("\n"),
  )
  expect(await acting.call("find", { pattern: "**/c.ts", path: "a/deep" })).toBe("a/deep/er/c.ts")
  expect(await acting.call("find", { pattern: "a/*.ts" })).toBe("No files found.")
})

test("grep, as it is told", async () => {
  project()
  expect(await acting.call("grep", { pattern: "TEA of (R|é|a/o)" })).toBe("No lines found.")
  expect(await acting.call("grep", { pattern: "(?i)TEA of (R|é|a/o)" })).toBe(
    [
      "README.md:1: the tea of README.md",
      "a/own.log:1: the tea of a/own.log",
      "é.md:1: the tea of é.md",
    ].join("\n"),
  )
  expect(await acting.call("grep", { pattern: "^nothing$", path: "Zed.md" })).toBe("Zed.md:2: nothing")
  expect(await acting.call("grep", { pattern: "tea", path: "dist" })).toBe(
    "dist/out.js:1: the tea of dist/out.js",
  )
  expect(await acting.call("grep", { pattern: "(" })).toBe(
    "failed: The pattern is not a valid regular expression: Invalid regular expression: /(/: Unterminated group.",
  )
})

test("a long line is shown where it matches", async () => {
  acting.write("min.js", `${"x".repeat(5_000)}needle${"y".repeat(5_000)}`)
  expect(await acting.call("grep", { pattern: "needle" })).toBe(
    `min.js:1: ...${"x".repeat(100)}needle${"y".repeat(194)}...`,
  )
})

test("binary files are passed over; large ones too, and that is said", async () => {
  acting.write("bin", Buffer.from("tea\0tea"))
  const handle = openSync(join(acting.root, "huge"), "w")
  ftruncateSync(handle, 100 * 1024 * 1024)
  closeSync(handle)
  expect(await acting.call("grep", { pattern: "tea" })).toBe(
    "No lines found.\n[1 file is too large and left out]",
  )
})

test("a pattern that would take years is stopped", async () => {
  acting.write("a.txt", `${"a".repeat(60)}!`)
  expect(await acting.call("grep", { pattern: "^(a+)+$" })).toBe(
    "failed: The pattern takes too long; make it simpler.",
  )
  expect(await acting.call("grep", { pattern: "a".repeat(1_001) })).toBe(
    "failed: The pattern has more than 1000 characters.",
  )
})

test("many results: the first of them, and how many were left out", async () => {
  for (let at = 0; at < 1_100; at += 1) acting.write(`many/${String(at).padStart(5, "0")}.txt`, "")
  acting.write("lines.md", "tea\n".repeat(10_000))
  const found = (await acting.call("find", { pattern: "*.txt" }, { mostTokens: 100_000 })).split("\n")
  expect([found.length, found[0], found.at(-2), found.at(-1)]).toEqual([
    1_001,
    "many/00000.txt",
    "many/00999.txt",
    "[100 more files left out; narrow the request]",
  ])
  const lines = (await acting.call("grep", { pattern: "tea" }, { mostTokens: 300 })).split("\n")
  expect(lines.slice(-2)).toEqual(["lines.md:28: tea", "[9972 more lines left out; narrow the request]"])
  const names = (await acting.call("list", { path: "many" }, { mostTokens: 300 })).split("\n")
  expect(names.slice(-2)).toEqual(["00049.txt", "[1050 more names left out; narrow the request]"])
})

test("when time is up, it is said that not everything was looked at", async () => {
  acting.write("a/1.md", "tea")
  acting.write("b/2.md", "tea")
  let time = 0
  const now = () => {
    time += 4_000
    return time
  }
  expect(await acting.call("find", { pattern: "*" }, { now })).toBe(
    "No files found.\n[not everything was searched; narrow the request]",
  )
})

test("what the asker may not see is not there, and is not counted", async () => {
  const seen = async () => {
    const asked = { trust: "familiar" } as const
    return [
      await acting.call("list", {}, asked),
      await acting.call("find", { pattern: "*" }, asked),
      await acting.call("grep", { pattern: "tea" }, asked),
    ]
  }
  acting.write("open.md", "tea")
  const before = await seen()
  expect(before).toEqual(["open.md", "open.md", "open.md:1: tea"])
  for (const path of [
    "USER.md",
    "MEMORY.md",
    "HEARTBEAT.md",
    "incipit.yaml",
    ".incipit/SYSTEM.md",
    "agents/x/SOUL.md",
    "memory/private/a.md",
    "users/bob/USER.md",
  ])
    acting.write(path, "tea")
  linkSync(join(acting.root, "USER.md"), join(acting.root, "twin.md"))
  symlinkSync("USER.md", join(acting.root, "alias.md"))
  symlinkSync(acting.outside, join(acting.root, "out"))
  writeFileSync(join(acting.outside, "secret.md"), "tea")
  expect(await seen()).toEqual(before)
})

test("rules for git that only take time have no say", async () => {
  acting.write(".gitignore", `${"**/a/".repeat(12)}x\nhidden.md\n`)
  const deep = `${"a/".repeat(60)}y.md`
  acting.write(deep, "")
  acting.write("hidden.md", "")
  expect(await acting.call("find", { pattern: "*.md" })).toBe(deep)
})

test("a name of two lines stays one", async () => {
  acting.write("a\nfake.md", "tea\n")
  expect(await acting.call("list")).toBe('"a\\nfake.md"')
  expect(await acting.call("grep", { pattern: "tea" })).toBe('"a\\nfake.md":1: tea')
})

test.each([
  ["*.md", ["a.md", "x/a.md", ".md"], ["a.mdx", "md"]],
  ["src/*.ts", ["src/a.ts"], ["a.ts", "src/x/a.ts", "x/src/a.ts"]],
  ["./src/**", ["src/a", "src/x/y"], ["src2/a"]],
  ["**/a/**/b", ["a/b", "x/a/y/z/b"], ["a", "b"]],
  ["?.[ch]", ["a.c", "👩.h"], ["ab.c", "a.d"]],
  ["[!a-c]x", ["dx"], ["ax", "cx"]],
  ["a{b,{c,d}e}f", ["abf", "acef", "adef"], ["af", "acf"]],
  ["{a}", ["{a}"], ["a"]],
  ["\\*", ["*"], ["a"]],
  ["[", ["["], ["a"]],
])("glob %s", (pattern, yes, no) => {
  const matches = globMatcher(pattern)
  expect([yes.filter(matches), no.filter(matches)]).toEqual([yes, []])
})

test("no glob takes long, and each matches its own letters", () => {
  const matches = globMatcher(`${"*a".repeat(200)}b`)
  expect(matches("a".repeat(255))).toBe(false)
  expect(globMatcher(`${"**/a/".repeat(90)}b`)("a/".repeat(400))).toBe(false)
  expect(() => globMatcher("{a,b}".repeat(20))).toThrow("The pattern is too complex.")
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
      fc.pre(!name.includes("/") && name !== "." && name !== "..")
      const literal = name.replaceAll(/[\\*?[\]{}!]/g, "\\$&").replaceAll(/\\([{}])/g, "[$1]")
      expect(globMatcher(literal)(name)).toBe(true)
      expect(globMatcher("*")(`x/${name}`)).toBe(true)
    }),
    { seed: 3 },
  )
})
