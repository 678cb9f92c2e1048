// What is no message of the SDK is refused with one line: where, what it is, and what was expected.
import fc from "fast-check"
import { expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import type { Message } from "../../../src/core/model/message.ts"
import { fromAiSdk } from "../../../src/render/from/from-ai-sdk.ts"
import { fromAnthropic } from "../../../src/render/from/from-anthropic.ts"
import { fromBedrock } from "../../../src/render/from/from-bedrock.ts"
import { fromChat } from "../../../src/render/from/from-chat.ts"
import { fromGoogle } from "../../../src/render/from/from-google.ts"
import { fromResponses } from "../../../src/render/from/from-responses.ts"

import {
  aiSdkHistory,
  anthropicHistory,
  bedrockHistory,
  chatHistory,
  googleHistory,
  responsesHistory,
} from "./histories.ts"

const blocks = [{ type: "text", text: "Hi." }]
const deep: unknown = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), 1)

const CASES: readonly (readonly [(given: never) => readonly Message[], unknown, string])[] = [
  [
    fromResponses,
    undefined,
    "fromResponses: the value is undefined, not a list. Expected `response.output`, or the `input` of a request.",
  ],
  [
    fromResponses,
    { output: [] },
    "fromResponses: the value is an object, not a list. Expected `response.output`, or the `input` of a request.",
  ],
  [
    fromResponses,
    [{ role: "assistant", content: null, tool_calls: [] }],
    "fromResponses: items[0] has tool_calls, which fromChat reads. Expected `response.output`, or the `input` of a request.",
  ],
  [
    fromResponses,
    [{ role: "tool", content: "x" }],
    'fromResponses: items[0].role is "tool". Expected `response.output`, or the `input` of a request.',
  ],
  [
    fromResponses,
    blocks,
    'fromResponses: items[0] has the type "text", which fromAnthropic or fromChat or fromAiSdk reads. Expected `response.output`, or the `input` of a request.',
  ],
  [
    fromResponses,
    [{}],
    "fromResponses: items[0] has neither a type nor a role. Expected `response.output`, or the `input` of a request.",
  ],
  [
    fromChat,
    [{ type: "function_call", call_id: "c", name: "f", arguments: "{}" }],
    "fromChat: messages[0].role is undefined. Expected `completion.choices[0].message`, or a list of messages with `role`.",
  ],
  [
    fromChat,
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c" }] },
    'fromChat: messages[0].content[0] has the type "tool_result", which fromAnthropic reads. Expected `completion.choices[0].message`, or a list of messages with `role`.',
  ],
  [
    fromChat,
    { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function" }] },
    "fromChat: messages[0].tool_calls[0].function is undefined, not an object. Expected `completion.choices[0].message`, or a list of messages with `role`.",
  ],
  [
    fromAnthropic,
    [{ role: "tool", content: "x" }],
    'fromAnthropic: messages[0].role is "tool". Expected `message.content` of a response, or a list of messages with `role` and `content`.',
  ],
  [
    fromAnthropic,
    [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "x" }] }],
    'fromAnthropic: messages[0].content[0] has the type "output_text", which fromResponses reads. Expected `message.content` of a response, or a list of messages with `role` and `content`.',
  ],
  [
    fromAnthropic,
    "Hi.",
    "fromAnthropic: the value is a string, not a list. Expected `message.content` of a response, or a list of messages with `role` and `content`.",
  ],
  [
    fromGoogle,
    undefined,
    "fromGoogle: the value is undefined, not a list. Expected `candidate.content`, or a list of contents with `role` and `parts`.",
  ],
  [
    fromGoogle,
    [{ role: "user", content: "Hi." }],
    "fromGoogle: contents[0] has no parts. Expected `candidate.content`, or a list of contents with `role` and `parts`.",
  ],
  [
    fromGoogle,
    { role: "assistant", parts: [] },
    'fromGoogle: contents[0] has the role "assistant". Expected `candidate.content`, or a list of contents with `role` and `parts`.',
  ],
  [
    fromBedrock,
    { role: "assistant", content: [{ type: "text", text: "Hi." }] },
    'fromBedrock: messages[0].content[0] has the type "text"; blocks of Converse have none. Expected `response.output.message`, or a list of messages with `role` and `content`.',
  ],
  [
    fromBedrock,
    { output: { message: {} } },
    "fromBedrock: messages[0].role is undefined. Expected `response.output.message`, or a list of messages with `role` and `content`.",
  ],
  [
    fromAiSdk,
    blocks,
    "fromAiSdk: messages[0].role is undefined. Expected `result.response.messages`, or a list of messages with `role` and `content`.",
  ],
  [
    fromAiSdk,
    [{ role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "f" }] }],
    "fromAiSdk: messages[0].content[0].output is undefined, not an object. Expected `result.response.messages`, or a list of messages with `role` and `content`.",
  ],
  [
    fromAnthropic,
    [{ type: "tool_use", id: "c", name: "f", input: deep }],
    "A message is nested too deeply to be sent.",
  ],
]

