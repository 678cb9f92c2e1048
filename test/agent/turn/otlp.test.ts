// What a collector gets of an agent that works: spans in their places, attributes of the conventions, metrics, and the
// words only where the configuration asks for them.
import { join } from "node:path"
import { expect, test } from "vitest"
import { traceOf } from "../../../src/record/ask/trace.ts"
import { attribute, listening, misplaced, type ReceivedSpan, spansIn } from "../../record/otel/collector.ts"
import {
  approveServers,
  call,
  inRecord,
  ofRecord,
  open,
  refuse,
  say,
  server,
  tool,
  workspace,
} from "../world/agent-world.ts"

const config = (endpoint: string, content: boolean) => `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
record: { otlp: { endpoint: "${endpoint}", content: ${content} } }
`

/** A turn with a refusal, tools that run side by side, one that asks, and a part that is given away. */
async function played(content: boolean) {
  let result:
    | { spans: readonly ReceivedSpan[]; all: string; urls: readonly unknown[]; root: string; turn: string }
    | undefined
  await listening(200, async (endpoint, received) => {
    const root = workspace({ "incipit.yaml": config(endpoint, content) })
    approveServers(root, join(root, "no-home"))
    const from = await server([
      refuse(500),
      call(["slow", {}], ["quick", { note: "blue heron" }], ["asks", {}]),
      call(["delegate", { task: "Count the boats." }]),
      call(["quick", {}]),
      say("Three boats."),
      say("There are three."),
    ])
    let at = Date.UTC(2026, 5, 15, 2, 47)
    const pass = (ms: number) => {
      at += ms
      return at
    }
    const tools = [
      tool("slow", async () => {
        pass(5_000)
        return "slow now"
      }),
      tool("quick", async () => "grey seal"),
      tool("asks", async (_input, { host }) =>
        String(await host?.approve({ kind: "shell", command: "go", directory: root })),
      ),
    ]
    const { agent } = await open(root, from, {
      ...{ now: () => pass(3), tools, wait: async (ms: number) => void pass(ms) },
      approve: async () => {
        pass(60_000)
        return "yes"
      },
    })
    const reply = await agent.send("How many boats?")
    await agent.close()
    expect([reply.state, from.bodies.length]).toEqual(["answered", 6])
    result = {
      spans: spansIn(received),
      all: JSON.stringify(received),
      urls: received.map(({ url }) => url),
      root,
      turn: reply.turn,
    }
  })
  if (result === undefined) throw new Error("nothing was played")
  return result
}

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)

test("spans of a turn lie within each other and say what the conventions ask for", async () => {
  const { spans, all, urls, root, turn } = await played(false)
  expect(misplaced(spans)).toEqual([])
  const chats = named(spans, "chat claude-sonnet-5-5")
  expect(chats.map((span) => attribute(span, "error.type"))).toEqual(["500", ...Array(5).fill(undefined)])
  for (const chat of chats.slice(1)) {
    expect(attribute(chat, "gen_ai.request.model")).toBe("claude-sonnet-5-5")
    expect(attribute(chat, "gen_ai.response.id")).toMatch(/./)
    expect(attribute(chat, "gen_ai.response.model")).toMatch(/claude/)
    expect(attribute(chat, "gen_ai.response.finish_reasons")).toEqual({
      values: [{ stringValue: expect.stringMatching(/^(stop|tool_call)$/) }],
    })
  }
  const agents = spans.filter(({ name }) => name.startsWith("invoke_agent"))
  expect(agents.map((span) => attribute(span, "gen_ai.provider.name"))).toEqual(["anthropic", "anthropic"])
  // The part lies within the turn that gave it away.
  expect(agents[0]?.parentSpanId).toBe(agents[1]?.spanId)
  const [asks] = named(spans, "execute_tool asks")
  const tookNs = BigInt(asks?.endTimeUnixNano ?? 0) - BigInt(asks?.startTimeUnixNano ?? 0)
  expect(tookNs).toBeGreaterThanOrEqual(60_000_000_000n)
  const ids = spans.flatMap((span) => attribute(span, "gen_ai.tool.call.id") ?? [])
  expect(new Set(ids).size).toBe(5)
  expect(urls).toContain("/v1/metrics")
  expect(all).toContain("gen_ai.client.token.usage")
  expect(all).not.toMatch(/heron|seal|boats|status 500/)
  const trace = await ofRecord(root, (store) => traceOf(store, turn))
  const lines =
    trace?.nodes.flatMap(({ children }) => children.flatMap((node) => [node, ...node.children])) ?? []
  const [first] = lines.filter(({ event }) => event.type === "api_call")
  const [built] = lines.filter(({ event }) => event.type === "prompt_built")
  expect((first?.startMs ?? 0) - (built?.startMs ?? 0)).toBeLessThan(5_000)
})

test("with `content` the words of the turn are exported", async () => {
  const { spans, root } = await played(true)
  const parsed = (span: ReceivedSpan | undefined, name: string): unknown =>
    span && JSON.parse(String(attribute(span, name)))
  const chats = named(spans, "chat claude-sonnet-5-5")
  expect(attribute(chats[1] as ReceivedSpan, "gen_ai.system_instructions")).toContain(
    "light of a small island",
  )
  expect(JSON.stringify(parsed(chats.at(-1), "gen_ai.input.messages"))).toMatch(
    /How many boats.*grey seal.*Three boats/,
  )
  expect(parsed(chats.at(-1), "gen_ai.output.messages")).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "There are three." }], finish_reason: "stop" },
  ])
  const [quick] = named(spans, "execute_tool quick")
  expect(parsed(quick, "gen_ai.tool.call.arguments")).toEqual({ note: "blue heron" })
  expect(quick && attribute(quick, "gen_ai.tool.call.result")).toBe("grey seal")
  const turn = spans.findLast(({ name }) => name.startsWith("invoke_agent"))
  expect(parsed(turn, "gen_ai.input.messages")).toEqual([
    { role: "user", parts: [{ type: "text", content: "How many boats?" }] },
  ])
  // The events of the record do not grow by it.
  const rows = inRecord(root, (database) => database.all("SELECT metadata FROM events"))
  expect(JSON.stringify(rows)).not.toMatch(/seal|There are three/)
})
