import { expect, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import { makeFile } from "../core/make.ts"
import { lintFiles, lintText } from "./lint-text.ts"

test("diagnostics are sorted by path, then line, across all rules", () => {
  const same = "One two three four five six seven eight. ".repeat(4).trim()
  const files = [
    makeFile({ role: "rules", path: "rules/\u{1F600}.md", text: `${same}\nRun #1.` }),
    makeFile({ role: "rules", path: "rules/\uFB01.md", text: `Run #2.\n\n${same}\nRun #1.` }),
    makeFile({
      role: "soul",
      path: "SOUL.md",
      text: "The `grep` tool.\n\nLast updated: 2026-06-12 14:05.",
      fields: { globs: "*" },
      firstLine: 4,
    }),
    makeFile({ role: "context", path: "AGENTS.md", text: "Run #3, tool `grep`." }),
  ]
  expect(lintFiles(files, { knownTools: ["grep"], chainLimit: 1 }).map(sentence)).toEqual([
    "AGENTS.md: takes 20 tokens, more than 1. Every session pays for them.",
    "AGENTS.md:1: contains a counter. Text that changes invalidates the cache of everything after it.",
    'AGENTS.md:1: names the tool "grep", which is not available',
    'SOUL.md:2: "globs" has no effect here: workspace files are always sent. Put rules for paths into .claude/rules.',
    'SOUL.md:4: names the tool "grep", which is not available',
    "SOUL.md:6: contains the time of its last change. Text that changes invalidates the cache of everything after it.",
    "rules/\uFB01.md:1: contains a counter. Text that changes invalidates the cache of everything after it.",
    "rules/\uFB01.md:3: repeats rules/\u{1F600}.md:1. You pay for both.",
    "rules/\uFB01.md:4: contains a counter. Text that changes invalidates the cache of everything after it.",
    "rules/\u{1F600}.md:2: contains a counter. Text that changes invalidates the cache of everything after it.",
  ])
})

test("no files give no diagnostics", () => {
  expect(lintFiles([])).toEqual([])
  expect(lintText("")).toEqual([])
})

test.each([
  "eyJ-",
  "-eyJ",
  "eyJaaaaaaaaaa.",
  " sk-a",
  "AKIA",
  "password:a1",
  "password = ",
  "://a:",
  "`a",
  "a(",
  "last updated ",
  "as of **",
  "today ",
  "1",
  "2026-01-01T",
  "|-",
  "- a\n",
  "\n",
  "```\n",
  "-----BEGIN PRIVATE KEY-----",
  "generated on ",
])("a megabyte of %j is linted in reasonable time", (piece) => {
  const text = piece.repeat(Math.ceil(1_048_576 / piece.length))
  expect(lintText(text, { knownTools: ["grep"] })).toBeInstanceOf(Array)
})
