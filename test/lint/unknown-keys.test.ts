import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles } from "./lint-text.ts"

function keysOf(role: string, keys: readonly string[], firstLine = keys.length + 3) {
  const fields = Object.fromEntries(keys.map((key) => [key, "x"]))
  return lintFiles([makeFile({ role, path: `${role}.md`, fields, firstLine, trust: "inner" })])
}

const COMMON = ["trust", "need", "freshness", "audience", "situations", "max_tokens", "description"]

test("known keys give no diagnostic, by role", () => {
  expect(keysOf("soul", COMMON)).toEqual([])
  expect(keysOf("identity", [...COMMON, "name", "emoji", "creature", "vibe"])).toEqual([])
  expect(keysOf("legacy", ["name", "emoji"])).toEqual([])
  expect(keysOf("user", [...COMMON, "name", "timezone", "location"])).toEqual([])
})

test("a key of another role, or a misspelled one, is reported on its line", () => {
  const at = (line: number, key: string, nearest?: string) => ({
    code: "unknown-frontmatter-key",
    path: "rules.md",
    line,
    key,
    needs: "inner",
    ...(nearest !== undefined && { nearest }),
  })
  const forPaths = (line: number, key: string) => ({
    ...{ code: "paths-without-effect", path: "rules.md", line, key, needs: "inner" },
  })
  const keys = [
    "globs",
    "trust",
    "applyTo",
    "alwaysApply",
    "max-tokens",
    "Trust",
    "descripton",
    "vibe",
    "x".repeat(99),
    "paths",
  ]
  expect(keysOf("rules", keys)).toEqual([
    forPaths(2, "globs"),
    at(6, "max-tokens", "max_tokens"),
    at(7, "Trust", "trust"),
    at(8, "descripton", "description"),
    at(9, "vibe"),
  ])
})

test.each([
  { alwaysApply: true },
  { globs: "*.ts,*.md", alwaysApply: true },
  { alwaysApply: true, applyTo: "src/**" },
  { paths: ["**"] },
  { paths: ["docs/*.md", "**/*"] },
  { applyTo: "**" },
  { globs: "" },
  { globs: null, alwaysApply: true },
  { paths: [] },
])("a file that is always sent has no diagnostic: %j", (fields) => {
  expect(lintFiles([makeFile({ role: "behaviour", path: "AGENTS.md", fields })])).toEqual([])
})

test.each([
  [{ alwaysApply: false }, "alwaysApply"],
  [{ description: "x", globs: "", alwaysApply: false }, "alwaysApply"],
  [{ globs: "*.ts", alwaysApply: false }, "globs"],
  [{ applyTo: "src/**, **/*.ts" }, "applyTo"],
  [{ alwaysApply: "true", paths: ["src/**"] }, "paths"],
])("a key that would hold the file back is reported once: %j", (fields, key) => {
  const found = lintFiles([makeFile({ role: "behaviour", path: "AGENTS.md", fields })])
  expect(found).toMatchObject([{ code: "paths-without-effect", key }])
})

test("keys for other programs are ignored", () => {
  const theirs = [
    "title",
    "tags",
    "impact",
    "name",
    "version",
    "author",
    "license",
    "x".repeat(99),
    "when-to-use",
  ]
  for (const role of ["rules", "behaviour", "soul", "tool-notes"]) expect(keysOf(role, theirs)).toEqual([])
})

test("if keys span several lines, the diagnostic is on the first line", () => {
  expect(keysOf("soul", ["trust", "globs"], 9)).toEqual([
    {
      code: "paths-without-effect",
      path: "soul.md",
      line: 1,
      key: "globs",
      needs: "inner",
    },
  ])
})

test("files from elsewhere, skills and memories have their own keys", () => {
  for (const role of ["context", "skill", "memory"]) expect(keysOf(role, ["globs", "license"])).toEqual([])
})
