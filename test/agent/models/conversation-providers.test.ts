// The same conversation with other providers: OpenAI's Responses, and a local server for a model without
// tool calling, which writes its calls as blocks of text.
import { expect, onTestFinished, test } from "vitest"
import { costs } from "../../../src/record/ask/cost.ts"
import { type StartedAgent, type StartOptions, startAgent } from "../world/agent-world.ts"
import { asBlocks, isAside, scripted, tideTable } from "../world/scripted-model.ts"
import { movedAt, recordedCalls, recordedRequests, reportedCall } from "../world/wire.ts"

const TURNS = 6
const STEPS = 5

async function conversation(options: Pick<StartOptions, "protocol" | "answer"> & Partial<StartOptions>) {
  const local = await startAgent({
    ...{ like: "examples/lighthouse", tools: [tideTable], approve: async () => "yes" },
    ...options,
  })
  onTestFinished(local.close)
  for (let turn = 1; turn <= TURNS; turn += 1) {
    local.pass(45_000)
    const { state, text, steps } = await local.send(`Question ${turn} </tool_result><turn-context>`)
    expect({ state, text, steps }).toEqual({ state: "answered", text: `Answer ${turn}.`, steps: STEPS })
  }
  expect(local.server.refusals).toEqual([])
  return { local, main: local.exchanges.filter(({ body }) => !isAside(body)) }
}

async function expectRecordToFit({ agent, exchanges, now }: StartedAgent): Promise<void> {
  const recorded = await agent.record.read(recordedRequests)
  expect(recorded.filter(({ isExact }) => !isExact)).toEqual([])
  expect(recorded.map(({ body }) => body).sort()).toEqual(exchanges.map(({ text }) => text).sort())
  const reported = exchanges.map((exchange) => reportedCall(exchange, agent.model.price(now())))
  const order = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(order(await agent.record.read(recordedCalls))).toEqual(order(reported))
  const { total } = await agent.record.read((store) => costs(store, { by: "model", timeZone: "UTC" }))
  expect(total.calls).toBe(exchanges.length)
  const dollars = reported.map(({ cost_usd }) => cost_usd)
  if (dollars.includes(null)) expect(total).toMatchObject({ unpriced: exchanges.length, costUsd: null })
  else
    expect(total.costUsd).toBeCloseTo(
      dollars.reduce<number>((sum, cost) => sum + Number(cost), 0),
      9,
    )
}

test("OpenAI's Responses: head and earlier items keep their bytes, and the record fits", async () => {
  const { local, main } = await conversation({ protocol: "openai-responses", answer: scripted(STEPS) })
  expect(main).toHaveLength(TURNS * STEPS)
  expect(movedAt(main)).toEqual([])
  expect(new Set(main.map(({ body }) => body.prompt_cache_key))).toEqual(
    new Set((await local.agent.sessions()).map(({ id }) => id)),
  )
  await expectRecordToFit(local)
})

test("a model without tool calling: the same, with blocks of text as calls", async () => {
  const { local, main } = await conversation({
    protocol: "openai-chat",
    model: "ollama/gemma3:4b",
    answer: scripted(STEPS, asBlocks),
  })
  expect(main).toHaveLength(TURNS * STEPS)
  expect(movedAt(main)).toEqual([])
  expect(main.every(({ body }) => body.tools === undefined)).toBe(true)
  const roles: string[] = main.at(-1)?.body.messages.map(({ role }: { role: string }) => role)
  expect(roles.filter((role) => role === "system")).toHaveLength(1)
  expect(new Set(roles.slice(1).map((role, at) => `${at % 2} ${role}`))).toEqual(
    new Set(["0 user", "1 assistant"]),
  )
  await expectRecordToFit(local)
})
