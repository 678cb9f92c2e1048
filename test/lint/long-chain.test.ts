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

test("project context is reported on the file that makes it too long", () => {
  expect(lintFiles(CHAIN, { chainLimit: 10 })).toEqual([
    { code: "chain-too-long", path: "/a/b/AGENTS.md", together: 3, tokens: 11, limit: 10, needs: "inner" },
  ])
  expect(lintFiles(CHAIN, { chainLimit: 4 })).toEqual([
    { code: "chain-too-long", path: "/AGENTS.md", together: 1, tokens: 5, limit: 4, needs: "inner" },
  ])
  expect(lintFiles(CHAIN, { chainLimit: 12 })).toEqual([])
})

test("the workspace's own AGENTS.md counts, even alone", () => {
  const own = makeFile({ role: "behaviour", path: "AGENTS.md", text: "12345" })
  expect(lintFiles([own], { chainLimit: 4 })).toMatchObject([{ code: "chain-too-long", path: "AGENTS.md" }])
  expect(lintFiles([own, ...CHAIN], { chainLimit: 9 })).toMatchObject([{ path: "/AGENTS.md", tokens: 10 }])
})

test("files for Codex are reported past 32 KB in total, in bytes, on the file that exceeds it", () => {
  const file = (path: string, text: string) => makeFile({ role: "context", path, text, trust: "inner" })
  const half = "\u00e4".repeat(8 * 1024 + 1)
  const files = [file("/AGENTS.md", half), file("/CLAUDE.md", half), file("/a/AGENTS.md", half)]
  expect(lintFiles(files.slice(0, 2))).toEqual([])
  expect(lintFiles(files)).toEqual([
    {
      code: "past-codex-limit",
      path: "/a/AGENTS.md",
      together: 2,
      bytes: 32 * 1024 + 4,
      limit: 32 * 1024,
      needs: "inner",
    },
  ])
})
