// A client hears that its lists have changed if they have: what it may not see changes without a word.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { followChanges } from "../../../src/serve/mcp/follow-changes.ts"
import type { McpView } from "../../../src/serve/mcp/mcp-view.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

function skill(name: string, trust: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\ntrust: ${trust}\n---\nDo ${name}.\n`
}

function openFolder() {
  const root = mkdtempSync(join(tmpdir(), "incipit-mcp-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write("incipit.yaml", "users: { ada: { trust: familiar } }\n")
  write("skills/knots/SKILL.md", skill("knots", "familiar"))
  let looks = 0
  const compile: McpView["compile"] = async () => {
    looks += 1
    const workspace = openWorkspace(root)
    const agent = gatherAgent(workspace, { tools: incipit.tools ?? [] }).value
    const session = gatherSession(workspace, { as: "ada", directory: root, known: agent.files }).value
    const prompt = createCompiler({ profile: incipit, counter: o200k })
      .head(agent, session, {})
      .step({ id: "t", now: 0, timeZone: "UTC" })
    return { prompt, agent, session }
  }
  // Only the prompt is looked at.
  const view = { compile } as McpView
  return { root, write, view, looks: () => looks }
}

test("a hidden skill comes and goes in silence, and one that may be seen is said", async () => {
  const { root, write, view, looks } = openFolder()
  const told: string[] = []
  const stop = followChanges(() => view, {
    ...{ folder: root, everyMs: 10 },
    resourcesChanged: () => told.push("resources"),
    promptsChanged: () => told.push("prompts"),
  })
  onTestFinished(stop)
  /** Writes until it was noticed, which is after it was looked for once more. */
  const written = async (path: string, text: (round: number) => string) => {
    const before = looks()
    let round = 0
    await vi.waitUntil(
      () => {
        if (looks() > before + 2) return true
        write(path, text(++round))
        return false
      },
      { timeout: 60_000, interval: 250 },
    )
  }
  await written("skills/safe/SKILL.md", (round) => `${skill("safe", "full")}${round}\n`)
  await written("skills/safe/SKILL.md", (round) => `${skill("vault", "full")}${round}\n`)
  expect(told).toEqual([])
  write("skills/sails/SKILL.md", skill("sails", "familiar"))
  await vi.waitUntil(() => told.length > 0, { timeout: 60_000 })
  expect(told).toEqual(["prompts"])
  write("SOUL.md", "You keep the lighthouse.\n")
  await vi.waitUntil(() => told.length > 1, { timeout: 60_000 })
  expect(told).toEqual(["prompts", "resources"])
})
