// How many requests per second each renderer makes for an agent in a long turn: a constant head of 15 sections, a
// growing conversation of 180 messages, including breakpoints. Markdown on stdout; exits with 1 if a target is missed.
// Serializing the request as JSON is the SDK's work and not included.
import { createCompiler } from "../src/core/compile/compiler.ts"
import { attach } from "../src/core/layout/tail.ts"
import { textContent } from "../src/core/model/content.ts"
import { type Message, userMessage } from "../src/core/model/message.ts"
import type { Prompt } from "../src/core/model/prompt.ts"
import { section } from "../src/core/model/section.ts"
import { tags } from "../src/core/write/markup.ts"
import {
  type KeyedOptions,
  type Rendered,
  renderAiSdk,
  renderAnthropic,
  renderBedrock,
  renderChat,
  renderClaudeAgent,
  renderGoogle,
  renderResponses,
  renderText,
} from "../src/public/render.ts"
import { o200k } from "../src/tokens/o200k.ts"
import { checkTargets, digits, formatMs, machine, measure, printTable } from "./measure/measure.ts"

const SECTIONS = 15
const MESSAGES = 180
const TOOLS = 20
const TARGET = 5_000

type AnyRender = (prompt: Prompt, messages: readonly Message[], options: KeyedOptions) => Rendered<unknown>

const RENDERERS: readonly { readonly name: string; readonly render: AnyRender; readonly model: string }[] = [
  { name: "Anthropic Messages", render: renderAnthropic, model: "anthropic/claude-sonnet-5-5" },
  { name: "OpenAI Responses", render: renderResponses, model: "openai/gpt-5.6" },
  { name: "OpenAI Chat", render: renderChat, model: "openai/gpt-5.6" },
  { name: "Gemini", render: renderGoogle, model: "google/gemini-3.5-flash" },
  { name: "Bedrock Converse", render: renderBedrock, model: "bedrock/anthropic.claude-sonnet-5" },
  { name: "one string (Ollama and others)", render: renderText, model: "ollama/qwen3.5" },
  { name: "AI SDK, for Anthropic", render: renderAiSdk, model: "anthropic/claude-sonnet-5-5" },
  { name: "AI SDK, for one string", render: renderAiSdk, model: "openai-compatible/qwen3.5" },
  { name: "Claude Agent SDK", render: renderClaudeAgent, model: "anthropic/claude-sonnet-5-5" },
]

interface Input {
  readonly prompt: Prompt
  readonly messages: readonly Message[]
}

/** Every input has a new turn and a new newest message; the rest is unchanged. */
function inputs(): () => Input {
  const head = createCompiler({ profile: profile(), counter: o200k }).head(
    { id: "bench", files: [], extensions: [], tools: tools() },
    { id: "bench", files: [], audience: { trust: "full", situation: "dm", mode: "full" } },
  )
  const sent = Array.from({ length: MESSAGES - 1 }, (_, at) => messageOf(at))
  let turns = 0
  return () => {
    turns += 1
    const prompt = head.step({ id: `turn-${turns}`, now: turns * 61_000, timeZone: "UTC" })
    return { prompt, messages: attach([...sent, userMessage(`Question ${turns}.`)], prompt.tail) }
  }
}

function profile() {
  const facts = { priority: "required", trust: "public", cut: "whole" } as const
  const text = "A sentence that says something about the matter at hand, and another one after it.\n".repeat(
    40,
  )
  const sections = Array.from({ length: SECTIONS - 1 }, (_, at) =>
    section({
      id: `section-${at}`,
      pace: at < 10 ? "stable" : "session",
      ...facts,
      build: () => textContent(`Part ${at}.\n${text}`),
    }),
  )
  const clock = section({
    id: "clock",
    pace: "turn",
    ...facts,
    build: ({ turn }) => textContent(`${turn.now}`),
  })
  return { name: "bench", order: "paced", markup: tags, sections: [...sections, clock] } as const
}

function tools() {
  return Array.from({ length: TOOLS }, (_, at) => ({
    name: `tool_${at}`,
    description: `Does ${at}.`,
    parameters: { type: "object", properties: { path: { type: "string" }, limit: { type: "number" } } },
  }))
}

/** A call, its result, and so on: most of an agent's conversation. */
function messageOf(at: number): Message {
  if (at % 2 === 0)
    return at === 0
      ? userMessage("Begin.")
      : {
          role: "user",
          parts: [{ kind: "tool-result", id: `c${at - 1}`, text: `Result ${at}. `.repeat(50) }],
        }
  return {
    role: "assistant",
    parts: [
      { kind: "text", text: `Thinking about ${at}.` },
      { kind: "tool-call", id: `c${at}`, name: `tool_${at % TOOLS}`, input: { path: `file-${at}.md` } },
    ],
  }
}

const rows: { readonly name: string; readonly ms: number; readonly perSecond: number }[] = []
for (const { name, render, model } of RENDERERS) {
  const options = { model, maxTokens: 1_024 }
  const ms = await measure({
    next: inputs(),
    run: ({ prompt, messages }) => render(prompt, messages, options),
  })
  rows.push({ name, ms, perSecond: 1_000 / ms })
}
console.log(`## Rendering ${SECTIONS} sections and ${MESSAGES} messages: ${machine()}\n`)
printTable(
  ["for", "one request", "requests a second"],
  rows.map(({ name, ms, perSecond }) => [name, formatMs(ms), digits(perSecond)]),
)
checkTargets(
  rows.map(({ name, perSecond }) => ({
    what: `${name}, requests a second`,
    bound: `>= ${digits(TARGET)}`,
    measured: digits(perSecond),
    holds: perSecond >= TARGET,
  })),
)
