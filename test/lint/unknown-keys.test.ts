import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles } from "./lint-text.ts"

function keysOf(role: string, keys: readonly string[], firstLine = keys.length + 3) {
  const fields = Object.fromEntries(keys.map((key) => [key, "x"]))
  return lintFiles([makeFile({ role, path: `${role}.md`, fields, firstLine, trust: "inner" })])
}

const COMMON = ["trust", "need", "freshness", "audience", "situations", "max_tokens", "description"]

test("the keys that mean something give no finding, by role", () => {
  expect(keysOf("soul", COMMON)).toEqual([])
  expect(keysOf("identity", [...COMMON, "name", "emoji", "creature", "vibe"])).toEqual([])
  expect(keysOf("legacy", ["name", "emoji"])).toEqual([])
  expect(keysOf("user", [...COMMON, "name", "timezone", "location"])).toEqual([])
})

test("a key of another role, of another program, or misspelt is told on its line", () => {
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
    forPaths(4, "applyTo"),
    forPaths(5, "alwaysApply"),
    at(6, "max-tokens", "max_tokens"),
    at(7, "Trust", "trust"),
    at(8, "descripton", "description"),
    at(9, "vibe"),
    at(10, "x".repeat(99)),
    forPaths(11, "paths"),
  ])
})

test("where keys take more than a line, the finding stands on the first", () => {
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

test("files from elsewhere, skills and memories have keys of their own", () => {
  for (const role of ["context", "skill", "memory"]) expect(keysOf(role, ["globs", "license"])).toEqual([])
})
