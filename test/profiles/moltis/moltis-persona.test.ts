// What Moltis says about itself and its user, and the order of the whole prompt.
import { existsSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SOUL } from "../../../src/profiles/moltis/text.ts"
import { fill, type MoltisFolder, openMoltis, toolsNamed } from "./moltis-folder.ts"

let here: MoltisFolder
beforeEach(() => {
  here = openMoltis()
})
afterEach(() => here.remove())

const IDENTITY = "home/.moltis/IDENTITY.md"
const tools = toolsNamed("exec")

describe("the order", () => {
  test("is the description's, and every piece is there when there is something to say", () => {
    fill(here)
    const { plan } = here.build({
      tools: toolsNamed("exec", "browser", "memory_search"),
      toolFormat: "fallback",
      session: { directory: join(here.root, "app"), env: { SHELL: "/bin/zsh" } },
    })
    const sections = plan.entries.filter(({ id }) => id.startsWith("moltis/"))
    expect(sections.map(({ id, outcome }) => `${id} ${outcome.kind}`)).toEqual([
      "moltis/intro included",
      "moltis/identity included",
      "moltis/soul included",
      "moltis/user included",
      "moltis/project included",
      "moltis/runtime included",
      "moltis/skills included",
      "moltis/workspace-files included",
      "moltis/memory included",
      "moltis/tools included",
      "moltis/tool-calls included",
      "moltis/guidelines included",
      "moltis/silent-replies included",
    ])
    const starts = sections.map(({ spans }) => spans[0]?.start ?? -1)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  test("leaves out what has nothing to say, without a trace", () => {
    expect(here.text()).toBe(
      `You are a helpful assistant. Answer questions clearly and concisely.

## Guidelines

- Keep to what was asked, in few words.
- Where you are not sure, say how sure you are.
- Show code where code says it better.
`,
    )
  })

  test("never leaves more than one blank line", () => {
    fill(here)
    for (const mode of ["full", "minimal", "subagent"] as const)
      for (const given of [[], tools]) {
        const session = { mode, directory: join(here.root, "app"), env: {} }
        expect(here.text({ tools: given, session })).not.toMatch(/\n\n\n/)
      }
  })

  test("has no text that moves with the turn", () => {
    fill(here)
    const options = { tools, session: { directory: join(here.root, "app") } }
    const { plan, text } = here.build(options)
    expect(plan.blocks.map(({ pace }) => pace)).toEqual(["session"])
    expect(here.text({ ...options, turn: { now: 0, timeZone: "Asia/Tokyo", message: "hello" } })).toBe(text)
  })
})

describe("the base introduction", () => {
  test("with tools", () => {
    expect(here.section("intro", { tools })).toBe(
      "You are a helpful assistant with access to tools for executing shell commands.",
    )
  })

  test.each(["no tools are registered", "the mode is minimal"])("without tools: %s", (why) => {
    const options = why.startsWith("no") ? {} : { tools, session: { mode: "minimal" } as const }
    expect(here.section("intro", options)).toBe(
      "You are a helpful assistant. Answer questions clearly and concisely.",
    )
  })
})

describe("the identity, from the frontmatter of IDENTITY.md", () => {
  test.each([
    ["name: Rex\nemoji: 🦊", "Your name is Rex 🦊."],
    ["name: Rex", "Your name is Rex."],
    ["creature: fox", "You are a fox."],
    ["vibe: dry", "Your vibe: dry."],
    ["vibe: dry\ncreature: fox\nemoji: 🦊\nname: Rex", "Your name is Rex 🦊. You are a fox. Your vibe: dry."],
    ["emoji: 🦊", undefined],
    ["emoji: 🦊\nvibe: dry", "Your vibe: dry."],
    ["name: [a, b]\nvibe: ''", undefined],
    ["name: |\n  Rex\n  the fox", "Your name is Rex the fox."],
    ["name: 7", "Your name is 7."],
  ])("%j", (fields, told) => {
    here.write(IDENTITY, `---\n${fields}\n---\nThe body is not told.\n`)
    expect(here.section("identity")).toBe(told)
  })

  test("is read from the data folder alone", () => {
    here.write("workspace/IDENTITY.md", "---\nname: Mallory\n---\n")
    expect(here.text({ session: { directory: here.root } })).not.toContain("Mallory")
  })
})

describe("the soul", () => {
  test("is SOUL.md, directly below the identity", () => {
    here.write(IDENTITY, "---\nname: Rex\n---\n")
    here.write("home/.moltis/SOUL.md", "\nYou are patient.\n\n")
    expect(here.text()).toMatch(
      /concisely\.\n\nYour name is Rex\.\n\n## Soul\n\nYou are patient\.\n\n## Guidelines\n/,
    )
  })

  test("keeps the lines of the file it comes from", () => {
    here.write(IDENTITY, "---\nname: Rex\n---\n")
    here.write("home/.moltis/SOUL.md", "\n\nYou are patient.\nVery.\n")
    const entry = here.build().plan.entries.find(({ id }) => id === "moltis/soul")
    expect(entry?.spans.map(({ from }) => from && "lines" in from && [from.path, from.lines])).toContainEqual(
      ["~/.moltis/SOUL.md", [3, 4]],
    )
  })

  test.each([
    ["unused", undefined],
    ["empty", ""],
    ["white space", " \n\n"],
  ])("is the built-in default when SOUL.md is %s, and the default is never written to disk", (_how, text) => {
    here.write(IDENTITY, "---\nname: Rex\n---\n")
    if (text !== undefined) here.write("home/.moltis/SOUL.md", text)
    expect(here.section("soul")).toBe(`## Soul\n\n${SOUL}`)
    expect(existsSync(join(here.home, ".moltis/SOUL.md"))).toBe(text !== undefined)
  })

  test("that is built in has the size that the description gives", () => {
    expect(SOUL.length).toBeGreaterThan(1200)
    expect(SOUL.length).toBeLessThan(1800)
  })

  test.each(["---\n---\n", "---\nemoji: 🦊\n---\n", "No frontmatter.\n"])(
    "appears whenever an identity exists, even one that says nothing: %j",
    (identity) => {
      here.write(IDENTITY, identity)
      here.write("home/.moltis/SOUL.md", "You are patient.")
      expect(here.text()).toMatch(/concisely\.\n\n## Soul\n\nYou are patient\.\n\n## Guidelines\n/)
    },
  )

  test("that cannot be read now is not replaced by the default", () => {
    here.write(IDENTITY, "---\nname: Rex\n---\n")
    symlinkSync("SOUL.md", join(here.home, ".moltis/SOUL.md"))
    const { plan } = here.build()
    expect(plan.entries.find(({ id }) => id === "moltis/soul")?.outcome).toEqual({
      kind: "unused",
      why: expect.objectContaining({ kind: "unavailable", path: "~/.moltis/SOUL.md" }),
    })
  })

  test("does not appear without an identity", () => {
    here.write("home/.moltis/SOUL.md", "You are patient.")
    expect(here.outcome("soul")).toBe("unused")
  })
})

describe("the user's profile", () => {
  test("is the name alone", () => {
    here.write("home/.moltis/USER.md", "---\nname: Ada\ntimezone: Europe/Paris\n---\nLikes tea.\n")
    expect(here.text()).toMatch(/concisely\.\n\nThe user's name is Ada\.\n\n## Guidelines\n/)
  })

  test("is on the line below the soul", () => {
    here.write(IDENTITY, "---\nname: Rex\n---\n")
    here.write("home/.moltis/SOUL.md", "You are patient.\n")
    here.write("home/.moltis/USER.md", "---\nname: Ada\n---\n")
    expect(here.text()).toMatch(/\nYou are patient\.\nThe user's name is Ada\.\n\n## Guidelines\n/)
  })

  test("is left out if it gives no name", () => {
    here.write("home/.moltis/USER.md", "---\ntimezone: Europe/Paris\n---\nLikes tea.\n")
    expect(here.outcome("user")).toBe("unused")
  })
})

describe("the entry points", () => {
  const kept = (mode: "full" | "minimal" | "subagent") => {
    const session = { mode, directory: join(here.root, "app"), env: {} }
    const { plan } = here.build({ tools: toolsNamed("exec", "memory_search"), session })
    return plan.entries
      .filter(({ id, outcome }) => id.startsWith("moltis/") && outcome.kind === "included")
      .map(({ id }) => id.slice("moltis/".length))
  }

  test("full: identity, soul, user, skills, runtime, tools", () => {
    fill(here)
    expect(kept("full")).toEqual([
      ...["intro", "identity", "soul", "user", "project", "runtime", "skills", "workspace-files"],
      ...["memory", "tools", "guidelines", "silent-replies"],
    ])
  })

  test("minimal: no tools, and nothing that needs them", () => {
    fill(here)
    expect(kept("minimal")).toEqual([
      ...["intro", "identity", "soul", "user", "project", "runtime", "workspace-files", "guidelines"],
    ])
  })

  test("subagent: tools and project context", () => {
    fill(here)
    expect(kept("subagent")).toEqual(["intro", "project", "memory", "tools", "guidelines", "silent-replies"])
  })

  test("minimal, with nothing around it, has the size that the description gives", () => {
    const { length } = here.text({ tools, session: { mode: "minimal" } })
    expect(length).toBeGreaterThan(150)
    expect(length).toBeLessThan(300)
  })
})
