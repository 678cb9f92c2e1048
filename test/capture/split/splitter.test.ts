// A request of any provider as its parts: what counts for a cached prefix, and what does not.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { FORMATS, type Format } from "../../../src/capture/call.ts"
import type { CallPart } from "../../../src/capture/split/part.ts"
import { createSplitter } from "../../../src/capture/split/splitter.ts"
import { counterFrom } from "../../../src/core/model/counter.ts"
import { type Json, type JsonObject, liftMarks } from "../../../src/record/write/request-marks.ts"
import { stringsOf } from "../../../src/record/write/request-parts.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import {
  anthropicHistory,
  chatHistory,
  googleHistory,
  responsesHistory,
} from "../../render/from/histories.ts"
import { optionsFor, RENDERERS, sampleMessages, samplePrompt } from "../../render/sample.ts"

const SEED = { seed: 7, numRuns: 60 }
const CHEAP = counterFrom("words", (text) => text.split(/\s+/).length)

/** A request as it arrives: plain JSON. */
function wire(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

function split(request: unknown, format: Format) {
  return createSplitter({ counter: CHEAP })(wire(request), format)
}

function digests(request: unknown, format: Format): readonly string[] {
  return split(request, format).parts.map(({ digest }) => digest)
}

function shown({ tier, kind, role = "", tool = "", input = "", text, breakpoint = "" }: CallPart): string {
  return [tier, kind, role, tool, input, JSON.stringify(text.slice(0, 60)), breakpoint].join(" | ")
}

const rendered = RENDERERS.flatMap(({ name, model, render }) => {
  const format = FORMATS.find((one) => one === name)
  const prompt = samplePrompt()
  return format
    ? [{ format, request: wire(render(prompt, sampleMessages(prompt), optionsFor(model)).request) }]
    : []
})

describe.each(rendered)("$format, as we render it", ({ format, request }) => {
  test("its parts", async () => {
    const { parts, settings } = createSplitter({ counter: o200k })(request, format)
    const text = [...parts.map(shown), JSON.stringify(settings)].join("\n")
    await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/capture/split-${format}.txt`)
  })

  test("every text of the request is in a part", () => {
    const { parts, settings } = split(request, format)
    const all = [...parts.map(({ text }) => text), ...Object.values(settings)].join("\n")
    const keys =
      /^(?:text|tool_use|tool_result|c\d|ephemeral|function|function_call|function_call_output|input_text|explicit|user|model|assistant|tool|developer|system|5m|1h|skip_thought_signature_validator)$/
    const values = [...stringsOf({ tools: request.tools ?? null, rest: request })].filter(
      (text) => isValue(request, text) && !keys.test(text),
    )
    expect(
      values.filter((text) => !all.includes(text) && !all.includes(JSON.stringify(text).slice(1, -1))),
    ).toEqual([])
  })

  test("marks change no digest", () => {
    expect(digests(liftMarks(request).value, format)).toEqual(digests(request, format))
  })
})

/** Whether a string is a value of the request, and not only a key. */
function isValue(value: Json, text: string): boolean {
  if (typeof value === "string") return value === text
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some((item: Json) => isValue(item, text))
  )
}

const HISTORIES = [
  { format: "anthropic", field: "messages", history: anthropicHistory },
  { format: "openai-responses", field: "input", history: responsesHistory },
  { format: "openai-chat", field: "messages", history: chatHistory },
  { format: "google", field: "contents", history: googleHistory },
] as const

describe.each(HISTORIES)("any history for $format", ({ format, field, history }) => {
  test("a longer conversation keeps the digests of what was there", () => {
    fc.assert(
      fc.property(history, (items) => {
        const next = createSplitter({ counter: CHEAP })
        const request = wire({ model: "m", [field]: items })
        const whole = next(request, format).parts
        for (const [at] of items.entries()) {
          // The same objects as before, as a reader passes them, and copies, as they come from the wire.
          const shared = next(
            { ...request, [field]: (request[field] as readonly Json[]).slice(0, at) },
            format,
          )
          const copied = next(wire({ model: "m", [field]: items.slice(0, at) }), format)
          expect(copied.parts).toEqual(shared.parts)
          expect(shared.parts).toEqual(whole.slice(0, shared.parts.length))
        }
      }),
      SEED,
    )
  })

  test("each item has its digest, and another text another one", () => {
    fc.assert(
      fc.property(history, (items) => {
        const { parts } = split({ [field]: items }, format)
        const byDigest = Map.groupBy(parts, ({ digest }) => digest)
        for (const same of byDigest.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1)
        expect(parts.length).toBeGreaterThanOrEqual(items.length)
      }),
      SEED,
    )
  })
})

const HELLO = { role: "user", content: "Hello." }

test("a text and a list with one text are one part, marked or not", () => {
  const mark = { cache_control: { type: "ephemeral", ttl: "1h" } }
  const forms = [
    { messages: [HELLO], system: "Be kind." },
    {
      messages: [{ role: "user", content: [{ type: "text", text: "Hello.", ...mark }] }],
      system: [{ type: "text", text: "Be kind.", ...mark }],
    },
    {
      messages: [{ role: "user", content: [{ type: "text", text: "Hello.", citations: null }] }],
      system: [{ type: "text", text: "Be kind." }],
    },
  ]
  expect(new Set(forms.map((form) => digests(form, "anthropic").join())).size).toBe(1)
  expect(split(forms[1], "anthropic").parts.map(({ breakpoint }) => breakpoint)).toEqual(["1h", "1h"])
  const result = (content: unknown) => ({
    messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t", content }] }],
  })
  expect(digests(result("42"), "anthropic")).toEqual(
    digests(result([{ type: "text", text: "42", ...mark }]), "anthropic"),
  )
  const output = (value: unknown) => ({
    input: [{ type: "function_call_output", call_id: "c", output: value }],
  })
  expect(digests(output("42"), "openai-responses")).toEqual(
    digests(output([{ type: "input_text", text: "42" }]), "openai-responses"),
  )
})

test("who says it, and what it answers, makes another part", () => {
  const said = (role: string) => digests({ messages: [{ role, content: "Yes." }] }, "anthropic")
  expect(new Set(["user", "assistant", "system"].flatMap(said)).size).toBe(3)
  const answers = (id: string) =>
    digests({ messages: [{ role: "tool", tool_call_id: id, content: "Yes." }] }, "openai-chat")
  expect(answers("a")).not.toEqual(answers("b"))
})

test("the line by which Claude Code is billed is no part", () => {
  const request = (line: string) => ({
    system: [
      { type: "text", text: `x-anthropic-billing-header: cc_version=2.1; cch=${line};` },
      { type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } },
    ],
    messages: [HELLO],
  })
  expect(digests(request("1"), "anthropic")).toEqual(digests(request("2"), "anthropic"))
  expect(split(request("1"), "anthropic").parts.map(shown)).toMatchInlineSnapshot(`
    [
      "system | system |  |  |  | "Be kind." | 5m",
      "messages | text | user |  |  | "Hello." | ",
    ]
  `)
  const inOne = (line: string) => ({
    system: `x-anthropic-billing-header: cch=${line};\n\nBe kind.`,
    messages: [HELLO],
  })
  expect(digests(inOne("1"), "anthropic")).toEqual(digests(request("1"), "anthropic"))
})

test("ids of items of the Responses API do not count, and a call's id does", () => {
  const request = (id: string, call: string) => ({
    input: [
      {
        type: "reasoning",
        id: `rs_${id}`,
        summary: [{ type: "summary_text", text: "Hm." }],
        encrypted_content: "abc",
      },
      {
        type: "function_call",
        id: `fc_${id}`,
        status: "completed",
        call_id: call,
        name: "ls",
        arguments: "{}",
      },
      { type: "function_call_output", id: `fo_${id}`, call_id: call, output: "a\nb" },
      {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Two.", annotations: [] }],
      },
    ],
  })
  expect(digests(request("1", "c1"), "openai-responses")).toEqual(
    digests(request("2", "c1"), "openai-responses"),
  )
  expect(digests(request("1", "c1"), "openai-responses")).not.toEqual(
    digests(request("1", "c2"), "openai-responses"),
  )
})

test("tools, wherever a request lists them", () => {
  const ls = { type: "function", name: "ls", description: "List files.", parameters: { type: "object" } }
  const late = { type: "additional_tools", tools: [{ ...ls, name: "late" }] }
  const group = {
    type: "namespace",
    name: "mcp__linear",
    description: "Issues.",
    tools: [{ ...ls, name: "search" }],
  }
  const request = {
    instructions: "Be kind.",
    input: [{ type: "additional_tools", role: "developer", tools: [ls, group] }, HELLO, late, HELLO],
  }
  expect(split(request, "openai-responses").parts.map(shown)).toMatchInlineSnapshot(`
    [
      "tools | tool |  | ls |  | "ls\\nList files.\\n{\\"parameters\\":{\\"type\\":\\"object\\"}}" | ",
      "tools | tool |  | mcp__linear |  | "mcp__linear\\nIssues." | ",
      "tools | tool |  | mcp__linear.search |  | "search\\nList files.\\n{\\"parameters\\":{\\"type\\":\\"object\\"}}" | ",
      "system | system |  |  |  | "Be kind." | ",
      "messages | text | user |  |  | "Hello." | ",
      "messages | tool |  | late |  | "late\\nList files.\\n{\\"parameters\\":{\\"type\\":\\"object\\"}}" | ",
      "messages | text | user |  |  | "Hello." | ",
    ]
  `)
})

test("system messages stay at their place in the conversation", () => {
  const request = {
    system: "Be kind.",
    messages: [HELLO, { role: "system", content: "A file changed." }, HELLO],
  }
  expect(split(request, "anthropic").parts.map(({ tier, kind }) => `${tier} ${kind}`)).toEqual([
    ...["system system", "messages text", "system system", "messages text"],
  ])
})

test("a result knows its tool and what it was called with", () => {
  const results = (request: unknown, format: Format) =>
    split(request, format)
      .parts.filter(({ kind }) => kind === "tool-result")
      .map(({ tool, input, text }) => [tool, input, text])
  const long = "x".repeat(500)
  const chat = {
    messages: [
      {
        role: "assistant",
        tool_calls: [
          { id: "a", type: "function", function: { name: "bash", arguments: '{"command":"ls\\n  -a"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "b c" },
    ],
  }
  expect(results(chat, "openai-chat")).toEqual([["bash", "ls -a", "b c"]])
  const responses = {
    input: [
      {
        type: "custom_tool_call",
        call_id: "a",
        name: "exec",
        input: 'const r = await tools.exec_command({ cmd: "cat \\"a b\\"" })',
      },
      { type: "custom_tool_call_output", call_id: "a", output: [{ type: "input_text", text: "1" }] },
      { type: "function_call", call_id: "b", name: "shell", arguments: '{"command":["bash","-lc","pwd"]}' },
      { type: "function_call_output", call_id: "b", output: "/" },
      { type: "function_call", call_id: "c", name: "odd", arguments: JSON.stringify({ z: long }) },
      { type: "function_call_output", call_id: "c", output: "" },
    ],
  }
  expect(results(responses, "openai-responses")).toEqual([
    ...[
      ["exec", 'cat "a b"', "1"],
      ["shell", "pwd", "/"],
    ],
    ["odd", `{"z":"${"x".repeat(193)}…`, ""],
  ])
  // Gemini's calls have no ids.
  const call = (path: string) => ({ functionCall: { name: "read_file", args: { absolute_path: path } } })
  const result = (output: string) => ({ functionResponse: { name: "read_file", response: { output } } })
  const google = {
    contents: [
      { role: "model", parts: [call("/a"), call("/b")] },
      { role: "user", parts: [result("A"), result("B\nC")] },
    ],
  }
  expect(results(google, "google")).toEqual([
    ["read_file", "/a", "A"],
    ["read_file", "/b", "B\nC"],
  ])
})

test("images and encrypted reasoning are counted by an estimate, not by their characters", () => {
  const data = "iVBORw0KGgo".repeat(20_000)
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } }
  const request = {
    messages: [
      {
        role: "user",
        content: [
          image,
          { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "See." }, image] },
        ],
      },
      { role: "assistant", content: [{ type: "thinking", thinking: "", signature: "A".repeat(600) }] },
    ],
  }
  const { parts } = createSplitter({ counter: o200k })(wire(request), "anthropic")
  expect(parts.map(({ kind }) => kind)).toEqual(["file", "tool-result", "reasoning"])
  expect(parts.map(({ tokens }) => tokens < 1_700)).toEqual([true, true, true])
  expect(parts[2]?.tokens).toBe(100)
  expect(parts.every(({ text }) => text.length < 500)).toBe(true)
})

