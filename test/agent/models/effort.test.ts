// How much a model thinks: what each provider is sent for it, who decides it, and what is said if a model takes none.
import { expect, onTestFinished, test } from "vitest"
import { collect, open, say, workspace } from "../world/agent-world.ts"
import { type ProtocolName, startServer } from "../world/servers/server.ts"

const CONFIG = "profile: incipit\nfeeds: { communication: off, bulletin: off }\nenvironment: { host: off }\n"

async function sent(protocol: ProtocolName, model: string, effort = "", asked: object = {}) {
  const from = await startServer({ protocol, answer: () => say("Yes.") })
  onTestFinished(() => from.close())
  const { agent } = await open(workspace({ "incipit.yaml": CONFIG + effort }), from, { model })
  const { events, tell } = collect()
  await agent.send("Is it so?", { tell, ...asked })
  const { reasoning, reasoning_effort, thinking, output_config, generationConfig } = JSON.parse(
    from.sent[0] ?? "",
  )
  const { thinkingConfig } = generationConfig ?? {}
  const warnings = events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
  return { reasoning, reasoning_effort, thinking, output_config, thinkingConfig, warnings }
}

const NOTHING = {
  ...{ reasoning: undefined, reasoning_effort: undefined, thinking: undefined, output_config: undefined },
  ...{ thinkingConfig: undefined, warnings: [] },
}

test.each([
  [
    "anthropic",
    "anthropic/claude-sonnet-5-5",
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
  ],
  ["openai-responses", "openai/gpt-5.6-sol", { reasoning: { effort: "low", summary: "detailed" } }],
  ["openai-chat", "ollama/qwen3", { reasoning_effort: "low" }],
  ["google", "google/gemini-3.5-flash", { thinkingConfig: { thinkingLevel: "low" } }],
] as const)("%s is sent the configured effort in its own words", async (protocol, model, own) => {
  expect(await sent(protocol, model)).toEqual(NOTHING)
  expect(await sent(protocol, model, "effort: low\n")).toEqual({ ...NOTHING, ...own })
})

test("a level can be set by model, and the sender's takes its place", async () => {
  const own = "effort: { openai/gpt-5.6-sol: high, openai/gpt-5.5: low }\n"
  const { reasoning } = await sent("openai-responses", "openai/gpt-5.6-sol", own)
  expect(reasoning).toEqual({ effort: "high", summary: "detailed" })
  const other = await sent("openai-responses", "openai/gpt-5.6-sol", own, { effort: "medium" })
  expect(other.reasoning).toEqual({ effort: "medium", summary: "detailed" })
  expect(await sent("openai-responses", "openai/gpt-5.6-sol", "effort: { a/b: high }\n")).toEqual(NOTHING)
})

test("a model that takes none is said to", async () => {
  expect(await sent("openai-responses", "openai/gpt-4o", "effort: high\n")).toEqual({
    ...NOTHING,
    warnings: ['openai/gpt-4o takes no effort, so "high" has no effect.'],
  })
})

test("a level that does not exist is refused", async () => {
  const { agent } = await open(workspace(), undefined)
  // What a program without types may send.
  const effort = "extreme" as "high"
  await expect(agent.send("Hello?", { effort })).rejects.toThrow(
    'the option effort of send must be one of none, minimal, low, medium, high, xhigh, max, not "extreme"',
  )
})
