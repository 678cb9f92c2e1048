// Coop's files: which are found, in which order and with which trust they are told, and how long ones are cut.
import { symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { coop } from "../../../src/profiles/coop/coop.ts"
import { coopSystem } from "../../../src/sources/systems/coop.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const build = (options: Partial<FolderOptions> = {}) =>
  compileFolder({ profile: coop, system: coopSystem, root: folder.root, home: folder.home, ...options })

/** The prompt without the runtime section, which every session has. */
const text = (options: Partial<FolderOptions> = {}) =>
  build(options).text.replace(/(\n\n)?## Runtime\n(- .*\n?)*/, "")

const write = (...names: readonly string[]) => {
  for (const name of names) folder.write(`workspace/${name}`, `${name}.`)
}
const configure = (...files: readonly string[]) =>
  folder.write(
    "workspace/incipit.yaml",
    `prompt:\n  files:\n${files.map((file) => `    - ${file}\n`).join("")}`,
  )
const told = (options: Partial<FolderOptions> = {}) =>
  [...text(options).matchAll(/^## (.*)$/gm)].map(([, name]) => name)
const entry = (id: string, options: Partial<FolderOptions> = {}) =>
  build(options).plan.entries.find((found) => found.id === id)

const MEMORY_GET = (coop.tools ?? []).filter(({ name }) => name === "memory_get")

describe("a person's own skills", () => {
  const skill = (path: string, description: string) =>
    folder.write(`workspace/${path}/SKILL.md`, `---\ndescription: ${description}\n---\n`)
  beforeEach(() => {
    folder.write("workspace/incipit.yaml", "users: { alice: { trust: full }, bob: { trust: inner } }\n")
    skill("skills/bake", "Bread for all.")
    skill("users/alice/skills/bake", "Rye for Alice.")
    skill("users/alice/skills/knit", "Mittens.")
  })

  test("come after the shared ones and override those of the same name", () => {
    const shown = text({ session: { as: "alice" } })
    expect(shown).toContain("- **bake** (`skills/bake/SKILL.md`) — Bread for all.")
    expect(shown.split("## Skills of this user\n\nEach goes before a skill of the same name")[1]).toMatch(
      /- \*\*bake\*\* \(`users\/alice\/skills\/bake\/SKILL\.md`\) — Rye for Alice\.\n- \*\*knit\*\*/,
    )
  })

  test("are visible to that person only, and change no byte for others", () => {
    const before = text({ session: { as: "bob" } })
    skill("users/alice/skills/swim", "Laps.")
    expect(text({ session: { as: "bob" } })).toBe(before)
    expect(before).not.toMatch(/Rye|Mittens|of this user/)
  })
})

describe("the format", () => {
  test("is the file's name and its text as it is, joined by blank lines", () => {
    folder.write("workspace/SOUL.md", "Soul.\n")
    folder.write("workspace/AGENTS.md", "  Agents.")
    folder.write("workspace/TOOLS.md", "# Tools\n\n<!-- note -->\n")
    expect(text()).toBe(
      "## SOUL.md\nSoul.\n\n\n## AGENTS.md\n  Agents.\n\n## TOOLS.md\n# Tools\n\n<!-- note -->\n",
    )
  })

  test("has no byte order mark and no carriage return", () => {
    folder.write("workspace/SOUL.md", "\uFEFFSoul.\r\nMore.\r\n")
    expect(text()).toBe("## SOUL.md\nSoul.\nMore.\n")
  })

  test("says nothing of a file that is missing or empty", () => {
    folder.write("workspace/SOUL.md", "")
    folder.write("workspace/TOOLS.md", " \n\n")
    folder.write("workspace/IDENTITY.md", "Coop.")
    expect(text()).toBe("## IDENTITY.md\nCoop.")
  })

  test("every text has the file and the lines that it is from", () => {
    folder.write("workspace/IDENTITY.md", "---\nname: Coop\n---\nOne.\nTwo.\n")
    expect(entry("coop/identity")?.spans.map(({ from }) => from)).toMatchObject([
      { path: "IDENTITY.md", lines: [1, 3] },
      { path: "IDENTITY.md", lines: [4, 5] },
    ])
  })
})

describe("the convention", () => {
  const ALL = ["SOUL.md", "AGENTS.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md", "HEARTBEAT.md"]
  test("gives each file its default trust", () => {
    write(...ALL)
    const { entries } = build({ session: { situation: "system" } }).plan
    expect(Object.fromEntries(entries.map(({ id, trust }) => [id, trust]))).toMatchObject({
      "coop/soul": "familiar",
      "coop/agents": "familiar",
      "coop/tools": "familiar",
      "coop/identity": "familiar",
      "coop/user": "inner",
      "coop/memory": "full",
      "coop/heartbeat": "full",
    })
  })

  test("files that nobody configured are in the order of the layers; MEMORY.md is in the menu alone", () => {
    write(...ALL, "OTHER.md")
    expect(told()).toEqual([
      "SOUL.md",
      "AGENTS.md",
      "USER.md",
      "TOOLS.md",
      "IDENTITY.md",
      "Available Memory (trust: full)",
    ])
  })

  test("neither the home folder nor the working directory adds anything", () => {
    write("SOUL.md")
    folder.write("home/.incipit/SYSTEM.md", "Base.")
    folder.write("workspace/.incipit/SYSTEM.md", "Base.")
    folder.write("workspace/rules/a.md", "Rule.")
    folder.write("project/AGENTS.md", "Project.")
    folder.write("project/.claude/skills/x/SKILL.md", "---\nname: x\ndescription: X\n---\n")
    const directory = `${folder.path}/project`
    const { files, skills } = gatherSession(openWorkspace(folder.root), {
      system: coopSystem,
      directory,
    }).value
    expect([files, skills, told({ session: { directory } })]).toEqual([[], [], ["SOUL.md"]])
    expect(build({ session: { directory } }).plan.diagnostics.map(({ code }) => code)).toEqual([
      "moving-text",
    ])
  })

  test("a link that leads out of the workspace is refused", () => {
    symlinkSync(folder.write("home/.incipit/SOUL.md", "Elsewhere."), `${folder.root}/SOUL.md`)
    expect(told()).toEqual([])
    expect(build().plan.diagnostics.map(({ code }) => code)).toContain("outside-roots")
  })
})

describe("configured files", () => {
  test("keep the configured order; what the order of sections allows has its own entry", () => {
    write("TOOLS.md", "IDENTITY.md", "B.md", "notes/A.md")
    configure("{ path: TOOLS.md }", "{ path: B.md }", "{ path: IDENTITY.md }", "{ path: ./notes/A.md }")
    expect(told()).toEqual(["TOOLS.md", "B.md", "IDENTITY.md", "notes/A.md"])
    const kept = build().plan.entries.filter(({ spans }) => spans.length > 0)
    expect(kept.map(({ id }) => id)).toEqual(["coop/tools", "coop/files", "coop/runtime"])
  })

  test.each([
    [
      ["IDENTITY.md", "TOOLS.md"],
      ["IDENTITY.md", "TOOLS.md"],
    ],
    [["IDENTITY.md"], ["TOOLS.md", "IDENTITY.md"]],
    [["B.md"], ["TOOLS.md", "IDENTITY.md", "B.md"]],
    [
      ["TOOLS.md", "B.md", "B.md"],
      ["TOOLS.md", "IDENTITY.md", "B.md"],
    ],
    [
      ["TOOLS.md", "IDENTITY.md", "B.md"],
      ["TOOLS.md", "IDENTITY.md", "B.md"],
    ],
  ])("%j are sent as %j", (listed, expected) => {
    write("TOOLS.md", "IDENTITY.md", "B.md")
    configure(...listed.map((path) => `{ path: ${path} }`))
    expect(told()).toEqual(expected)
  })

  test("layers come before the configured order: SOUL.md and AGENTS.md are first, USER.md is next", () => {
    write("SOUL.md", "AGENTS.md", "USER.md", "TOOLS.md")
    configure("{ path: TOOLS.md }", "{ path: USER.md }", "{ path: AGENTS.md }", "{ path: SOUL.md }")
    expect(told()).toEqual(["SOUL.md", "AGENTS.md", "USER.md", "TOOLS.md"])
  })

  test("have the trust that is configured, and a misspelt one is the owner's", () => {
    write("SOUL.md", "TOOLS.md", "A.md", "B.md")
    configure(
      "{ path: SOUL.md, trust: public }",
      "{ path: TOOLS.md, trust: inner }",
      "{ path: A.md, trust: ful }",
      "{ path: B.md, trust: public }",
    )
    expect(told({ session: { channel: "x:1" } })).toEqual(["SOUL.md", "B.md"])
    expect(told({ session: { situation: "group" } })).toEqual(["SOUL.md", "B.md"])
    expect(told()).toEqual(["SOUL.md", "TOOLS.md", "A.md", "B.md"])
  })

  test("never dump memory or another person's files, however the path is written", () => {
    write("MEMORY.md", "memory/private/A.md", "users/bob/USER.md", "users/alice/MEMORY.md", "B.md")
    folder.write(
      "workspace/incipit.yaml",
      `users: { alice: { trust: full } }
prompt: { files: [{ path: ./MEMORY.md }, { path: memory/private/A.md }, { path: B.md },
  { path: ./users/bob/USER.md }, { path: MEMORY.md, per_user: true }] }`,
    )
    expect(told({ session: { as: "alice" } })).toEqual(["B.md", "Available Memory (trust: full)"])
  })
})

describe("a person's files", () => {
  beforeEach(() => {
    write("USER.md", "users/alice/USER.md", "users/alice/PLANS.md", "users/bob/USER.md")
    folder.write(
      "workspace/incipit.yaml",
      `users: { alice: { trust: full }, bob: { trust: inner }, carol: { trust: inner }, dan: { trust: familiar } }
prompt: { files: [{ path: PLANS.md, per_user: true, trust: full }, { path: USER.md, per_user: true, trust: inner }] }`,
    )
  })

  test.each([
    ["alice", "## USER.md\nusers/alice/USER.md.\n\n## PLANS.md\nusers/alice/PLANS.md."],
    ["bob", "## USER.md\nusers/bob/USER.md."],
    ["carol", ""],
    ["dan", ""],
    [undefined, "## USER.md\nUSER.md."],
  ])("%s gets their own", (as, expected) => {
    expect(text({ session: { ...(as && { as }) } })).toBe(expected)
  })
})

describe("a subagent", () => {
  test("gets AGENTS.md and TOOLS.md only", () => {
    write("SOUL.md", "AGENTS.md", "USER.md", "TOOLS.md", "IDENTITY.md", "MEMORY.md", "B.md")
    const session = { mode: "subagent" } as const
    const expected = "## AGENTS.md\nAGENTS.md.\n\n## TOOLS.md\nTOOLS.md."
    expect(build({ session, tools: coop.tools ?? [] }).text).toBe(expected)
    configure("{ path: B.md }", "{ path: TOOLS.md }")
    expect(build({ session, tools: coop.tools ?? [] }).text).toBe(expected)
  })

  test("with its own folder has that folder's files under their plain names", () => {
    write("SOUL.md", "agents/keeper/SOUL.md", "agents/keeper/B.md")
    configure("{ path: B.md }")
    expect(text({ agent: "keeper" })).toBe(
      "## SOUL.md\nagents/keeper/SOUL.md.\n\n## B.md\nagents/keeper/B.md.",
    )
  })
})

describe("a file that is too long", () => {
  const line = (at: number) => `Line ${at} says a little more than the line before it.\n`
  const long = (lines: number) => Array.from({ length: lines }, (_, at) => line(at + 1)).join("")

  test("is cut at a line, with its price and the call for the rest", () => {
    folder.write("workspace/TOOLS.md", long(3000))
    const [kept = "", rest = ""] = text({ tools: MEMORY_GET }).split("[truncated at ")
    const next = kept.split("\n").length - 1
    const all = o200k.count(`## TOOLS.md\n${long(3000)}`)
    expect(kept.endsWith(line(next - 1))).toBe(true)
    expect(rest).toBe(
      `${o200k.count(kept)}/${all} tokens - use memory_get("TOOLS.md", from=${next}) for remainder]`,
    )
    expect(entry("coop/tools", { tools: MEMORY_GET })?.tokens).toBeLessThanOrEqual(30_000)
    expect(entry("coop/tools", { tools: MEMORY_GET })?.tokens).toBeGreaterThan(29_900)
  })

  test("names no call that cannot be made", () => {
    folder.write("workspace/TOOLS.md", long(3000))
    const toolOf = (name: string) => ({ name, description: "", parameters: {} })
    const endingWith = (...names: readonly string[]) =>
      text({ tools: names.map(toolOf) })
        .split("\n")
        .at(-1)
        ?.replace(/^.*tokens/, "")
        .replace(/\d+/, "N")
    expect([endingWith(), endingWith("shell")]).toEqual(["]", "]"])
    // A running agent has both, and its memory_get opens only memory.
    expect(endingWith("memory_get", "read")).toBe(' - use read("TOOLS.md", from=N) for remainder]')
    expect(endingWith("memory_get", "read_file")).toBe(' - use read_file("TOOLS.md") for remainder]')
  })

  test("leaves a priced pointer where not a line of it has room", () => {
    folder.write("workspace/SOUL.md", long(40))
    folder.write("workspace/TOOLS.md", `${"word ".repeat(2000)}\nMore.\n`)
    const budget = { window: 200_000, reserve: 4096, head: 800 }
    expect(text({ tools: MEMORY_GET, budget }).split("\n\n\n")[1]).toBe(
      '## TOOLS.md\n[truncated at 5/2008 tokens - use memory_get("TOOLS.md", from=1) for remainder]',
    )
  })

  test("yields to those before it: room goes in the order of the prompt", () => {
    for (const name of ["SOUL", "AGENTS", "TOOLS"]) folder.write(`workspace/${name}.md`, long(100))
    const budget = { window: 200_000, reserve: 4096, head: 3000 }
    const { entries } = build({ budget }).plan
    const kinds = entries.flatMap(({ id, outcome }) =>
      outcome.kind === "unused" ? [] : [[id, outcome.kind]],
    )
    expect(kinds).toEqual([
      ["coop/soul", "included"],
      ["coop/agents", "included"],
      ["coop/tools", "truncated"],
      ["coop/runtime", "included"],
    ])
  })

  test("among further files turns them into a priced list", () => {
    write("B.md")
    folder.write("workspace/A.md", long(3000))
    configure("{ path: B.md }", "{ path: A.md }")
    const price = (name: string, body: string) => o200k.count(`${name}${body}`)
    expect(text({ tools: MEMORY_GET })).toBe(
      `Not loaded, to fit the budget. Load what you need with memory_get.\n- B.md (${price("## B.md\n", "B.md.")} tokens)\n- A.md (${price("\n\n## A.md\n", long(3000))} tokens)`,
    )
  })
})
