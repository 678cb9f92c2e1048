// Without a record, a memory and a store on disk, an agent writes nothing, offers no tool for them and names none.
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import type { AgentOptions } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { makeFolder } from "../../sources/folder.ts"
import { workspace } from "../world/agent-world.ts"

const NOTHING = { record: false, memory: false, store: "memory" } as const

const FILES = {
  "SOUL.md": "You burn.\n",
  "MEMORY.md": "The cat is grey.\n",
  "memory/shared/people.md": "Carol was born on 12 March.\n",
}

test("with all three off, nothing is written anywhere", () => {
  const root = workspace(FILES)
  const home = makeFolder()
  onTestFinished(() => home.remove())
  const before = [everythingIn(root), everythingIn(home.root)]
  // The permission model refuses every write; also, the folders are compared.
  const { stdout, stderr, status } = spawnSync(
    "node",
    [
      ...["--permission", "--allow-fs-read=*", "--disable-warning=SecurityWarning"],
      ...[join("test", "agent", "storage", "kept-worker.ts"), root],
    ],
    {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: home.root,
        TMPDIR: home.root,
        XDG_STATE_HOME: join(home.root, "x"),
      },
    },
  )
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
  expect(stdout).toMatchInlineSnapshot(`
    "answered
    answered
    answered
    answered
    1 plans, 2 tasks
    empty
    one session
    answered
    answered
    answered
    answered
    1 plans, 0 tasks
    empty
    one session"
  `)
  expect([everythingIn(root), everythingIn(home.root)]).toEqual(before)
})

test.each<[string, Partial<AgentOptions>, RegExp]>([
  ["memory", { memory: false }, /memory_|MEMORY\.md|Carol|grey/],
  ["the record", { record: false }, /incipit_(?:status|logs|trace|cost)/],
])("without %s, its tools are not offered and the prompt does not name them", async (_name, off, words) => {
  const root = workspace(FILES)
  const state = join(root, "state")
  const common = { workspace: root, state, home: join(root, "no-home"), model: "offline", env: {} }
  const [whole, without] = await Promise.all([promptAndTools(common), promptAndTools({ ...common, ...off })])
  expect(whole).toMatch(words)
  expect(without).not.toMatch(words)
})

test("asking the record of an agent without one says so", async () => {
  const root = workspace(FILES)
  const agent = await openAgent({ workspace: root, home: root, model: "offline", ...NOTHING })
  onTestFinished(() => agent.close())
  expect(() => agent.record.read(() => 1)).toThrow("this agent was opened without a record")
  expect(agent.memory.write("The lamp is green.", { trust: "full", by: "ada", now: 0 })).toEqual({
    ...{ status: "refused", why: "no-such-place", reason: "this agent was opened without a memory" },
  })
})

test("a further agent keeps nothing either, and its session is in the same store", async () => {
  const root = workspace({ ...FILES, "agents/tide/IDENTITY.md": "---\nname: Tide\n---\n" })
  const agent = await openAgent({
    workspace: root,
    home: join(root, "no-home"),
    model: "offline",
    ...NOTHING,
  })
  onTestFinished(() => agent.close())
  const before = everythingIn(root)
  const { text } = await agent.send("delegate to tide: who are you?")
  expect(text).toContain("delegate returned:")
  expect(everythingIn(root)).toEqual(before)
})

test("a plan that a further agent writes is kept nowhere", async () => {
  const root = workspace({ ...FILES, "agents/tide/IDENTITY.md": "---\nname: Tide\n---\n" })
  const plan = "# Plan: oil the lamp\n\n## Steps\n1. Fetch oil."
  const model = offlineModel({
    script({ message, results: [report] }) {
      if (message === "Plan it.") return plan
      return report?.text ?? [{ name: "delegate", input: { agent: "tide", task: "Plan it." } }]
    },
  })
  const agent = await openAgent({ workspace: root, home: join(root, "no-home"), model, ...NOTHING })
  onTestFinished(() => agent.close())
  const before = everythingIn(root)
  const { text } = await agent.send("Have the lamp oiled.", { planMode: true })
  expect(text).toContain("1. Fetch oil.")
  expect(everythingIn(root)).toEqual(before)
})

/** As the model gets them. */
async function promptAndTools(options: AgentOptions): Promise<string> {
  const agent = await openAgent(options)
  try {
    const { head, tail } = await agent.preview("What do you know about Carol?")
    const tools = agent.tools().map(({ name, description }) => `${name}: ${description}`)
    return [...tools, ...head.map(({ text }) => text), tail?.text].join("\n")
  } finally {
    await agent.close()
  }
}

function everythingIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
}
