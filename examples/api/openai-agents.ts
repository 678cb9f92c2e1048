// Every name of `incipit/openai-agents` in use: a chat in OpenAI Agents, against a local server that speaks the Responses
// protocol.
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled } from "@openai/agents"
import { definePrompt, perTurn, text } from "incipit"
import { type OpenAIAgentsChat, openChat } from "incipit/openai-agents"
import OpenAI from "openai"
import { startResponsesServer } from "../programs/responses-server.ts"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})
setTracingDisabled(true)
const server = await startResponsesServer(() => ({ text: "The Margareta is in." }))
const client = new OpenAI({ baseURL: server.url, apiKey: "none" })

// The filter gives each call its instructions and its turn context; the settings, the key of its cache.
const chat: OpenAIAgentsChat<object> = openChat(harbour, { id: "ada" }, { turn: () => ({ now: "noon" }) })
const agent = new Agent({
  name: "harbour",
  model: new OpenAIResponsesModel(client, "gpt-5.2"),
  modelSettings: chat.modelSettings,
})
const runner = new Runner({ callModelInputFilter: chat.callModelInputFilter })
const first = await runner.run(agent, "Who is in?")
const second = await runner.run(agent, [...first.history, { role: "user", content: "And who is out?" }])
console.log(second.finalOutput, "-", chat.report().turn, "turns,", server.bodies.length, "requests")

await server.close()
