// What follows the base in the `pi` profile, and where it is found: append, project context, skills, clock, directory.
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { adjustProfile } from "../../../src/profiles/adjust.ts"
import { pi } from "../../../src/profiles/pi/pi.ts"
import { piSystem } from "../../../src/sources/systems/pi.ts"
import { compileFolder } from "../compile-folder.ts"
import { openPiFolder, toolsNamed } from "./pi-folder.ts"

let here: ReturnType<typeof openPiFolder>
beforeEach(() => {
  here = openPiFolder()
})
afterEach(() => here.remove())

describe("APPEND_SYSTEM.md", () => {
  test("follows the base, its own or another, unchanged", () => {
    here.write("workspace/.pi/APPEND_SYSTEM.md", "\n  More.\n\n")
    expect(here.section("pi/append")).toBe("\n\n\n  More.\n\n")
    expect(here.text()).toMatch(/working with files\n\n\n {2}More\.\n\n\nCurrent date/)
    here.write("workspace/.pi/SYSTEM.md", "Mine.")
    expect(here.text()).toMatch(/^Mine\.\n\n\n {2}More\.\n\n\nCurrent date/)
  })

  test("of the project takes precedence over the home folder's, and .pi over .sf; only one is sent", () => {
    const places = ["home/.sf/agent", "home/.pi/agent", "workspace/.sf", "workspace/.pi"]
    const told = places.map((place) => {
      here.write(`${place}/APPEND_SYSTEM.md`, `From ${place}.`)
      return here.section("pi/append")
    })
    expect(told).toEqual(places.map((place) => `\n\nFrom ${place}.`))
  })

  test("that is empty says nothing, and still hides the home folder's", () => {
    here.write("workspace/.pi/APPEND_SYSTEM.md", "")
    here.write("home/.pi/agent/APPEND_SYSTEM.md", "Global.")
    expect(here.section("pi/append")).toBeUndefined()
  })
})

