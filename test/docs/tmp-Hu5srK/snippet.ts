import Anthropic from "@anthropic-ai/sdk"
import { definePrompt, text } from "incipit"

const events = [
  { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-5-5", content: [], stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
]
const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
const headers = { "content-type": "text/event-stream" }
const client = new Anthropic({ apiKey: "none", fetch: async () => new Response(body, { headers }) })

const chat = definePrompt({ sections: { base: text("Be brief.") } }).open({ id: "ada" })
chat.say("Hello?")
const stream = client.messages.stream(chat.anthropic("claude-sonnet-5-5", { maxTokens: 1000 }))
stream.on("text", (piece) => console.log(`piece: ${piece}`))
chat.add((await stream.finalMessage()).content)
console.log(chat.messages.at(-1)?.parts.map(({ kind }) => kind))
