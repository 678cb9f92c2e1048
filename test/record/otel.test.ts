import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { createLog } from "../../src/record/log.ts"
import { openOtel } from "../../src/record/otel.ts"
import { createRedactor } from "../../src/record/redact/redactor.ts"
import { openScope } from "../../src/record/scope.ts"
import { clockAt, counting, withRecord } from "./open.ts"

interface Received {
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

async function listening(
  status: number,
  work: (endpoint: string, received: readonly Received[]) => Promise<void>,
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const part of request.setEncoding("utf8")) text += part
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
    response.writeHead(status).end("{}")
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  try {
    await work(`http://127.0.0.1:${port}`, received)
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
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
  const usage = { fresh: 100, read: 900, write: { "5m": 40, "1h": 10 }, output: 20 }
  await turn.time(
    "api_call",
    () => pass(1500),
    () => ({ model, usage, costUsd: 1 }),
  )
  turn.event("api_error", { model, error: "secret words of alice", data: { status: 429 } })
  turn.event("tool_call", { durationMs: 5, data: { tool: "bash", command: "cat diary" } })
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
    expect(received.map(({ url }) => url)).toEqual(["/v1/traces"])
    expect(received[0]?.headers).toMatchObject({
      authorization: "Basic abc",
      "content-type": "application/json",
    })
    const chat = [
      text("gen_ai.operation.name", "chat"),
      text("gen_ai.provider.name", "anthropic"),
      text("gen_ai.request.model", "anthropic/claude-opus-5-5"),
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
                  name: "chat anthropic/claude-opus-5-5",
                  kind: 3,
                  startTimeUnixNano: "1794708000000000000",
                  endTimeUnixNano: "1794708001500000000",
                  attributes: [
                    ...chat,
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
                  name: "chat anthropic/claude-opus-5-5",
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
                  startTimeUnixNano: "1794708001500000000",
                  endTimeUnixNano: "1794708001505000000",
                  attributes: [
                    text("gen_ai.operation.name", "execute_tool"),
                    text("gen_ai.tool.name", "bash"),
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
                  attributes: [text("gen_ai.operation.name", "invoke_agent"), ...about],
                },
              ],
            },
          ],
        },
      ],
    })
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