test.each(CASES)("%o refuses %j", (from, given, message) => {
  try {
    from(given as never)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(IncipitError)
    expect(error).toMatchObject({ code: "bad-sdk-messages", message })
  }
})

const HISTORIES = [
  ["fromResponses", fromResponses, responsesHistory],
  ["fromChat", fromChat, chatHistory],
  ["fromAnthropic", fromAnthropic, anthropicHistory],
  ["fromGoogle", fromGoogle, googleHistory],
  ["fromBedrock", fromBedrock, bedrockHistory],
  ["fromAiSdk", fromAiSdk, aiSdkHistory],
] as const

test.each(HISTORIES)(
  "%s reads a damaged history or refuses it, and fails in no other way",
  (_name, from, history) => {
    const damage = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(undefined))
    fc.assert(
      fc.property(history, damage, fc.nat(), (items, value, at) => {
        const damaged = replaced(items, value, at)
        try {
          for (const { parts } of from(damaged as never)) expect(parts.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(IncipitError)
          expect(error).toMatchObject({ code: "bad-sdk-messages" })
        }
      }),
      { numRuns: 1000 },
    )
  },
)

/** With one of all values in it replaced. */
function replaced(whole: unknown, value: unknown, at: number): unknown {
  let left = at % (sizeOf(whole) + 1)
  const visit = (item: unknown): unknown => {
    left -= 1
    if (left === -1) return value
    if (Array.isArray(item)) return item.map(visit)
    if (typeof item !== "object" || item === null || item instanceof Uint8Array) return item
    return Object.fromEntries(Object.entries(item).map(([name, field]) => [name, visit(field)]))
  }
  return visit(whole)
}

function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + sizeOf(item), 1)
}

test("arguments that are nested too deeply to be run are kept as text", () => {
  const text = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`
  expect(
    fromResponses([{ type: "function_call", call_id: "c", name: "f", arguments: text } as never]),
  ).toEqual([
    {
      role: "assistant",
      parts: [
        {
          ...{ kind: "tool-call", id: "c", name: "f", input: { unread: text }, unread: "malformed" },
          native: { format: "responses", value: { arguments: text } },
        },
      ],
    },
  ])
})

test.each(["constructor", "toString", "__proto__"])(
  "a type or role named %s is like any unknown one",
  (name) => {
    const block = { type: name }
    const native = (format: string) => [
      { role: "assistant", parts: [{ kind: "native", format, value: block }] },
    ]
    expect(fromResponses([block])).toEqual(native("responses"))
    expect(fromAnthropic([block])).toEqual(native("anthropic"))
    expect(fromChat({ role: "assistant", content: [block] } as never)).toEqual(native("chat"))
    expect(fromAiSdk([{ role: "assistant", content: [block] }])).toEqual(native("ai-sdk"))
    expect(() => fromGoogle({ role: name, parts: [{ text: "Hi." }] })).toThrow(
      `fromGoogle: contents[0] has the role "${name}". Expected \`candidate.content\`, or a list of contents with \`role\` and \`parts\`.`,
    )
  },
)

test("an empty answer is no message", () => {
  expect([fromResponses([]), fromChat([]), fromAnthropic([]), fromGoogle([]), fromAiSdk([])]).toEqual(
    Array.from({ length: 5 }, () => []),
  )
  expect([fromGoogle({ role: "model" }), fromAnthropic({ role: "assistant", content: [] })]).toEqual([[], []])
})
