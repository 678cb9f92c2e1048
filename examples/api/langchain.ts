// Every name of `incipit/langchain` in use: a chat in LangChain, against a local server that speaks Anthropic's protocol.
import { ChatAnthropic } from "@langchain/anthropic"
import { definePrompt, perTurn, text } from "incipit"
import { type LangChainChat, openChat } from "incipit/langchain"
import { createAgent, HumanMessage, tool } from "langchain"
import { startMessagesServer } from "../programs/messages-server.ts"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})
const server = await startMessagesServer(({ messages }) =>
  messages.length === 1
    ? [{ type: "tool_use", id: "call_1", name: "berths", input: {} }]
    : [{ type: "text", text: "Four are free." }],
)
const model = new ChatAnthropic({ model: "claude-sonnet-5-5", apiKey: "none", anthropicApiUrl: server.url })
const berths = tool(() => "4", {
  name: "berths",
  description: "Counts free berths.",
  schema: { type: "object", properties: {} },
})

// The chat's middleware comes last, so that it sees what the others have changed.
const chat: LangChainChat<object> = openChat(harbour, { id: "ada" }, { turn: () => ({ now: "noon" }) })
const agent = createAgent({ model, tools: [berths], middleware: [chat.middleware] })
const { messages } = await agent.invoke({ messages: [new HumanMessage("How many berths are free?")] })
console.log(messages.at(-1)?.text, "-", chat.report().steps.length, "calls")

await server.close()
