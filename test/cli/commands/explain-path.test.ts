// `incipit explain PATH`: a file that is there is explained as a file, with the reason that holds for it.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/prompt/explain.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"

let folder: Folder

beforeAll(() => {
  folder = makeFolder()
  const write = (path: string, text: string) => folder.write(`workspace/${path}`, text)
  write(".git/HEAD", "ref: refs/heads/main\n")
  write(
    "incipit.yaml",
    "users:\n  bob: { trust: familiar }\nsituations:\n  group: { ceiling: familiar, prompt_overlay: loud.md }\n",
  )
  write("AGENTS.md", "Read notes.txt, CLAUDE.md and packages/a/AGENTS.md.")
  symlinkSync("AGENTS.md", join(folder.root, "GEMINI.md"))
  write("CLAUDE.md", "@AGENTS.md")
  write("packages/a/AGENTS.md", "Of a.")
  write("packages/a/CLAUDE.md", "Another text for the package a.")
  write("packages/a/.claude/CLAUDE.md", "@../AGENTS.md\nMore.")
  write("packages/a/.claude/rules/a.md", "Of a, always.")
  write(".claude/rules/api.md", "---\npaths: src/api/**\n---\nOf the api.")
  write(".claude/rules/always.md", "Always.")
  write("skills/good/SKILL.md", "---\nname: good\ndescription: Good.\n---\n")
  write("skills/good/reference.md", "More.")
  write("skills/empty/SKILL.md", "")
  write("skills/NOTES.md", "Plain notes.")
  write(
    "skills/manual/SKILL.md",
    "---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\n",
  )
  write("packages/a/skills/far/SKILL.md", "---\nname: far\ndescription: Far.\n---\n")
  write("memory/shared/facts.md", "A fact.")
  write("memory/private/diary.md", "A secret.")
  write("users/ada/USER.md", "Ada.")
  write("channels/telegram.md", "Short.")
  write("HEARTBEAT.md", "Look around.")
  write("loud.md", "Be quiet.")
  write("notes.txt", "notes")
  write("USER.md", "About the owner.")
  write("agents/scout/SOUL.md", "Scout.")
  write("workflows/tea.md", "1. Boil.")
})
afterAll(() => folder.remove())

async function explained(word: string, flags: Partial<FlagsOf<"explain">> = {}, cwd = folder.root) {
  const lines: string[] = []
  const terminal: Terminal = {
    out: (text) => void lines.push(text),
    err: () => undefined,
    cwd,
    home: folder.home,
    env: {},
    now: () => 0,
    timeZone: "UTC",
    columns: 80,
    colour: false,
    exact: () => undefined,
    drained: async () => undefined,
    stopped: async () => undefined,
  }
  await run({ words: [word], flags: flagsFor("explain", { workspace: folder.root, ...flags }), terminal })
  return lines.join("").replaceAll(folder.root, "").trimEnd()
}

test.each([
  ["sole", "soul"],
  ["memory_serch", "memory_search"],
  ["AGENT.md", "AGENTS.md"],
])("%s, which is not there, leads to %s", async (word, meant) => {
  await expect(explained(word)).rejects.toThrow(
    `"${word}" isn't a section, a tool, a file or a piece of text in this prompt; did you mean ${meant}?`,
  )
})

test("what resembles nothing leads nowhere", async () => {
  await expect(explained("qqqqq")).rejects.toThrow(/in this prompt$/)
})

describe("a file that waits", () => {
  test("for a path, with its globs", async () => {
    expect(await explained(".claude/rules/api.md")).toBe(
      ".claude/rules/api.md: not in the prompt. This rule applies to src/api/** in , and is sent once the agent touches such a file.",
    )
  })

  test.each(["AGENTS.md", ".claude/CLAUDE.md", ".claude/rules/a.md"])(
    "in a nested folder: %s",
    async (name) => {
      expect(await explained(`packages/a/${name}`)).toBe(
        `packages/a/${name}: not in the prompt. It is sent once the agent touches a file in /packages/a.`,
      )
    },
  )
})

describe("a file beside another", () => {
  test("by a link is the file that is sent", async () => {
    const text = await explained("GEMINI.md")
    expect(text).toContain("GEMINI.md: the same file as AGENTS.md\nAGENTS.md: in the prompt")
  })

  test("that only leads to it", async () => {
    expect(await explained("CLAUDE.md")).toBe(
      "CLAUDE.md: not in the prompt. It only leads to /AGENTS.md or repeats it, and that file is read.",
    )
  })

  test("that is shadowed, nested or not", async () => {
    const why =
      "packages/a/CLAUDE.md: not in the prompt. /packages/a/AGENTS.md is read instead. To read both, set prompt.context: all in incipit.yaml."
    expect(await explained("packages/a/CLAUDE.md")).toBe(why)
    expect(await explained("CLAUDE.md", {}, join(folder.root, "packages/a"))).toContain(why)
  })

  test("that only another working directory reads", async () => {
    const cwd = join(folder.root, "memory")
    expect(await explained("packages/a/AGENTS.md", { cwd })).toContain("It is for work in /packages/a,")
  })
})

describe("what belongs to skills", () => {
  test("a skill that no tool could read", async () => {
    const why = "Skills are listed where a tool can read files"
    expect(await explained("skills/good/SKILL.md", { tools: "none" })).toContain(why)
  })

  test.each([
    ["skills/good/reference.md", 'It belongs to the skill "good"'],
    ["skills/empty/SKILL.md", "this file has neither"],
    ["skills/NOTES.md", "its frontmatter has no description"],
    ["skills/manual/SKILL.md", "Only a user can start this skill"],
    ["packages/a/skills/far/SKILL.md", "This file is in none of them"],
  ])("%s", async (path, why) => {
    expect(await explained(path)).toContain(`${path}: not in the prompt. `)
    expect(await explained(path)).toContain(why)
  })
})

describe("what is for others, or never told", () => {
  test.each([
    ["users/ada/USER.md", 'the user "ada"'],
    ["channels/telegram.md", 'the channel "telegram"'],
    ["HEARTBEAT.md", 'the situation "system"'],
    ["loud.md", 'the situation "group"'],
    ["agents/scout/SOUL.md", 'the agent "scout"'],
    ["workflows/tea.md", "step by step"],
    ["incipit.yaml", "the configuration"],
    ["memory/shared/facts.md", 'the memory store "shared"'],
    ["notes.txt", "none of the file names that are read"],
  ])("%s", async (path, why) => {
    expect(await explained(path)).toContain(why)
  })

  test.each(["USER.md", "memory/private/diary.md"])("%s is withheld from others", async (path) => {
    expect(await explained(path, { as: "bob" })).toMatch(
      /: withheld, it needs \w+ trust and this session has familiar$/,
    )
  })
})

test("a path that is there is no text, and a section goes before it", async () => {
  expect(await explained("notes.txt")).not.toContain("character")
  expect(await explained("Read notes.txt")).toContain("in behaviour, from AGENTS.md:1")
  expect(await explained("skills")).toMatch(/^skills: /)
  expect(await explained(".claude/rules")).toContain("/.claude/rules/always.md: in the prompt")
})

test("another profile reads other files", async () => {
  expect(await explained("notes.txt", { profile: "pi" })).toBe(
    "notes.txt: not in the prompt. The profile pi doesn't read it for this prompt. It reads SYSTEM.md and APPEND_SYSTEM.md in .pi/ and ~/.pi/agent, one AGENTS.md or CLAUDE.md for each folder from the root of the disk down to the working directory, and skills.",
  )
})
