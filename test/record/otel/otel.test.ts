import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { expect, test } from "vitest"
import { createLog } from "../../../src/record/ask/log.ts"
import { openOtel } from "../../../src/record/otel/otel.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import type { Exchange } from "../../../src/record/write/event.ts"
import { openScope } from "../../../src/record/write/scope.ts"
import { clockAt, counting, withRecord } from "../open.ts"
import { listening } from "./collector.ts"

const answered: Exchange = {
  response: { id: "msg_1", model: "claude-opus-5-5-20261101" },
  content: {
    system: ["You keep a diary.", "Today is Sunday."],
    input: [
      { role: "user", parts: [{ kind: "text", text: "What did I write in my diary?" }] },
      { role: "assistant", parts: [{ kind: "tool-call", id: "call-0", name: "ls", input: { path: "." } }] },
      {
        role: "user",
        parts: [
          { kind: "tool-result", id: "call-0", text: "diary.md" },
          { kind: "text", text: "Hurry." },
        ],
      },
    ],
    output: [
      { kind: "reasoning", text: "It is in a file." },
      { kind: "text", text: "I look." },
      { kind: "tool-call", id: "call-1", name: "bash", input: { command: "cat diary" } },
    ],
  },
}

async function playTurn(recorder: Parameters<typeof openScope>[0]["recorder"]) {
  const { now, pass } = clockAt("2026-11-15T02:00:00.000Z")
  const origin = {
    trace: "0af7651916cd43dd8448eb211c80319c",
    session: "abc",
    agent: "main",
    user: "alice",
    turn: "t1",
  }
  const scope = openScope({ recorder, origin, now, id: counting("00f067aa0ba902b") })
  const model = "anthropic/claude-opus-5-5"
  const turn = scope.open("turn_started", { model })
  const usage = { uncached: 100, read: 900, write: { "5m": 40, "1h": 10 }, output: 20 }
  await turn.time(
    "api_call",
    () => pass(1500),
    () => ({ model, usage, costUsd: 1, data: { finish: "tool-calls" }, exchange: answered }),
  )
  turn.event("api_error", { model, error: "secret words of alice", data: { status: 429 } })
  const ran = { call: "call-1", content: { arguments: { command: "cat diary" }, result: "Dear diary" } }
  turn.event("tool_call", { durationMs: 5, data: { tool: "bash", command: "cat diary" }, exchange: ran })
  pass(500)
  scope.event("turn_completed", { usage, durationMs: 2000 })
}

const own = (key: string, value: object) => ({ key, value })
const text = (key: string, value: string) => own(key, { stringValue: value })
const whole = (key: string, value: number) => own(key, { intValue: String(value) })
const trace = "0af7651916cd43dd8448eb211c80319c"
const about = [
  text("gen_ai.conversation.id", "abc"),
  text("gen_ai.agent.id", "main"),
  text("incipit.turn", "t1"),
]

