// Trees shaped like real repositories: many nested AGENTS.md, rules, hundreds of skills, strange files in between.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

function compile(directory: string) {
  const workspace = openWorkspace(folder.root, { home: folder.home })
  const agent = gatherAgent(workspace, { tools: incipit.tools ?? [] })
  const session = gatherSession(workspace, { directory, known: agent.value.files })
  const ours = [...agent.diagnostics, ...session.diagnostics].filter(
    (item) => !("path" in item) || !item.path.startsWith("/") || item.path.startsWith(folder.path),
  )
  const head = createCompiler({ profile: incipit, counter: o200k }).head(agent.value, session.value, {
    diagnostics: ours,
  })
  return head.step({ id: "t", now: 0, timeZone: "UTC" }).plan
}

test("a monorepo: deep chains of AGENTS.md, rules and hundreds of skills", () => {
  const app = "workspace/packages/area/app/src/feature/part"
  folder.write("workspace/.git/HEAD", "ref: refs/heads/main\n")
  for (const [at] of app.split("/").entries())
    folder.write(
      `${app
        .split("/")
        .slice(0, at + 1)
        .join("/")}/AGENTS.md`,
      `## Level ${at}\n\nRules of level ${at}.\n`,
    )
  folder.write(`${app}/CLAUDE.md`, "Shadowed.")
  for (let at = 0; at < 20; at += 1)
    folder.write(
      `${app}/.claude/rules/rule-${at}.md`,
      at % 2 === 0 ? `Rule ${at}.` : `---\npaths: "**/*.rs"\n---\nRust ${at}.`,
    )
  for (let at = 0; at < 300; at += 1)
    folder.write(
      `workspace/.claude/skills/team-${at % 12}/skill-${at}/SKILL.md`,
      `---\nname: skill-${at}\ndescription: Does number ${at} of many things.\n---\n`,
    )
  const { entries, diagnostics } = compile(join(folder.path, app))
  const context = entries.find(({ id }) => id === "context")
  const files = new Set(
    context?.spans.flatMap(({ from }) =>
      from?.kind === "file" && from.path.startsWith(folder.path)
        ? [from.path.slice(folder.root.length + 1)]
        : [],
    ),
  )
  expect([...files].filter((path) => path.endsWith("AGENTS.md"))).toEqual([
    "packages/AGENTS.md",
    "packages/area/AGENTS.md",
    "packages/area/app/AGENTS.md",
    "packages/area/app/src/AGENTS.md",
    "packages/area/app/src/feature/AGENTS.md",
    "packages/area/app/src/feature/part/AGENTS.md",
  ])
  expect([...files].filter((path) => path.includes(".claude/rules"))).toHaveLength(10)
  expect(entries.find(({ id }) => id === "skills")?.outcome.kind).toBe("included")
  expect(diagnostics.map(({ code }) => code)).toEqual(["file-shadowed"])
})

test("a small window: the skills shrink to a form that fits, and the nearest context stays", () => {
  folder.write("workspace/incipit.yaml", "budget: { window: 8000, reserve: 1000, head: 2600 }\n")
  for (let at = 0; at < 300; at += 1)
    folder.write(
      `workspace/skills/skill-${at}/SKILL.md`,
      `---\nname: skill-${at}\ndescription: Does number ${at} of many things, at some length.\n---\n`,
    )
  folder.write("repo/.git/HEAD", "ref: refs/heads/main\n")
  folder.write("repo/AGENTS.md", `General.\n${"General words. ".repeat(300)}`)
  folder.write("repo/near/AGENTS.md", "Near words.")
  const workspace = openWorkspace(folder.root)
  const agent = gatherAgent(workspace, { tools: incipit.tools ?? [] }).value
  const session = gatherSession(workspace, { directory: join(folder.path, "repo/near") }).value
  const budget = { window: 8_000, reserve: 1_000, head: 2_600 }
  const { plan, text } = createCompiler({ profile: incipit, counter: o200k })
    .head(agent, session, { budget })
    .step({ id: "t", now: 0, timeZone: "UTC" })
  expect(plan.budget.head.used).toBeLessThanOrEqual(2_600)
  expect(plan.entries.find(({ id }) => id === "skills")?.outcome).toMatchObject({
    kind: "truncated",
    how: "shorter",
  })
  expect(text).toMatch(/<skills>\n.*\n(?:Showing \d+ of 300\. )?skill-0, skill-1, /)
  expect(text).toContain("Near words.")
  expect(text).toContain('left-out="for want of room"')
})

test("links that go round and round end, and everything else is found", () => {
  folder.write("workspace/rules/a.md", "A.")
  folder.write("workspace/skills/one/SKILL.md", "---\ndescription: One.\n---\n")
  symlinkSync("..", join(folder.root, "skills/loop"))
  symlinkSync(".", join(folder.root, "rules/loop"))
  const { entries } = compile(folder.root)
  expect(["rules", "skills"].map((id) => entries.find((entry) => entry.id === id)?.outcome.kind)).toEqual([
    "included",
    "included",
  ])
})

test("project context cannot bring in what has a trust of its own", () => {
  folder.write("workspace/users/alice/USER.md", "Alice's secret.")
  folder.write("workspace/memory/private/x.md", "---\ndescription: Notes\n---\nPrivate memory.")
  folder.write("workspace/docs/style.md", "House style.")
  folder.write("workspace/.git/HEAD", "ref: refs/heads/main\n")
  folder.write(
    "workspace/packages/AGENTS.md",
    "@../users/alice/USER.md\n@../memory/private/x.md\n@../docs/style.md\n",
  )
  const { blocks, diagnostics } = compile(join(folder.root, "packages"))
  const text = blocks.map((block) => block.text).join("")
  expect([
    text.includes("Alice's secret."),
    text.includes("Private memory."),
    text.includes("House style."),
  ]).toEqual([false, false, true])
  expect(diagnostics.filter(({ code }) => code === "import-outside")).toHaveLength(2)
})
