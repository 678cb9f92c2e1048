// The example of the guide, loaded into a copy of the sample workspace and told in a real prompt.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import { view } from "../../src/core/view/view.ts"
import { loadHooks } from "../../src/hooks/load.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { benchOf, never, sessionOf, turn } from "./runner.ts"

const root = mkdtempSync(join(tmpdir(), "incipit-tides-"))
afterAll(() => rmSync(root, { recursive: true }))

const EXAMPLE = "examples/hooks/tides.ts"

test("the guide shows the example as it is", () => {
  const shown = /```ts\n([\s\S]*?)```/.exec(readFileSync("docs/guide/hooks.md", "utf8"))?.[1]
  expect(shown).toBe(readFileSync(EXAMPLE, "utf8"))
})

test.each(["familiar", "public"] as const)("the tides of the day are sent, at %s trust", async (trust) => {
  cpSync("examples/lighthouse/data", join(root, "data"), { recursive: true })
  cpSync(EXAMPLE, join(root, "hooks", "tides.ts"))
  const { hooks, diagnostics } = await loadHooks(["./hooks/tides.ts"], { root, approved: () => true })
  const { runner, troubles } = benchOf(hooks)
  const { agent, session } = sessionOf(trust)
  const head = createCompiler({ profile: incipit, counter: o200k }).head(agent, session)
  const systemPrompt = head
    .step(turn)
    .head.map(({ text }) => text)
    .join("")
  const seen = view(agent, session)
  const { edits, ...rest } = await runner.beforeAgentStart(
    { agent: seen.agent, session: seen.session, turn, systemPrompt },
    never(),
  )
  const prompt = head.step(turn, { edits })
  expect({ diagnostics, troubles, rest }).toEqual({ diagnostics: [], troubles: [], rest: { messages: [] } })
  const tides = `<tides>
Tides on 2026-06-16:
- 02:05 low, 0.15 m
- 08:20 high, 0.50 m
- 14:30 low, 0.12 m
- 20:45 high, 0.52 m
</tides>
`
  expect(/<tides>[\s\S]*?<\/tides>\n/.exec(prompt.tail?.text ?? "")?.[0]).toBe(
    trust === "public" ? undefined : tides,
  )
  expect(prompt.plan.entries.find(({ id }) => id === "tides")?.outcome).toEqual(
    trust === "public" ? { kind: "withheld", needs: "familiar", has: "public" } : { kind: "included" },
  )
})