test("spans go to the endpoint in its own form, without anybody's words", async () => {
  await listening(200, async (endpoint, received) => {
    const otel = openOtel({ endpoint, headers: { authorization: "Basic abc" } })
    await playTurn(otel)
    await otel.flush()
    expect(otel.health()).toEqual({ waiting: 0, sent: 4, dropped: 0 })
    expect(received.map(({ url }) => url)).toEqual(["/v1/traces", "/v1/metrics"])
    expect(received[0]?.headers).toMatchObject({
      authorization: "Basic abc",
      "content-type": "application/json",
    })
    const chat = [
      text("gen_ai.operation.name", "chat"),
      text("gen_ai.provider.name", "anthropic"),
      text("gen_ai.request.model", "claude-opus-5-5"),
    ]
    const under = { traceId: trace, parentSpanId: "00f067aa0ba902b1" }
    expect(received[0]?.body).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [text("service.name", "incipit")] },
          scopeSpans: [
            {
              scope: { name: "incipit" },
              spans: [
                {
                  ...under,
                  spanId: "00f067aa0ba902b2",
                  name: "chat claude-opus-5-5",
                  kind: 3,
                  startTimeUnixNano: "1794708000000000000",
                  endTimeUnixNano: "1794708001500000000",
                  attributes: [
                    ...chat,
                    text("gen_ai.response.id", "msg_1"),
                    text("gen_ai.response.model", "claude-opus-5-5-20261101"),
                    own("gen_ai.response.finish_reasons", {
                      arrayValue: { values: [{ stringValue: "tool_call" }] },
                    }),
                    whole("gen_ai.usage.input_tokens", 1050),
                    whole("gen_ai.usage.cache_read.input_tokens", 900),
                    whole("gen_ai.usage.cache_creation.input_tokens", 50),
                    whole("gen_ai.usage.output_tokens", 20),
                    ...about,
                    own("incipit.cost_usd", { doubleValue: 1 }),
                  ],
                },
                {
                  ...under,
                  spanId: "00f067aa0ba902b3",
                  name: "chat claude-opus-5-5",
                  kind: 3,
                  startTimeUnixNano: "1794708001500000000",
                  endTimeUnixNano: "1794708001500000000",
                  attributes: [...chat, ...about, text("error.type", "429")],
                  status: { code: 2 },
                },
                {
                  ...under,
                  spanId: "00f067aa0ba902b4",
                  name: "execute_tool bash",
                  kind: 1,
                  startTimeUnixNano: "1794708001495000000",
                  endTimeUnixNano: "1794708001500000000",
                  attributes: [
                    text("gen_ai.operation.name", "execute_tool"),
                    text("gen_ai.tool.name", "bash"),
                    text("gen_ai.tool.call.id", "call-1"),
                    ...about,
                  ],
                },
                {
                  traceId: trace,
                  spanId: "00f067aa0ba902b1",
                  name: "invoke_agent main",
                  kind: 1,
                  startTimeUnixNano: "1794708000000000000",
                  endTimeUnixNano: "1794708002000000000",
                  attributes: [
                    text("gen_ai.operation.name", "invoke_agent"),
                    text("gen_ai.provider.name", "anthropic"),
                    text("gen_ai.request.model", "claude-opus-5-5"),
                    ...about,
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
  })
})

test("tokens and durations of calls are histograms of what was measured since the last ones", async () => {
  await listening(200, async (endpoint, received) => {
    const otel = openOtel({ endpoint: `${endpoint}/v1/traces` })
    const call = { type: "api_call", at: 10_000, model: "anthropic/claude-opus-5-5" } as const
    const usage = { uncached: 100, read: 900, write: {}, output: 64 }
    otel.append({ ...call, durationMs: 1280, usage, exchange: answered })
    otel.append({ ...call, at: 12_000, durationMs: 3000, usage, exchange: answered })
    otel.append({ ...call, type: "api_error", durationMs: 5, data: { status: 429 } })
    await otel.flush()
    const about = [
      text("gen_ai.operation.name", "chat"),
      text("gen_ai.provider.name", "anthropic"),
      text("gen_ai.request.model", "claude-opus-5-5"),
    ]
    const answering = text("gen_ai.response.model", "claude-opus-5-5-20261101")
    const tokenBounds = [
      1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
    ]
    const bounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
    const counts = (...full: readonly (readonly [number, number])[]) =>
      Array.from({ length: 15 }, (_, at) => String(new Map(full).get(at) ?? 0))
    const both = { startTimeUnixNano: "8720000000", timeUnixNano: "12000000000", count: "2" }
    expect(received.map(({ url }) => url)).toEqual(["/v1/traces", "/v1/metrics"])
    expect(received[1]?.body).toEqual({
      resourceMetrics: [
        {
          resource: { attributes: [text("service.name", "incipit")] },
          scopeMetrics: [
            {
              scope: { name: "incipit" },
              metrics: [
                {
                  name: "gen_ai.client.token.usage",
                  unit: "{token}",
                  description: "Number of input and output tokens used.",
                  histogram: {
                    aggregationTemporality: 1,
                    dataPoints: [
                      {
                        ...{ ...both, sum: 2000, min: 1000, max: 1000, explicitBounds: tokenBounds },
                        attributes: [...about, answering, text("gen_ai.token.type", "input")],
                        bucketCounts: counts([5, 2]),
                      },
                      {
                        ...{ ...both, sum: 128, min: 64, max: 64, explicitBounds: tokenBounds },
                        attributes: [...about, answering, text("gen_ai.token.type", "output")],
                        bucketCounts: counts([3, 2]),
                      },
                    ],
                  },
                },
                {
                  name: "gen_ai.client.operation.duration",
                  unit: "s",
                  description: "GenAI operation duration.",
                  histogram: {
                    aggregationTemporality: 1,
                    dataPoints: [
                      {
                        ...{ ...both, sum: 4.28, min: 1.28, max: 3, explicitBounds: bounds },
                        attributes: [...about, answering],
                        bucketCounts: counts([7, 1], [9, 1]),
                      },
                      {
                        ...{ startTimeUnixNano: "9995000000", timeUnixNano: "10000000000", count: "1" },
                        ...{ sum: 0.005, min: 0.005, max: 0.005, explicitBounds: bounds },
                        attributes: [...about, text("error.type", "429")],
                        bucketCounts: counts([0, 1]),
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    })
    otel.append({ type: "message_sent", at: 13_000 })
    await otel.flush()
    expect(received.map(({ url }) => url).slice(2)).toEqual(["/v1/traces"])
  })
})

test("metrics that a collector did not take are in the next ones", async () => {
  const call = { type: "api_call", at: 10_000, durationMs: 20, model: "openai/gpt-6" } as const
  // The spans are refused, then the metrics.
  await listening([503, 200, 503, 200], async (endpoint, received) => {
    const otel = openOtel({ endpoint })
    for (const urls of [["/v1/traces"], ["/v1/traces", "/v1/metrics"], ["/v1/traces", "/v1/metrics"]]) {
      const before = received.length
      otel.append(call)
      await otel.flush()
      expect(received.slice(before).map(({ url }) => url)).toEqual(urls)
    }
    expect(otel.health()).toEqual({ waiting: 0, sent: 2, dropped: 1 })
    const count = (body: unknown) => /"count":"(\d+)"/.exec(JSON.stringify(body))?.[1]
    expect(received.map(({ body }) => count(body))).toEqual([undefined, undefined, "2", undefined, "3"])
  })
})

test("words are sent only when asked for, and secrets not even then", async () => {
  await listening(200, async (endpoint, received) => {
    const redact = async (texts: readonly string[]) => texts.map((item) => item.replaceAll("diary", "[gone]"))
    const otel = openOtel({ endpoint: `${endpoint}/v1/traces`, content: true, redact })
    await playTurn(otel)
    await otel.flush()
    const sent = JSON.stringify(received)
    expect(sent).toContain("secret words of alice")
    expect(sent).toContain("cat [gone]")
    expect(sent).not.toContain("diary")
  })
})

test("secrets are looked for in the texts of a span, not in its times or in what JSON makes of a text", async () => {
  await listening(200, async (endpoint, received) => {
    const redact = createRedactor({ patterns: ["\\d{16}", "BEGIN\\n[^]*\\nEND"] })
    const otel = openOtel({ endpoint, content: true, redact })
    const secret = "BEGIN\none\nEND"
    otel.append({
      type: "tool_error",
      at: 1_794_708_000_000,
      trace,
      span: "00f067aa0ba902b1",
      error: `no ${secret}`,
      data: { tool: "bash", env: ["4111111111111111", secret] },
    })
    await otel.flush()
    expect(JSON.stringify(received[0]?.body)).not.toMatch(/one|4111/)
    expect(received[0]?.body).toMatchObject({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: trace,
                  startTimeUnixNano: "1794708000000000000",
                  status: { code: 2, message: "no [redacted:own]" },
                },
              ],
            },
          ],
        },
      ],
    })
  })
})

test("a collector that refuses, is away or has no address costs a count and nothing else", async () => {
  await listening(503, async (endpoint) => {
    for (const bad of [endpoint, "http://127.0.0.1:1", "not an address"]) {
      const otel = openOtel({ endpoint: bad })
      await playTurn(otel)
      await otel.flush()
      expect(otel.health()).toEqual({ waiting: 0, sent: 0, dropped: 4 })
    }
  })
})

test("what waits is bounded, and what is no JSON is dropped", () => {
  const otel = openOtel({ endpoint: "http://127.0.0.1:1", most: 10 })
  for (let at = 0; at < 25; at++) otel.append({ type: "message_sent", at })
  for (let at = 0; at < 11; at++) otel.append({ type: "turn_started", at, turn: `t${at}` })
  expect(otel.health()).toEqual({ waiting: 10, sent: 0, dropped: 16 })
  const round: Record<string, unknown> = {}
  round.self = round
  otel.append({ type: "message_sent", at: 1, data: round })
  expect(otel.health()).toEqual({ waiting: 10, sent: 0, dropped: 17 })
})

test("without an endpoint nothing connects to anything", async () => {
  let connections = 0
  const count = () => {
    connections += 1
  }
  subscribe("net.client.socket", count)
  try {
    await withRecord(async (record) => {
      const otel = openOtel({})
      const log = createLog({ write: () => undefined, level: "debug", isTerminal: false })
      const append = (event: Parameters<typeof otel.append>[0]) => {
        for (const sink of [record, log, otel]) sink.append(event)
      }
      await playTurn({ append })
      await Promise.all([record.flush(), log.flush(), otel.flush()])
      expect(otel.health()).toEqual({ waiting: 0, sent: 0, dropped: 0 })
    })
    expect(connections).toBe(0)
    await listening(200, async (endpoint) => {
      const otel = openOtel({ endpoint })
      await playTurn(otel)
      await otel.flush()
    })
    // So that the count is known to work.
    expect(connections).toBeGreaterThan(0)
  } finally {
    unsubscribe("net.client.socket", count)
  }
})
