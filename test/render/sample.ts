// What the renderers' tests share: a small prompt with every pace, a conversation with every kind of part, and the
// table of renderers, each with what it cannot do and why.
import { compile } from "../../src/core/compile/compiler.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { textContent } from "../../src/core/model/content.ts"
import type { Agent, Tool, Turn } from "../../src/core/model/inputs.ts"
import type { Message } from "../../src/core/model/message.ts"
import { userMessage } from "../../src/core/model/message.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { section } from "../../src/core/model/section.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { renderAiSdk } from "../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { renderBedrock } from "../../src/render/formats/bedrock.ts"
import { renderClaudeAgent } from "../../src/render/formats/claude-agent.ts"
import { renderGoogle } from "../../src/render/formats/google.ts"
import { renderChat } from "../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../src/render/formats/openai-responses.ts"
import type { Place } from "../../src/render/formats/place.ts"
import type { KeyedOptions, RenderOptions } from "../../src/render/formats/renderer.ts"
import { renderText } from "../../src/render/formats/text.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../core/make.ts"

const facts = { priority: "required", trust: "public", cut: "whole" } as const
export const profile = makeProfile([
  section({ id: "soul", pace: "stable", ...facts, build: () => textContent("Be kind.") }),
  section({ id: "rules", pace: "stable", ...facts, build: () => textContent("Say what you know.") }),
  section({ id: "place", pace: "session", ...facts, build: ({ session }) => textContent(session.id) }),
  section({ id: "clock", pace: "turn", ...facts, build: ({ turn }) => textContent(`It is ${turn.now}.`) }),
  section({
    id: "git",
    pace: "turn",
    ...facts,
    build: ({ turn }) => (turn.git ? textContent(`On ${turn.git.branch}.`) : undefined),
  }),
])

export const TOOLS: readonly Tool[] = [
  {
    name: "zap",
    description: "Zap it.",
    parameters: {
      type: "object",
      required: ["what"],
      properties: { what: { type: "string", description: "What." } },
    },
  },
  { name: "ask", description: "Ask.", parameters: { type: "object", properties: {} } },
]

export function samplePrompt(turn: Partial<Turn> = {}, agent: Partial<Agent> = {}): Prompt {
  const scopes = {
    agent: makeAgent({ tools: TOOLS, ...agent }),
    session: makeSession({ id: "room-7" }),
    turn: makeTurn({ now: 42, ...turn }),
  }
  return compile(profile, scopes, { counter: o200k })
}

/** Two turns: a question with two parallel calls of which one fails, an empty part, and the next question. */
export const conversation: readonly Message[] = [
  {
    role: "user",
    parts: [
      { kind: "text", text: "<turn-context>\nIt was 41.\n</turn-context>\n\n", tail: true },
      { kind: "text", text: "First question." },
    ],
  },
  {
    role: "assistant",
    parts: [
      { kind: "text", text: "" },
      { kind: "text", text: "Let me see." },
      { kind: "tool-call", id: "c1", name: "ask", input: {} },
      { kind: "tool-call", id: "c2", name: "zap", input: { what: "it" } },
    ],
  },
  {
    role: "user",
    parts: [
      { kind: "tool-result", id: "c1", text: "A result." },
      { kind: "tool-result", id: "c2", text: "It broke.", isError: true },
      { kind: "text", text: "" },
    ],
  },
  { role: "assistant", parts: [{ kind: "text", text: "First answer." }] },
  userMessage("Second question."),
]

/** The sample, ready to be sent. */
export function sampleMessages(prompt: Prompt): readonly Message[] {
  return attach(conversation, prompt.tail)
}

/** What a renderer may not support. */
export type Ability = "tools" | "breakpoints" | "conversation"

export interface Capabilities {
  readonly model: string
  /** Every text of the request that belongs to the head, in order. */
  readonly head: (request: never) => readonly string[]
  /** The items of the conversation, without one that contains the head. */
  readonly items: (request: never) => readonly unknown[]
  readonly notSupported: Partial<Record<Ability, string>>
}

export interface Sample extends Capabilities {
  readonly name: string
  readonly render: AnyRender
}

/** Requests differ by renderer; the suite reads them as JSON. */
export type AnyRender = (
  prompt: Prompt,
  messages: readonly Message[],
  options: KeyedOptions,
) => { readonly request: unknown; readonly places: readonly Place[] }

type Request<R extends (...given: never[]) => { readonly request: unknown }> = ReturnType<R>["request"]

const BY_ITSELF = "the provider finds a prefix by itself"
const EXECUTABLE = "the SDK needs executable tools, so it gets only their order"
const aiSdk = {
  render: renderAiSdk,
  head: ({ instructions }: Request<typeof renderAiSdk>) => instructions.map(({ content }) => content),
  items: ({ messages }: Request<typeof renderAiSdk>) => messages,
}