test("settings have the names that cache rules have for them", () => {
  const { settings } = split(
    {
      model: "m",
      output_config: { effort: "high" },
      reasoning: { effort: "low", summary: "auto" },
      text: { verbosity: "low" },
      messages: [HELLO],
    },
    "anthropic",
  )
  expect(settings).toEqual({
    model: '"m"',
    effort: '"high"',
    reasoning_effort: '"low"',
    reasoning: '{"summary":"auto"}',
    verbosity: '"low"',
  })
})

test("what no client sends is taken as it is", () => {
  let deep: Json = "end"
  for (let at = 0; at < 20_000; at++) deep = [deep]
  const odd = [
    null,
    7,
    [],
    {},
    { role: 1, content: 2 },
    { content: [null, 1, [deep]] },
    { type: "tool_result", content: deep },
    JSON.parse('{"__proto__":{"role":"user"},"content":"x"}'),
  ]
  const request = {
    tools: [null, 7, "x", { name: 3 }],
    system: [null, { text: 4 }],
    messages: odd,
    metadata: deep,
  } as unknown as JsonObject
  for (const format of FORMATS) {
    const { parts } = createSplitter({ counter: CHEAP })(request, format)
    expect(parts.every(({ text }) => typeof text === "string")).toBe(true)
  }
  expect(split({}, "anthropic")).toEqual({ parts: [], settings: {} })
  expect(split({ input: "Hello." }, "openai-responses").parts.map(({ text }) => text)).toEqual(["Hello."])
})
