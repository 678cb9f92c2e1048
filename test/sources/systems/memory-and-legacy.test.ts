import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

function gather() {
  const { value, diagnostics } = gatherAgent(openWorkspace(folder.root, { home: folder.home }))
  return { ...value, findings: diagnostics.map(sentence) }
}

test("memory is listed by store, with its trust, its price and one line about it", () => {
  folder.write("workspace/MEMORY.md", "# Long-term facts\n\nA door code.")
  folder.write(
    "workspace/memory/shared/RECENT.md",
    "---\ndescription: The last\n  seven days\n---\nMonday: rain.",
  )
  folder.write("workspace/memory/social/deep/PEOPLE.md", "- Carol bakes.")
  folder.write("workspace/memory/odd/NOTES.md", "<!-- by ada\n| full -->\nNotes.")
  folder.write("workspace/memory/odd/OPEN.md", "Tides. <!-- not ended\nby ada")
  folder.write("workspace/memory/social/photo.png", "no")
  expect(
    gather().memory?.map(({ path, trust, tokens, description }) => [path, trust, tokens, description]),
  ).toEqual([
    ["private/MEMORY.md", "full", 9, "Long-term facts"],
    ["odd/NOTES.md", "full", 9, "Notes."],
    ["odd/OPEN.md", "full", 9, "Tides."],
    ["shared/RECENT.md", "inner", 4, "The last seven days"],
    ["social/deep/PEOPLE.md", "familiar", 5, "Carol bakes."],
  ])
})

test("the configuration may give a store another trust; a misspelt one is the owner's", () => {
  folder.write("workspace/incipit.yaml", "memory: { stores: { shared: public, social: evryone } }\n")
  folder.write("workspace/memory/shared/A.md", "a")
  folder.write("workspace/memory/social/B.md", "b")
  const { memory, findings } = gather()
  expect(memory?.map(({ path, trust }) => [path, trust])).toEqual([
    ["shared/A.md", "public"],
    ["social/B.md", "full"],
  ])
  expect(findings[0]).toBe('incipit.yaml: unknown trust "evryone". To be safe, "full" is used.')
})

test("identity and soul of an older home folder are in the base, with a note to move them", () => {
  folder.write("home/.incipit/IDENTITY.md", "You are old.")
  folder.write("home/.incipit/SOUL.md", "Old soul.")
  folder.write("workspace/SOUL.md", "New soul.")
  const { files, findings } = gather()
  expect(files.map(({ role, path }) => [role, path])).toEqual([
    ["legacy", "~/.incipit/IDENTITY.md"],
    ["legacy", "~/.incipit/SOUL.md"],
    ["soul", "SOUL.md"],
  ])
  expect(findings).toEqual([
    "~/.incipit/IDENTITY.md: is an old file that ~/.incipit/SYSTEM.md replaces. It is sent as part of the base; move its text to ~/.incipit/SYSTEM.md.",
    "~/.incipit/SOUL.md: is an old file that ~/.incipit/SYSTEM.md replaces. It is sent as part of the base; move its text to ~/.incipit/SYSTEM.md.",
  ])
})

test("where the home folder has a SYSTEM.md, older files are left alone", () => {
  folder.write("home/.incipit/IDENTITY.md", "You are old.")
  folder.write("home/.incipit/SYSTEM.md", "Base.")
  expect(gather().files.map(({ path }) => path)).toEqual(["~/.incipit/SYSTEM.md"])
})

test("comments at the top of AGENTS.md and TOOLS.md are not sent; line numbers stay right", () => {
  folder.write("workspace/AGENTS.md", "<!-- for people -->\n<!--\nmore\n-->\nDo this. <!-- kept -->")
  folder.write("workspace/SOUL.md", "<!-- kept -->\nSoul.")
  expect(gather().files.map(({ text, firstLine }) => [text, firstLine])).toEqual([
    ["<!-- kept -->\nSoul.", 1],
    ["\nDo this. <!-- kept -->", 4],
  ])
})

test("frontmatter may say how much a file is needed, how fresh it must be and how long it may be", () => {
  folder.write("workspace/SOUL.md", "---\npriority: low\non_change: rebuild\nmax_tokens: 50\n---\nSoul.")
  expect(gather().files[0]).toMatchObject({ priority: "low", onChange: "rebuild", maxTokens: 50 })
})

test("the configuration may add files, and give known ones another trust", () => {
  folder.write(
    "workspace/incipit.yaml",
    "prompt: { files: [{ path: EXTRA.md, trust: inner }, { path: SOUL.md, trust: public }] }\n",
  )
  folder.write("workspace/EXTRA.md", "More.")
  folder.write("workspace/SOUL.md", "Soul.")
  expect(gather().files.map(({ role, path, trust }) => [role, path, trust])).toEqual([
    ["soul", "SOUL.md", "public"],
    ["files", "EXTRA.md", "inner"],
  ])
})

test.each([
  ["./EXTRA.md", undefined, "files EXTRA.md full"],
  ["notes/../EXTRA.md", undefined, "files EXTRA.md full"],
  ["./SOUL.md", undefined, "soul SOUL.md full"],
  ["EXTRA.md", "keeper", "files agents/keeper/EXTRA.md full"],
  ["SOUL.md", "keeper", "soul agents/keeper/SOUL.md full"],
])(
  "the configured trust of %s counts for the agent %s, however the path is written",
  (path, agent, expected) => {
    folder.write("workspace/incipit.yaml", `prompt: { files: [{ path: ${path}, trust: full }] }\n`)
    for (const at of ["workspace", "workspace/agents/keeper"])
      for (const name of ["EXTRA.md", "SOUL.md"]) folder.write(`${at}/${name}`, "Text.")
    const { files } = gatherAgent(openWorkspace(folder.root, { ...(agent && { agent }) })).value
    expect(files.map(({ role, path, trust }) => `${role} ${path} ${trust}`)).toContain(expected)
  },
)

test("MEMORY.md is not dumped because the configuration writes its path another way", () => {
  folder.write("workspace/incipit.yaml", "prompt: { files: [{ path: ./MEMORY.md, trust: full }] }\n")
  folder.write("workspace/MEMORY.md", "Secret.")
  expect(gather().files).toEqual([])
})

test("a file of memory that asks for less trust than its store needs keeps the store's, and is told so", () => {
  folder.write("workspace/incipit.yaml", "prompt: { files: [{ path: MEMORY.md, trust: familiar }] }\n")
  folder.write("workspace/MEMORY.md", "A door code.")
  folder.write("workspace/memory/shared/OPEN.md", "---\ntrust: public\n---\nTides.")
  folder.write("workspace/memory/shared/CLOSED.md", "---\ntrust: full\n---\nKeys.")
  const { value, diagnostics } = gatherAgent(openWorkspace(folder.root, { home: folder.home }))
  expect(value.memory?.map(({ path, trust }) => [path, trust])).toEqual([
    ["private/MEMORY.md", "full"],
    ["shared/CLOSED.md", "full"],
    ["shared/OPEN.md", "inner"],
  ])
  expect(diagnostics.map((one) => [one.needs, sentence(one)])).toEqual([
    [
      "inner",
      'memory/shared/OPEN.md: asks for the trust "public", but its store needs "inner", which is used. To open the whole store, set memory.stores in incipit.yaml.',
    ],
    [
      "full",
      'MEMORY.md: asks for the trust "familiar", but its store needs "full", which is used. To open the whole store, set memory.stores in incipit.yaml.',
    ],
  ])
})