export const RENDERERS: readonly Sample[] = [
  {
    name: "anthropic",
    render: renderAnthropic,
    model: "anthropic/claude-sonnet-5-5",
    head: ({ system = [] }: Request<typeof renderAnthropic>) => system.map(({ text }) => text),
    items: ({ messages }: Request<typeof renderAnthropic>) => messages,
    notSupported: {},
  },
  {
    name: "bedrock",
    render: renderBedrock,
    model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    head: ({ system = [] }: Request<typeof renderBedrock>) =>
      system.flatMap((block) => ("text" in block ? [block.text] : [])),
    items: ({ messages }: Request<typeof renderBedrock>) => messages,
    notSupported: {},
  },
  {
    name: "openai-responses",
    render: renderResponses,
    model: "openai/gpt-5.6",
    head: ({ input }: Request<typeof renderResponses>) => textsOf(input[0]),
    items: ({ input }: Request<typeof renderResponses>) => input.slice(1),
    notSupported: {},
  },
  {
    name: "openai-chat",
    render: renderChat,
    model: "openai/gpt-5.6",
    head: ({ messages }: Request<typeof renderChat>) => textsOf(messages[0]),
    items: ({ messages }: Request<typeof renderChat>) => messages.slice(1),
    notSupported: {},
  },
  {
    name: "google",
    render: renderGoogle,
    model: "google/gemini-3.5-flash",
    head: ({ config }: Request<typeof renderGoogle>) =>
      config.systemInstruction?.parts.map(({ text }) => text) ?? [],
    items: ({ contents }: Request<typeof renderGoogle>) => contents,
    notSupported: { breakpoints: BY_ITSELF },
  },
  {
    name: "text",
    render: renderText,
    model: "ollama/qwen3.5",
    head: ({ messages }: Request<typeof renderText>) => [messages[0]?.content ?? ""],
    items: ({ messages }: Request<typeof renderText>) => messages.slice(1),
    notSupported: { breakpoints: BY_ITSELF },
  },
  {
    ...aiSdk,
    name: "ai-sdk for anthropic",
    model: "anthropic/claude-sonnet-5-5",
    notSupported: { tools: EXECUTABLE },
  },
  {
    ...aiSdk,
    name: "ai-sdk for bedrock",
    model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    notSupported: { tools: EXECUTABLE },
  },
  { ...aiSdk, name: "ai-sdk for openai", model: "openai/gpt-5.6", notSupported: { tools: EXECUTABLE } },
  {
    ...aiSdk,
    name: "ai-sdk for google",
    model: "google/gemini-3.5-flash",
    notSupported: { tools: EXECUTABLE, breakpoints: BY_ITSELF },
  },
  {
    ...aiSdk,
    name: "ai-sdk for servers",
    model: "openai-compatible/qwen3.5",
    notSupported: { tools: EXECUTABLE, breakpoints: BY_ITSELF },
  },
  {
    name: "claude-agent",
    render: renderClaudeAgent,
    model: "anthropic/claude-sonnet-5-5",
    head: ({ systemPrompt }: Request<typeof renderClaudeAgent>) =>
      systemPrompt.filter((text) => text !== "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__"),
    items: ({ prompt }: Request<typeof renderClaudeAgent>) => [prompt],
    notSupported: {
      tools: "the SDK brings its own",
      breakpoints: "the SDK sets its own",
      conversation: "the SDK keeps it; only the newest message is sent",
    },
  },
]

function textsOf(item: unknown): readonly string[] {
  const { content } = item as { content: readonly { text: string }[] }
  return content.map(({ text }) => text)
}

/** The options for a model, with breakpoints however short the prompt is. */
export function optionsFor(model: string, more: Partial<RenderOptions> = {}): RenderOptions {
  const known = ruleFor(model.startsWith("anthropic.") ? `bedrock/${model}` : model)
  return { model, rule: { ...known, minimum: 0 }, maxTokens: 512, ...more }
}

const MARKS = ["cache_control", "prompt_cache_breakpoint", "providerOptions", "cachePoint"]

/** The number of breakpoints anywhere in a request. */
export function countMarks(request: unknown): number {
  if (typeof request !== "object" || request === null) return 0
  return Object.entries(request).reduce(
    (sum, [key, value]) => sum + (MARKS.includes(key) ? 1 : countMarks(value)),
    0,
  )
}

/** The bytes that a model reads, without breakpoints, which move along. */
export function bytes(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (MARKS.includes(key)) return undefined
    return Array.isArray(item) ? item.filter((part) => !Object.hasOwn(Object(part), "cachePoint")) : item
  })
}

/** The string at a JSON pointer. */
export function stringAt(request: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], request)
}
