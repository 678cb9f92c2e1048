// Keys of 0.1 in files and in the configuration: they work as before, and a warning names the new form and its line.
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import { ON_CHANGES } from "../../src/core/model/on-change.ts"
import { PRIORITIES } from "../../src/core/model/priority.ts"
import { FRESHNESS, newOnChange } from "../../src/sources/read/renamed-keys.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { profiled } from "../../src/workspace/profile/profiled.ts"
import { type Folder, makeFolder } from "./folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

function gather() {
  const { value, diagnostics } = gatherAgent(openWorkspace(folder.root, { home: folder.home }))
  const [file] = value.files
  return { priority: file?.priority, onChange: file?.onChange, warnings: diagnostics.map(sentence) }
}

test("frontmatter with the old keys", () => {
  folder.write("workspace/SOUL.md", "---\ntrust: inner\nneed: low\nfreshness: rebase\n---\nSoul.")
  expect(gather()).toEqual({
    priority: "low",
    onChange: "rebuild",
    warnings: [
      'SOUL.md:3: "need: low" is now written "priority: low". The old form works in this version only.',
      'SOUL.md:4: "freshness: rebase" is now written "on_change: rebuild". The old form works in this version only.',
    ],
  })
})

test("a value that is wrong in both forms is not repeated, however many lines it has", () => {
  folder.write("workspace/SOUL.md", "---\nneed: |\n  a\n  b\nfreshness: Now and then\n---\nSoul.")
  expect(gather().warnings).toEqual([
    'SOUL.md:2: "need" is now written "priority". The old form works in this version only.',
    'SOUL.md:5: "freshness" is now written "on_change". The old form works in this version only.',
  ])
})

test("if a file has both, the new key counts", () => {
  folder.write("workspace/SOUL.md", "---\npriority: high\nneed: low\n---\nSoul.")
  expect(gather()).toMatchObject({ priority: "high", warnings: [expect.stringContaining("SOUL.md:3")] })
})

test("in the files of other programs, the old keys mean nothing and are not mentioned", () => {
  folder.write("workspace/CLAUDE.md", "---\nneed: low\n---\nBuild with make.")
  const { diagnostics } = gatherAgent(openWorkspace(folder.root, { home: folder.home }))
  expect(diagnostics.filter(({ code }) => code === "renamed-key")).toEqual([])
})

test("the configuration with the old keys", async () => {
  folder.write(
    "workspace/incipit.yaml",
    "prompt:\n  sections:\n    soul: { need: high, freshness: hold }\n    git: { priority: low, on_change: always }\n",
  )
  const opened = openWorkspace(folder.root, { home: folder.home })
  const { profile } = await profiled(opened, { directory: folder.root })
  const facts = ["soul", "git"].map((name) => {
    const { id, priority, onChange } = profile.sections.find((one) => one.id === name) ?? {}
    return { id, priority, onChange }
  })
  expect(facts).toEqual([
    { id: "soul", priority: "high", onChange: "wait" },
    { id: "git", priority: "low", onChange: "always" },
  ])
  expect(opened.diagnostics.map(sentence)).toEqual([
    'incipit.yaml:3: "need: high" is now written "priority: high". The old form works in this version only.',
    'incipit.yaml:3: "freshness: hold" is now written "on_change: wait". The old form works in this version only.',
  ])
})

test("an old key with a value that never was is an error, as before", () => {
  folder.write("workspace/incipit.yaml", "prompt: { sections: { soul: { freshness: often } } }\n")
  expect(() => openWorkspace(folder.root, { home: folder.home })).toThrow(/incipit\.yaml:1: .*freshness/)
})

test("every old value has a new one", () => {
  expect(FRESHNESS.map((value) => newOnChange(value))).toEqual([...ON_CHANGES])
  expect(PRIORITIES).toEqual(["required", "high", "medium", "low"])
})