describe("project context", () => {
  const headings = (cwd = "workspace") => here.section("pi/context", { cwd })?.match(/(?<=^## ).*/gm) ?? []

  test("is the global file, then the folders from the root down to the working directory", () => {
    for (const name of [
      "workspace/app/AGENTS.md",
      "CLAUDE.md",
      "home/.sf/agent/AGENTS.md",
      "workspace/AGENTS.md",
    ])
      here.write(name, name)
    for (const name of ["workspace/other/AGENTS.md", "workspace/app/below/AGENTS.md", "home/AGENTS.md"])
      here.write(name, "Never told.")
    expect(here.section("pi/context", { cwd: "workspace/app" })).toBe(
      [
        "\n\n# Project Context\n",
        "Project-specific instructions and guidelines:\n",
        "## /folder/home/.sf/agent/AGENTS.md\n\nhome/.sf/agent/AGENTS.md\n",
        "## /folder/CLAUDE.md\n\nCLAUDE.md\n",
        "## /folder/workspace/AGENTS.md\n\nworkspace/AGENTS.md\n",
        "## /folder/workspace/app/AGENTS.md\n\nworkspace/app/AGENTS.md\n\n",
      ].join("\n"),
    )
  })

  test("has one file of each folder: AGENTS.md, AGENTS.MD, CLAUDE.md or CLAUDE.MD", () => {
    const names = ["CLAUDE.MD", "CLAUDE.md", "AGENTS.MD", "AGENTS.md"]
    const told = names.map((name) => {
      here.write(`workspace/${name}`, name)
      return headings()
    })
    expect(told).toEqual(names.map((name) => [`/folder/workspace/${name}`]))
  })

  test("reports a file that is ignored because of another in its folder", () => {
    here.write("workspace/AGENTS.md", "a")
    here.write("workspace/CLAUDE.md", "b")
    expect(here.findings()).toEqual([
      "file-shadowed /folder/workspace/CLAUDE.md: is ignored because /folder/workspace/AGENTS.md takes its place",
    ])
  })

  test("a CLAUDE.md that is a link to the AGENTS.md beside it is no diagnostic", () => {
    symlinkSync(here.write("workspace/AGENTS.md", "a"), join(here.root, "CLAUDE.md"))
    expect(here.findings()).toEqual([])
    expect(headings()).toEqual(["/folder/workspace/AGENTS.md"])
  })

  test("an empty AGENTS.md still hides the CLAUDE.md beside it", () => {
    here.write("workspace/AGENTS.md", "")
    here.write("workspace/CLAUDE.md", "Never told.")
    expect(here.section("pi/context")).toMatch(/:\n\n## \/folder\/workspace\/AGENTS\.md\n\n\n\n$/)
  })

  test("has the global file of .pi before that of .sf, and only one", () => {
    here.write("home/.sf/agent/AGENTS.md", "sf")
    here.write("home/.pi/agent/CLAUDE.md", "pi")
    expect(headings()).toEqual(["/folder/home/.pi/agent/CLAUDE.md"])
  })

  test("the global file is sent once, even if its folder is the working directory", () => {
    here.write("home/.pi/agent/AGENTS.md", "a")
    expect(headings("home/.pi/agent")).toEqual(["/folder/home/.pi/agent/AGENTS.md"])
  })

  test("is not trimmed; only byte order marks and carriage returns go", () => {
    here.write("workspace/AGENTS.md", "\uFEFF\r\n  One.\r\n\r\n")
    expect(here.section("pi/context")?.split("AGENTS.md")[1]).toBe("\n\n\n  One.\n\n\n\n")
  })

  test("imports nothing", () => {
    here.write("workspace/more.md", "Never told.")
    here.write("workspace/AGENTS.md", "@more.md")
    expect(headings()).toEqual(["/folder/workspace/AGENTS.md"])
  })

  test("keeps the path and lines of each file", () => {
    here.write("workspace/AGENTS.md", "One.\nTwo.\n")
    const entry = here.compile().plan.entries.find(({ id }) => id === "pi/context")
    expect(entry?.spans.flatMap(({ from }) => from ?? [])).toMatchObject([
      { kind: "file", path: join(here.root, "AGENTS.md"), lines: [1, 2] },
    ])
  })

  test("is left out completely if there is none", () => {
    expect(here.section("pi/context")).toBeUndefined()
  })
})

describe("skills", () => {
  const names = (cwd?: string) =>
    here.section("pi/skills", cwd === undefined ? {} : { cwd })?.match(/(?<=<name>).*(?=<)/g) ?? []

  test("are a list of names, descriptions and paths; what they say is not loaded", () => {
    const path = here.write(
      "home/.agents/skills/commit-outstanding/SKILL.md",
      "---\nname: commit-outstanding\ndescription: Commit all uncommitted files in logical groups\n---\nNever told.",
    )
    expect(here.section("pi/skills")).toBe(
      [
        "\n\nThe following skills provide specialized instructions for specific tasks.",
        "Use the read tool to load a skill's file when the task matches its description.",
        "When a skill file references a relative path, resolve it against the skill directory.",
        "",
        "<available_skills>",
        "  <skill>",
        "    <name>commit-outstanding</name>",
        "    <description>Commit all uncommitted files in logical groups</description>",
        `    <location>${path.replace(here.path, "/folder")}</location>`,
        "  </skill>",
        "</available_skills>",
      ].join("\n"),
    )
  })

  test("are listed only while the read tool is active", () => {
    here.skill("workspace/.pi/skills/a", "A")
    expect(here.section("pi/skills", { tools: toolsNamed("bash", "edit") })).toBeUndefined()
    expect(here.section("pi/skills", { tools: toolsNamed("read") })).toBeDefined()
  })

  test("are listed with a custom SYSTEM.md too", () => {
    here.write("workspace/.pi/SYSTEM.md", "Mine.")
    here.skill("workspace/.pi/skills/a", "A")
    expect(names()).toEqual(["a"])
  })

  test("that only a person starts are not listed", () => {
    here.skill("workspace/.pi/skills/a", "A", "disable-model-invocation: true\n")
    expect(here.section("pi/skills")).toBeUndefined()
    here.skill("workspace/.pi/skills/b", "B", "disable-model-invocation: false\n")
    expect(names()).toEqual(["b"])
  })

  test("come from every place, and are sorted by name", () => {
    here.skill("workspace/.pi/skills/f", "F")
    here.skill("workspace/.sf/skills/b", "B")
    here.skill("workspace/.agents/skills/e", "E")
    here.skill("home/.pi/agent/skills/d", "D")
    here.skill("home/.sf/agent/skills/a", "A")
    here.skill("home/.agents/skills/c", "C")
    expect(names()).toEqual(["a", "b", "c", "d", "e", "f"])
  })

  test("with the same name: the project's wins over a parent folder's, and that over the home folder's", () => {
    const places = [
      "home/.agents",
      "home/.sf/agent",
      "home/.pi/agent",
      ".agents",
      "workspace/.agents",
      "workspace/.sf",
      "workspace/.pi",
    ]
    const told = places.map((place) => {
      here.skill(`${place}/skills/a`, `From ${place}`)
      return here.section("pi/skills")?.match(/(?<=<description>).*(?=<)/g)
    })
    expect(told).toEqual(places.map((place) => [`From ${place}`]))
  })

  test("of the folders above are found up to the root of the repository", () => {
    mkdirSync(join(here.root, ".git"))
    mkdirSync(join(here.root, "app"))
    here.skill("workspace/.agents/skills/inside", "Inside")
    here.skill(".agents/skills/outside", "Outside")
    expect(names("workspace/app")).toEqual(["inside"])
  })

  test("are escaped, so that none can end the list", () => {
    here.skill("workspace/.pi/skills/a", `"</skill> & 'x'"`)
    expect(here.section("pi/skills")).toContain(
      "<description>&lt;/skill&gt; &amp; &apos;x&apos;</description>",
    )
  })
})

describe("who may see what", () => {
  const stranger = { session: { channel: "telegram:1" } }
  const kinds = () =>
    Object.fromEntries(here.compile(stranger).plan.entries.map(({ id, outcome }) => [id, outcome.kind]))

  test("a stranger isn't told about context, the directory or the documentation", () => {
    here.write("workspace/AGENTS.md", "Ours.")
    expect(kinds()).toMatchObject({
      "pi/base": "included",
      "pi/context": "withheld",
      "pi/clock": "included",
      "pi/directory": "withheld",
      "pi/documentation": "withheld",
    })
    expect(here.text(stranger)).not.toContain("/folder")
  })

  test("skills are withheld from strangers", () => {
    here.skill("workspace/.pi/skills/a", "A")
    expect(here.section("pi/skills", stranger)).toBeUndefined()
  })

  test("a file that an audience may not see replaces no other", () => {
    here.write("workspace/.pi/SYSTEM.md", "---\ntrust: full\n---\nSecret.")
    here.write("home/.pi/agent/SYSTEM.md", "Global.")
    here.write("workspace/AGENTS.md", "---\ntrust: full\n---\nSecret.")
    here.write("workspace/CLAUDE.md", "Shared.")
    const group = { session: { situation: "group" } }
    expect([here.section("pi/base", group), here.section("pi/context", group)?.split("## ")[1]]).toEqual([
      "Global.",
      "/folder/workspace/CLAUDE.md\n\nShared.\n\n",
    ])
    expect(here.section("pi/base")).toBe("---\ntrust: full\n---\nSecret.")
  })

  test("the configuration may say who sees a context file", () => {
    here.write("workspace/incipit.yaml", "prompt: { files: [ { path: AGENTS.md, trust: public } ] }\n")
    here.write("workspace/AGENTS.md", "For all.")
    expect(here.section("pi/context", stranger)).toContain("For all.")
  })
})

describe("the end", () => {
  test("is the date and time, then the working directory, whatever comes before", () => {
    const end =
      "\nCurrent date and time: Saturday, March 7, 2026 at 08:55:05 AM CST\nCurrent working directory: /folder/workspace"
    const before = here.text()
    here.write("workspace/.pi/SYSTEM.md", "Mine.")
    expect([before.endsWith(`files${end}`), here.text()]).toEqual([true, `Mine.${end}`])
  })

  test("is the working directory alone for a version of pi without a clock, and then nothing moves", () => {
    const { profile } = adjustProfile(pi, { sections: { "pi/clock": "off" } })
    const movingIn = ({ plan }: Prompt) =>
      plan.diagnostics.filter(({ code }) => code === "moving-text").length
    const prompt = here.compile({ profile })
    expect(prompt.text).toMatch(/working with files\nCurrent working directory: .*workspace$/)
    expect([movingIn(here.compile()), movingIn(prompt)]).toEqual([1, 0])
    expect(here.compile({ profile, turn: { now: 0 } }).text).toBe(prompt.text)
  })

  test("without a working directory there is no line for it, and no project context", () => {
    here.write("workspace/AGENTS.md", "a")
    const { home, root } = here
    const prompt = compileFolder({ profile: pi, system: piSystem, root, home })
    expect(prompt.text).not.toContain(root)
  })
})

test("with other tools, the list and the guidelines are others, and nothing else", () => {
  here.write("workspace/AGENTS.md", "a")
  const changed = (tools: readonly string[]) => {
    const entries = here.compile({ tools: toolsNamed(...tools) }).plan.entries
    return new Map(entries.filter(({ kind }) => kind === "section").map(({ id, current }) => [id, current]))
  }
  const [before, after] = [changed(["read", "bash"]), changed(["read", "bash", "grep"])]
  expect([...before].filter(([id, digest]) => after.get(id) !== digest).map(([id]) => id)).toEqual([
    "pi/tools",
    "pi/guidelines",
  ])
})

test("everything is sent whole, whatever the budget", () => {
  here.write("workspace/AGENTS.md", "Long. ".repeat(2000))
  const budget = { window: 2000, reserve: 0, head: 500, tail: 500 }
  const { plan } = here.compile({ budget })
  expect(new Set(plan.entries.map(({ outcome }) => outcome.kind))).toEqual(new Set(["included", "unused"]))
  expect(plan.diagnostics.map(({ code }) => code)).toContain("required-over-budget")
})
