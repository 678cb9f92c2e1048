// Every name of `incipit/render` in use: one prompt and one conversation, as a request for each API.
import { join } from "node:path"
import { attach, createCompiler, userMessage } from "incipit"
import { incipit } from "incipit/profiles"
import {
  type AnthropicRequest,
  fromAiSdk,
  fromAnthropic,
  fromBedrock,
  fromChat,
  fromGoogle,
  fromResponses,
  type Render,
  type Rendered,
  type RenderOptions,
  renderAiSdk,
  renderAnthropic,
  renderBedrock,
  renderChat,
  renderClaudeAgent,
  renderGoogle,
  renderResponses,
  renderText,
} from "incipit/render"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"

const workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const head = createCompiler({ profile: incipit }).head(
  gatherAgent(workspace).value,
  gatherSession(workspace).value,
)
const prompt = head.step({ id: "turn-1", now: 0, timeZone: "UTC" })
const messages = attach([userMessage("Does the boat run on Tuesday?")], prompt.tail)

// `await client.messages.create(request)` with @anthropic-ai/sdk. Places say where each section went.
const options: RenderOptions = { model: "claude-sonnet-5-5", maxTokens: 1024 }
const { request, places }: Rendered<AnthropicRequest> = renderAnthropic(prompt, messages, options)
console.log(Object.keys(request), places.find(({ entry }) => entry === "soul")?.pointer)

// `await client.responses.create(request)` with openai. The same key leads calls to the server that has the prefix.
const responses = renderResponses(prompt, messages, { model: "gpt-5.2", cacheKey: "lighthouse" })
console.log(Object.keys(responses.request))

// `await client.chat.completions.create(request)` with openai.
console.log(Object.keys(renderChat(prompt, messages, { model: "gpt-5.2" }).request))

// `await client.models.generateContent(request)` with @google/genai.
console.log(Object.keys(renderGoogle(prompt, messages, { model: "gemini-2.5-pro" }).request))

// `await client.send(new ConverseCommand(request))` with @aws-sdk/client-bedrock-runtime.
const bedrock = renderBedrock(prompt, messages, { model: "anthropic.claude-sonnet-4-6", maxTokens: 1024 })
console.log(Object.keys(bedrock.request))

// `await generateText({ model, ...request })` with ai.
console.log(Object.keys(renderAiSdk(prompt, messages, { model: "anthropic/claude-sonnet-5-5" }).request))

// `query({ prompt, options: { systemPrompt } })` with @anthropic-ai/claude-agent-sdk.
console.log(Object.keys(renderClaudeAgent(prompt, messages).request))

// Plain messages, for Ollama, llama.cpp and frameworks that take one system string.
console.log(Object.keys(renderText(prompt, messages, { model: "ollama/qwen3" }).request))

// What the SDKs return becomes messages of the conversation. Nothing is lost: what only one provider knows goes back to it.
const content = [
  { type: "text", text: "Let me see." },
  { type: "tool_use", id: "call_1", name: "read", input: { path: "tides.csv" } },
]
console.log(fromAnthropic(content)[0]?.parts.map(({ kind }) => kind))

const called = { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" } as const
console.log(fromResponses([called])[0]?.role)

const message = { role: "assistant", content: "It does.", refusal: null } as const
console.log(fromChat(message)[0]?.parts)

// Google's calls often have no id; the conversation so far keeps the ones made for them unique.
console.log(fromGoogle({ role: "model", parts: [{ text: "It does." }] }, messages)[0]?.role)

console.log(fromBedrock({ role: "assistant", content: [{ text: "It does." }] })[0]?.role)

console.log(fromAiSdk([{ role: "assistant", content: "It does." }])[0]?.role)

// Renderers have one type, so a program can choose one by its configuration.
const render: Render<AnthropicRequest> = renderAnthropic
console.log(render(prompt, messages, options).request.max_tokens)
