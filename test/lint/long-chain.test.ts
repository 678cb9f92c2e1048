import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles } from "./lint-text.ts"

const CHAIN = [
  makeFile({ role: "context", path: "/AGENTS.md", text: "12345", trust: "inner" }),
  makeFile({ role: "soul", path: "SOUL.md", text: "not of the chain" }),
  makeFile({ role: "context", path: "/a/AGENTS.md", text: "67890", trust: "familiar" }),
  makeFile({ role: "context", path: "/a/b/AGENTS.md", text: "1" }),
  makeFile({ role: "context", path: "/a/b/c/AGENTS.md", text: "2" }),
]

test("project context is told on the file with which it gets too long", () => {
  expect(lintFiles(CHAIN, { chainLimit: 10 })).toEqual([
    { code: "chain-too-long", path: "/a/b/AGENTS.md", tokens: 11, limit: 10, needs: "inner" },
  ])
  expect(lintFiles(CHAIN, { chainLimit: 4 })).toEqual([
    { code: "chain-too-long", path: "/AGENTS.md", tokens: 5, limit: 4, needs: "inner" },
  ])
  expect(lintFiles(CHAIN, { chainLimit: 12 })).toEqual([])
})
