// What `content: true` exports: the words of the conventions, without secrets, and never without bounds.
import { expect, test } from "vitest"
import { createLog } from "../../../src/record/ask/log.ts"
import { openOtel } from "../../../src/record/otel/otel.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import type { Exchange, RecordEvent } from "../../../src/record/write/event.ts"
import { attribute, listening, type ReceivedSpan, spansIn } from "./collector.ts"

const CALL = { type: "api_call", at: 10_000, durationMs: 5, span: "s1", model: "openai/gpt-6" } as const

async function exported(
  events: readonly RecordEvent[],
  isRedacted = false,
): Promise<readonly ReceivedSpan[]> {
  let spans: readonly ReceivedSpan[] = []
  await listening(200, async (endpoint, received) => {
    const redact = createRedactor({ patterns: ["hunter\\d+"] })
    const otel = openOtel({ endpoint, content: true, ...(isRedacted && { redact }) })
    for (const event of events) otel.append(event)
    await otel.flush()
    spans = spansIn(received)
  })
  return spans
}

const parsed = (span: ReceivedSpan | undefined, name: string): unknown => {
  const value = span && attribute(span, name)
  return typeof value === "string" ? JSON.parse(value) : value
}

const ASKED: Exchange = {
  response: { id: "r1" },
  content: {
    system: ["You keep a diary.", "The password is hunter2."],
    input: [
      { role: "user", parts: [{ kind: "text", text: "Read my diary." }] },
      { role: "assistant", parts: [{ kind: "tool-call", id: "c0", name: "ls", input: { path: "hunter3" } }] },
      {
        role: "user",
        parts: [
          { kind: "tool-result", id: "c0", text: "diary.md" },
          { kind: "text", text: "Hurry." },
          { kind: "native", format: "ai-sdk", value: { type: "file", filename: "hunter5.pdf" } },
        ],
      },
    ],
    output: [
      { kind: "reasoning", text: "It is in a file." },
      { kind: "text", text: "I look." },
      { kind: "tool-call", id: "c1", name: "read", input: { path: "diary.md" } },
    ],
  },
}

test("messages, the system prompt, inputs and results are sent in the conventions' form, without secrets", async () => {
  const [chat, tool] = await exported(
    [
      { ...CALL, data: { finish: "tool-calls" }, exchange: ASKED },
      {
        ...{ type: "tool_call", at: 10_010, span: "s2", data: { tool: "read" } },
        exchange: {
          call: "c1",
          content: { arguments: { path: "diary.md" }, result: "Dear hunter4,\nhello." },
        },
      },
    ],
    true,
  )
  expect(parsed(chat, "gen_ai.system_instructions")).toEqual([
    { type: "text", content: "You keep a diary." },
    { type: "text", content: "The password is [redacted:own]." },
  ])
  expect(parsed(chat, "gen_ai.input.messages")).toEqual([
    { role: "user", parts: [{ type: "text", content: "Read my diary." }] },
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "c0", name: "ls", arguments: { path: "[redacted:own]" } }],
    },
    { role: "tool", parts: [{ type: "tool_call_response", id: "c0", response: "diary.md" }] },
    {
      role: "user",
      parts: [
        { type: "text", content: "Hurry." },
        { type: "file", content: { type: "file", filename: "[redacted:own].pdf" } },
      ],
    },
  ])
  expect(parsed(chat, "gen_ai.output.messages")).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "reasoning", content: "It is in a file." },
        { type: "text", content: "I look." },
        { type: "tool_call", id: "c1", name: "read", arguments: { path: "diary.md" } },
      ],
      finish_reason: "tool_call",
    },
  ])
  expect(parsed(tool, "gen_ai.tool.call.arguments")).toEqual({ path: "diary.md" })
  expect(tool && attribute(tool, "gen_ai.tool.call.result")).toBe("Dear [redacted:own],\nhello.")
})

test("without `content` nothing of an exchange but ids is sent, and the log never has any of it", async () => {
  await listening(200, async (endpoint, received) => {
    const otel = openOtel({ endpoint })
    otel.append({ ...CALL, exchange: ASKED })
    await otel.flush()
    expect(JSON.stringify(received)).toContain("r1")
    expect(JSON.stringify(received)).not.toMatch(/diary|hunter/)
  })
  const lines: string[] = []
  for (const isTerminal of [true, false])
    createLog({ write: (line) => lines.push(line), level: "debug", isTerminal }).append({
      ...{ ...CALL, exchange: ASKED },
    })
  expect(lines).toHaveLength(2)
  expect(lines.join("")).not.toMatch(/diary|hunter|exchange/)
})

test("a long text is cut with a mark, after secrets were taken out of it", async () => {
  // Across the place where it is cut, and across the one where looking for secrets ends.
  const long = [
    "a".repeat(32_764),
    "hunter1234567",
    "b".repeat(8_190),
    "hunter7654321",
    "c".repeat(90_000),
  ].join("")
  const many = `${"hunter1 ".repeat(5_119)}hunter99`.padEnd(40_957, "!")
  const results = [long, `${many}hunter5`, "x".repeat(40_000)]
  const spans = await exported(
    results.map((result) => ({ type: "tool_call", at: 1, exchange: { content: { result } } })),
    true,
  )
  const shown = spans.map((span) => String(attribute(span, "gen_ai.tool.call.result")))
  for (const text of shown) {
    expect(text.length).toBeLessThan(33_000)
    expect(text).toMatch(/\[cut: only the first 32,768 characters are exported\]$/)
    expect(text).not.toMatch(/hunte/)
  }
})

test("a long conversation is exported from its end, and a huge input only measured", async () => {
  const turns = Array.from({ length: 400 }, (_, at) => ({
    role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
    parts: [{ kind: "text" as const, text: `${at} ${"word ".repeat(400)}` }],
  }))
  const input = { rows: Array.from({ length: 50_000 }, (_, at) => `row ${at}`) }
  const [chat, tool] = await exported([
    { ...CALL, exchange: { content: { input: turns } } },
    { type: "tool_call", at: 1, exchange: { content: { arguments: input } } },
  ])
  const kept = parsed(chat, "gen_ai.input.messages") as readonly {
    readonly parts: readonly { content: string }[]
  }[]
  expect(String(kept.at(-1)?.parts[0]?.content)).toMatch(/^399 /)
  expect(kept.length).toBeLessThan(70)
  expect(kept.length + Number(chat && attribute(chat, "incipit.input.messages_left_out"))).toBe(400)
  expect(parsed(tool, "gen_ai.tool.call.arguments")).toMatch(/^\[not exported: \d+ characters\]$/)
})

test("content that waits is bounded in size, and a request does not grow with it", async () => {
  await listening(200, async (endpoint, received) => {
    const otel = openOtel({ endpoint, content: true })
    const result = "x".repeat(32_000)
    for (let at = 0; at < 200; at++) otel.append({ type: "tool_call", at, exchange: { content: { result } } })
    await otel.flush()
    expect(otel.health()).toEqual({ waiting: 0, sent: 200, dropped: 0 })
    for (const { body } of received) expect(JSON.stringify(body).length).toBeLessThan(2_200_000)
    const away = openOtel({ endpoint: "http://127.0.0.1:1", content: true })
    for (let at = 0; at < 700; at++) away.append({ type: "tool_call", at, exchange: { content: { result } } })
    const { waiting, dropped } = away.health()
    expect(waiting).toBeLessThanOrEqual(500)
    expect(waiting + dropped).toBe(700)
    await away.flush()
  })
})
