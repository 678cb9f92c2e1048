// `files`, a section of `definePrompt`: what it reads when it is defined, and what its audience gets of it.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import type { Content } from "../../src/core/model/content.ts"
import { textOf } from "../../src/core/model/content.ts"
import { files } from "../../src/sources/files-section.ts"
import { makeFolder } from "./folder.ts"

function folderWith(texts: Readonly<Record<string, string>>) {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  for (const [path, text] of Object.entries(texts)) folder.write(path, text)
  return folder.path
}

/** The section's source, its text for somebody who may see every file, and what was found. */
function defined(...given: Parameters<typeof files>) {
  const { pace, options, source } = files(...given)
  if (source.kind !== "files") throw new Error(`made of ${source.kind}`)
  const content: Content | undefined = source.write(source.files)
  return {
    ...{ pace, options, files: source.files },
    text: content && textOf(content.parts),
    wish: content?.wish,
    found: source.diagnostics.map(sentence),
  }
}

test("a folder is a stable section with each file in a tag", () => {
  const path = folderWith({ "rules/b.md": "Be brief.\n", "rules/a.md": "---\ntrust: inner\n---\nBe kind.\n" })
  const { files: read, ...rest } = defined(join(path, "rules"), { priority: "high" })
  expect(read.map(({ path, trust }) => [path, trust])).toEqual([
    ["rules/a.md", "inner"],
    ["rules/b.md", "public"],
  ])
  expect(rest).toEqual({
    ...{ pace: "stable", options: { voice: "operator", priority: "high" }, wish: undefined, found: [] },
    text: '<file path="rules/a.md">\nBe kind.\n</file>\n<file path="rules/b.md">\nBe brief.\n</file>\n',
  })
})

test("one file is its text, with what its frontmatter asks for", () => {
  const path = folderWith({
    "base.md": "---\npriority: required\non_change: wait\nmax_tokens: 9\n---\nYou are Otto.\n",
  })
  const { text, wish, found } = defined(join(path, "base.md"))
  expect({ text, wish, found }).toEqual({
    text: "You are Otto.\n",
    wish: { priority: "required", onChange: "wait", maxTokens: 9 },
    found: [],
  })
})

test("the section's trust is the least that its files need", () => {
  const path = folderWith({ "rules/a.md": "A.\n", "rules/b.md": "---\ntrust: full\n---\nB.\n" })
  const { files: read } = defined(join(path, "rules"), { trust: "inner" })
  expect(read.map(({ trust }) => trust)).toEqual(["inner", "full"])
})

test("a key that is about a whole section is said to have no effect in a folder", () => {
  const path = folderWith({
    "rules/a.md": "---\npriority: high\nmax_tokens: 9\n---\nA.\n",
    "rules/b.md": "B.\n",
  })
  const why =
    "has no effect in a section of several files. Give the file a section of its own, or set it in the options of files()."
  expect(defined(join(path, "rules")).found).toEqual([
    `rules/a.md: "priority" ${why}`,
    `rules/a.md: "max_tokens" ${why}`,
  ])
})

test("a file that cannot be read is left to the compiler to report; other findings are the section's", () => {
  const path = folderWith({ "rules/b.txt": "B.\n" })
  symlinkSync(join(path, "rules/a.md"), join(path, "rules/a.md"))
  const { files: read, text, found } = defined(join(path, "rules"))
  expect(read.map(({ unavailable }) => unavailable)).toEqual(["ELOOP"])
  expect(text).toBe(undefined)
  expect(found).toEqual([
    "rules/b.txt: is not Markdown, so it was left out. To read all files, use the glob rules/**/*",
  ])
})
