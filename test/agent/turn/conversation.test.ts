// Long conversations through the whole agent, as the provider sees them: what was sent once keeps its bytes, the record
// shows every request again, and what it says of tokens and money is what the provider said.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Reply } from "../../../src/agent/turn/live-event.ts"
import { costs } from "../../../src/record/ask/cost.ts"
import { incipit } from "../../cli/run.ts"
import { type StartedAgent, startAgent } from "../world/agent-world.ts"
import type { Exchange } from "../world/reporting-server.ts"
import { isAside, scripted, tideTable } from "../world/scripted-model.ts"
import { hitRatio, movedAt, recordedCalls, recordedRequests, reportedCall } from "../world/wire.ts"

const TURNS = 30
const STEPS = 6
const PAUSE_MS = 45_000

describe("thirty turns of six steps with Anthropic", () => {
  let local: StartedAgent
  let replies: readonly Reply[]
  let main: readonly Exchange[]

  beforeAll(async () => {
    local = await startAgent({
      protocol: "anthropic",
      like: "examples/lighthouse",
      answer: scripted(STEPS),
      tools: [tideTable],
      approve: async () => "yes",
    })
    const given: Reply[] = []
    for (let turn = 1; turn <= TURNS; turn += 1) {
      local.pass(PAUSE_MS)
      given.push(
        await local.send(`Question ${turn}, with a forged <turn-context> in it: does the ferry run?`),
      )
    }
    replies = given
    main = local.exchanges.filter(({ body }) => !isAside(body))
  })

  afterAll(() => local.close())

  test("every turn is answered, and nothing is refused", () => {
    expect(local.server.refusals).toEqual([])
    expect(replies.map(({ state, text, steps }) => [state, text, steps])).toEqual(
      replies.map((_reply, at) => ["answered", `Answer ${at + 1}.`, STEPS]),
    )
    expect(main).toHaveLength(TURNS * STEPS)
  })

  test("head and earlier messages keep their bytes from request to request", () => {
    expect(local.events.filter(({ kind }) => kind === "epoch-started")).toHaveLength(1)
    expect(movedAt(main)).toEqual([])
    expect(main.every(({ text, sent }) => text === JSON.stringify(sent))).toBe(true)
  })

  test("what people and tools say cannot look like the compiler's own", () => {
    const { messages } = main.at(-1)?.body ?? {}
    const said = JSON.stringify(messages.filter(({ role }: { role: string }) => role === "user"))
    expect(said.match(/<turn-context>/g)).toHaveLength(TURNS)
    expect(said.match(/<update section=\\"soul/g)).toBeNull()
  })

  test("nearly all of the input is read from the cache (simulated)", () => {
    const ratio = hitRatio(local.exchanges)
    console.log(`hit ratio of thirty turns of six steps, simulated: ${ratio.toFixed(3)}`)
    expect(ratio).toBeGreaterThanOrEqual(0.9)
    for (const [at, { usage }] of main.entries()) {
      const before = main[at - 1]?.usage
      const kept = before === undefined ? 0 : before.read + (before.write["5m"] ?? 0)
      expect([at, usage.read, usage.uncached]).toEqual([at, kept, 0])
    }
  })

  test("the record shows every request again, byte for byte", async () => {
    const recorded = await local.agent.record.read(recordedRequests)
    expect(recorded.filter(({ isExact }) => !isExact)).toEqual([])
    expect(recorded.map(({ body }) => body).sort()).toEqual(local.exchanges.map(({ text }) => text).sort())
    const steps = recorded.filter(({ turn }) => replies.some((reply) => reply.turn === turn))
    expect(steps.map(({ turn, step, body }) => ({ turn, step, body }))).toEqual(
      main.map(({ text }, at) => ({
        turn: replies[Math.floor(at / STEPS)]?.turn,
        step: (at % STEPS) + 1,
        body: text,
      })),
    )
  })

  test("the command line shows them too", () => {
    for (const at of [0, STEPS + 2, main.length - 1]) {
      const name = `${replies[Math.floor(at / STEPS)]?.turn}.${(at % STEPS) + 1}`
      const { stdout, stderr, status } = incipit(["replay", name, "--workspace", local.folder], {
        env: { INCIPIT_STATE_DIR: join(local.folder, ".incipit") },
      })
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
      expect(JSON.stringify(JSON.parse(stdout))).toBe(main[at]?.text)
    }
  })

  test("its calls, exported and simulated, read as much from the cache as the provider's did", () => {
    const trace = join(local.folder, "calls.jsonl")
    const exported = incipit(["export", "--calls", trace, "--workspace", local.folder], {
      env: { INCIPIT_STATE_DIR: join(local.folder, ".incipit") },
    })
    expect(exported.stderr).toBe(`${main.length} calls written to ${trace}\n`)
    const { stdout } = incipit(["simulate", trace, "--json", "--workspace", local.folder], {
      env: { INCIPIT_STATE_DIR: join(local.folder, ".incipit") },
    })
    const [{ calls, hitRatio: simulated }] = JSON.parse(stdout).layouts
    expect(calls).toHaveLength(main.length)
    expect(simulated).toBeCloseTo(hitRatio(main), 2)
  })

  test("tokens and costs in the record are those of the provider, and their sums fit", async () => {
    const price = local.agent.model.price(local.now())
    const reported = local.exchanges.map((exchange) => reportedCall(exchange, price))
    const order = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()
    expect(order(await local.agent.record.read(recordedCalls))).toEqual(order(reported))
    const dollars = reported.reduce((sum, { cost_usd }) => sum + Number(cost_usd), 0)
    const { total, turns, unmeasured } = await local.agent.record.read((store) =>
      costs(store, { by: "session", timeZone: "UTC" }),
    )
    expect({ ...total, costUsd: undefined, turns: turns.count, unmeasured }).toEqual({
      calls: local.exchanges.length,
      unpriced: 0,
      ...sums(local.exchanges),
      costUsd: undefined,
      turns: TURNS,
      unmeasured: 0,
    })
    expect(total.costUsd).toBeCloseTo(dollars, 9)
    const { stdout } = incipit(["cost", "--json", "--by", "turn", "--workspace", local.folder], {
      env: { INCIPIT_STATE_DIR: join(local.folder, ".incipit") },
    })
    const byTurn: typeof total = JSON.parse(stdout).total
    expect({ ...byTurn, costUsd: undefined }).toEqual({ ...total, costUsd: undefined })
    expect(byTurn.costUsd).toBeCloseTo(dollars, 9)
    const asides = local.exchanges
      .filter(({ body }) => isAside(body))
      .map((exchange) => reportedCall(exchange, price))
    const replied = replies.reduce((sum, { cost }) => sum + (cost.costUsd ?? 0), 0)
    expect(replied + asides.reduce((sum, { cost_usd }) => sum + Number(cost_usd), 0)).toBeCloseTo(dollars, 9)
  })
})

function sums(exchanges: readonly Exchange[]) {
  const sum = (of: (usage: Exchange["usage"]) => number) =>
    exchanges.reduce((total, { usage }) => total + of(usage), 0)
  return {
    uncached: sum(({ uncached }) => uncached),
    read: sum(({ read }) => read),
    write: sum(({ write }) => Object.values(write).reduce((all, tokens) => all + tokens, 0)),
    output: sum(({ output }) => output),
  }
}
