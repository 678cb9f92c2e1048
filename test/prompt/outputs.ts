// What each SDK returns for an answer with some text and some calls, in the form that `chat.add` takes.
import type { Chat } from "../../src/prompt/chat.ts"
import type { Format, ModelOutput } from "../../src/prompt/formats.ts"

export interface Said {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[]
}

type Blocks = readonly { readonly type: string }[]

/** A provider says nothing at all rather than empty text. */
const texts = <T>(text: string, block: T): readonly T[] => (text === "" ? [] : [block])

const chatMessage = ({ text, calls }: Said) => ({
  role: "assistant",
  content: text === "" ? null : text,
  refusal: null,
  ...(calls.length > 0 && {
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  }),
})

export const OUTPUTS: Readonly<Record<Format, (said: Said) => ModelOutput>> = {
  openai: ({ text, calls }) => [
    ...texts(text, {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    }),
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ],
  openaiChat: chatMessage,
  openaiCompatible: chatMessage,
  anthropic: ({ text, calls }): Blocks => [
    ...texts(text, { type: "text", text, citations: null }),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ],
  google: ({ text, calls }) => ({
    role: "model",
    parts: [
      ...texts(text, { text }),
      ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
    ],
  }),
  aiSdk: ({ text, calls }) => [
    {
      role: "assistant",
      content: [
        ...texts(text, { type: "text", text }),
        ...calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input })),
      ],
    },
  ],
  bedrock: ({ text, calls }) => ({
    role: "assistant",
    content: [
      ...texts(text, { text }),
      ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
    ],
  }),
}

export const FORMATS = Object.keys(OUTPUTS) as readonly Format[]

/** The list of a request that grows with the conversation, without cache marks. */
export function itemsOf(request: object): readonly unknown[] {
  const { input, messages, contents } = request as Record<string, unknown>
  const items = input ?? messages ?? contents
  if (!Array.isArray(items)) throw new Error("the request has no conversation")
  return items.map(withoutMarks)
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isCachePoint(item)).map(withoutMarks)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      ["cache_control", "prompt_cache_breakpoint", "providerOptions"].includes(key)
        ? []
        : [[key, withoutMarks(field)]],
    ),
  )
}

function isCachePoint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "cachePoint" in value
}

export function requestIn<S extends object, T extends object>(
  chat: Chat<S, T>,
  format: Format,
  model: string,
): object {
  return chat[format](model)
}
