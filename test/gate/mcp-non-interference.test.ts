// What a person may not see changes no byte of what the MCP server answers them, over HTTP and over stdio, whatever is in
// the workspace, and whatever the owner and others have done there.
// GATE_RUNS=2000 npx vitest run test/gate/mcp-non-interference.test.ts looks longer.
import process from "node:process"
import fc from "fast-check"
import { expect, test } from "vitest"
import { say } from "../agent/world/agent-world.ts"
import { MODERN, openStdio } from "../cli/mcp/stdio-client.ts"
import { incipit } from "../cli/run.ts"
import { type AskMcp, everything } from "../serve/mcp/everything.ts"
import { askMcp } from "../serve/mcp/mcp-caller.ts"
import { named, openPageWorld } from "../serve/page/page-world.ts"

const RUNS = Math.ceil(Number(process.env.GATE_RUNS ?? 24) / 12)

type Files = Readonly<Record<string, string>>

const trusted = (trust: string, text: string) => `---\ntrust: ${trust}\n---\n${text}\n`
const skill = (name: string, trust: string, text: string) =>
  `---\nname: ${name}\ndescription: ${text}\ntrust: ${trust}\n---\nDo it: ${text}\n`

const words = fc.constantFrom(
  "The boat is sold.",
  "The white boat",
  "zq",
  "A key, a boat and a stone. ".repeat(40),
)

/** Each may be missing. */
function some(files: Readonly<Record<string, (text: string) => string>>): fc.Arbitrary<Files> {
  const named = Object.entries(files).map(([path, write]) => [path, words.map(write)] as const)
  return fc.record(Object.fromEntries(named), { requiredKeys: [] }) as fc.Arbitrary<Files>
}

const seen = some({
  "SOUL.md": (text) => `# Soul\n\n${text}\n`,
  "AGENTS.md": (text) => `${text}\n`,
  "memory/social/c.md": (text) => `${text}\n`,
  "skills/knots/SKILL.md": (text) => skill("knots", "familiar", text),
})

const hidden = some({
  "MEMORY.md": (text) => `Hidden: ${text}\n`,
  "HEARTBEAT.md": (text) => `Hidden: ${text}\n`,
  "IDENTITY.md": (text) => trusted("full", `Hidden: ${text}`),
  "rules/a.md": (text) => trusted("inner", `Hidden: ${text}`),
  "memory/private/a.md": (text) => `Hidden: ${text}\n`,
  "memory/shared/b.md": (text) => `Hidden: ${text}\n`,
  "users/alice/USER.md": (text) => `Hidden: ${text}\n`,
  "skills/safe/SKILL.md": (text) => skill("safe", "inner", `Hidden: ${text}`),
  ".env": (text) => `KEY=${text}\n`,
})

/** Without the clock: `incipit mcp` has the real one, and the minute may change between two worlds. */
const CONFIG = `users: { bob: { trust: familiar }, alice: { trust: inner } }
feeds: { bulletin: off }
prompt: { sections: { environment: off, directory: off, clock: off, soul: { on_change: rebuild } } }
`

interface World {
  readonly files: Files
  /** How often the owner has said something. */
  readonly said: number
}

const worlds = fc
  .record({ seen, hidden: fc.tuple(hidden, hidden), said: fc.tuple(fc.nat(1), fc.nat(1)) })
  .map(({ seen: own, hidden: others, said }): readonly [World, World] => [
    { files: { ...own, ...others[0], "incipit.yaml": CONFIG }, said: said[0] },
    { files: { ...own, ...others[1], "incipit.yaml": CONFIG }, said: said[1] },
  ])

async function overHttp({ files, said }: World): Promise<string> {
  const { as, operator } = await openPageWorld({ files, scripts: [say("High water at two.")] })
  for (let at = 0; at < said; at += 1) await operator.say("where is the boat?")
  const bob = await as("bob")
  await bob.say("when is high water?")
  return named(await everything((method, params) => askMcp(bob, method, params)))
}

async function overStdio({ files, said }: World): Promise<string> {
  const client = openStdio({
    files,
    args: ["--as", "bob"],
    before({ home, folder }) {
      if (said === 0) return
      const ran = incipit(["run", "where is the boat?"], { cwd: folder, env: { HOME: home } })
      expect([ran.status, ran.stderr]).toEqual([0, expect.any(String)])
    },
  })
  const ask: AskMcp = async (method, params) => {
    const { id: _id, ...answer } = await client.request(method, { ...params, _meta: MODERN })
    return JSON.stringify(answer)
  }
  const found = await everything(ask)
  await client.end()
  return found.replaceAll(client.folder, "<folder>")
}

/** Nothing at all, and everything that is hidden. */
const FARTHEST: readonly [World, World] = [
  { files: { "incipit.yaml": CONFIG }, said: 0 },
  {
    files: {
      ...{
        "incipit.yaml": CONFIG,
        "MEMORY.md": "Hidden: zq\n",
        "IDENTITY.md": trusted("full", "Hidden: zq"),
      },
      ...{
        "memory/private/a.md": "Hidden: boat\n",
        "skills/safe/SKILL.md": skill("safe", "full", "Hidden: zq"),
      },
      "users/alice/USER.md": "Hidden: zq\n",
    },
    said: 1,
  },
]

for (const [transport, ask] of Object.entries({ HTTP: overHttp, stdio: overStdio }))
  test(`over ${transport}, two worlds that differ in what Bob may not see answer him the same`, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ([one, other]) => {
        const answers = await ask(one)
        expect(await ask(other)).toBe(answers)
        expect(answers).not.toMatch(/Hidden:|<clock>/)
      }),
      { numRuns: RUNS, examples: [[FARTHEST]], endOnFailure: true },
    )
  })
