// An agent loop in a page: compile on every step, send, run tools, and let nothing that was sent change its bytes.
// `node examples/programs/agent-loop.ts` runs it against a local server, without a key.
import { join } from "node:path"
import { attach, createCompiler, type Message, type MessagePart, type Sent, userMessage } from "incipit"
import { incipit } from "incipit/profiles"
import { type AnthropicContent, renderAnthropic } from "incipit/render"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"
import { startMessagesServer } from "./messages-server.ts"

const server = await startMessagesServer((request) => {
  const asked = request.messages.at(-1)?.content.some(({ type }) => type === "tool_result")
  return asked
    ? [{ type: "text", text: "The 15:30 is shut out by low water." }]
    : [
        {
          type: "tool_use",
          id: `call_${request.messages.length}`,
          name: "read",
          input: { path: "data/tides.csv" },
        },
      ]
})

const workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const agent = gatherAgent(workspace, { tools: incipit.tools ?? [] }).value
const session = gatherSession(workspace).value
const compiler = createCompiler({ profile: incipit })
const head = compiler.head(agent, session)

let messages: readonly Message[] = []
let sent: Sent | undefined
for (const [at, question] of ["Does the 15:30 run on Tuesday?", "And the one after?"].entries()) {
  const turn = {
    id: `turn-${at + 1}`,
    now: Date.UTC(2026, 5, 15, 7, at),
    timeZone: "Europe/Stockholm",
    message: question,
  }
  messages = [...messages, userMessage(question)]
  for (let step = 1; ; step += 1) {
    const prompt = head.step(turn, sent === undefined ? {} : { sent })
    messages = attach(messages, prompt.tail)
    sent = prompt.sent
    const { request } = renderAnthropic(prompt, messages, { model: "claude-sonnet-5-5", maxTokens: 1024 })
    const response = await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(request),
    })
    const reply = (await response.json()) as { content: AnthropicContent[]; usage: Record<string, number> }
    const parts = reply.content.map(partOf)
    messages = [...messages, { role: "assistant", parts }]
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = reply.usage
    console.log(`turn ${at + 1}, step ${step}: ${read} tokens read from the cache, ${written} written`)
    const results = parts.flatMap((part): MessagePart[] =>
      part.kind === "tool-call" ? [{ kind: "tool-result", id: part.id, text: "16:10" }] : [],
    )
    if (results.length === 0) break
    messages = [...messages, { role: "user", parts: results }]
  }
}
await server.close()

function partOf(block: AnthropicContent): MessagePart {
  if (block.type === "tool_use")
    return { kind: "tool-call", id: block.id, name: block.name, input: block.input }
  return { kind: "text", text: block.type === "text" ? block.text : "" }
}
