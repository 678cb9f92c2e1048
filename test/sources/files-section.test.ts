// `files`, a section of `definePrompt`: what it reads when it is defined, and what its audience gets of it.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import type { Trust } from "../../src/base/trust.ts"
import type { Content } from "../../src/core/model/content.ts"
import { textOf } from "../../src/core/model/content.ts"
import { definePrompt } from "../../src/public/incipit.ts"
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

/** What the model gets of a section of files, and the report of the turn. */
function sent(place: string, audience: { readonly trust: Trust; readonly situation?: string }) {
  const prompt = definePrompt({ budget: 2000, sections: { rules: files(place) } })
  const chat = prompt.open({ id: "c", ...audience })
  chat.say("Hello")
  const request = chat.openai("gpt-5.2")
  return { request, text: JSON.stringify(request), report: chat.report() }
}

const MIXED = {
  "rules/a.md": "A, for all.\n",
  "rules/b.md": "---\ntrust: inner\n---\nB, for friends.\n",
  "rules/c.md": "---\nsituations: [group]\n---\nC, for groups.\n",
  "rules/d.csv": "d,e\n",
}

test("in a prompt, each audience gets the files that it may see, and the report says what was withheld", () => {
  const path = folderWith(MIXED)
  const texts = (audience: Parameters<typeof sent>[1]) =>
    [...sent(join(path, "rules"), audience).text.matchAll(/[ABC], for \w+/g)].map(([found]) => found)
  expect(texts({ trust: "public" })).toEqual(["A, for all"])
  expect(texts({ trust: "inner" })).toEqual(["A, for all", "B, for friends"])
  expect(texts({ trust: "inner", situation: "group" })).toEqual([
    "A, for all",
    "B, for friends",
    "C, for groups",
  ])
  const { report } = sent(join(path, "rules"), { trust: "public" })
  expect(report.withheld.map(({ source, needs, why }) => [source, needs, why])).toEqual([
    ["rules/b.md", "inner", "trust"],
    ["rules/c.md", "public", "situation"],
  ])
  expect(report.diagnostics.map(({ code }) => code)).toEqual(["not-markdown"])
})

test("what an audience may not see changes no byte of what it is sent", () => {
  const path = folderWith(MIXED)
  const without = folderWith({ "rules/a.md": MIXED["rules/a.md"] })
  const [all, one] = [path, without].map((folder) => sent(join(folder, "rules"), { trust: "public" }).request)
  expect(JSON.stringify(all)).toBe(JSON.stringify(one))
})

test("a file that cannot be read is reported once", () => {
  const path = folderWith({ "rules/b.md": "B.\n" })
  symlinkSync(join(path, "rules/a.md"), join(path, "rules/a.md"))
  const { report } = sent(join(path, "rules"), { trust: "full" })
  expect(report.diagnostics.map(({ message }) => message)).toEqual([
    "rules/a.md: cannot be read right now: its links lead in a circle. A running agent keeps the text it had.",
  ])
})
