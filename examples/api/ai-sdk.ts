// Every name of `incipit/ai-sdk` in use: a chat in the AI SDK, against a local server that speaks Anthropic's protocol.
import { createAnthropic } from "@ai-sdk/anthropic"
import { generateText, type ModelMessage, wrapLanguageModel } from "ai"
import { definePrompt, perSession, perTurn, text } from "incipit"
import { type AiSdkChat, type HostedCall, openChat, type TurnQuestion } from "incipit/ai-sdk"
import { startMessagesServer } from "../programs/messages-server.ts"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    boats: perSession((s: { boats: string[] }) => s.boats, { priority: "high" }),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})
const server = await startMessagesServer(() => [{ type: "text", text: "The Margareta is in." }])
const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "none" })

// A chat for each conversation. The option `turn` returns what the turn sections need, with every turn and every step.
const turn = ({ kind, words }: TurnQuestion) => ({ now: kind === "turn" && words !== "" ? "noon" : "later" })
const calls: HostedCall[] = []
const chat: AiSdkChat<{ boats: string[] }> = openChat(
  harbour,
  { id: "ada", trust: "familiar", boats: ["Margareta"] },
  { turn, onCall: (call) => calls.push(call) },
)

// The middleware adds the head, the turn context and the cache breakpoints. The conversation stays the program's.
const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5-5"), middleware: chat.middleware })
const messages: ModelMessage[] = [{ role: "user", content: "Who is in?" }]
const result = await generateText({ model, messages })
messages.push(...result.responseMessages)
console.log(result.text, "-", calls.length, "call,", calls[0]?.usage?.output, "token")

// A model that isn't wrapped, such as one of a gateway, gets the same by `prepareStep`.
const other = openChat(harbour, { id: "bo", boats: [] }, { turn })
const { prepareStep } = other
const second = await generateText({
  model: anthropic("claude-sonnet-5-5"),
  prompt: "Who is in?",
  prepareStep,
})
console.log(second.text)

// What changes is sent with the next turn. What was sent keeps its bytes.
chat.update({ boats: ["Margareta", "Otter"] })
for (const { section, outcome, why } of chat.report().sections) console.log(section, outcome, why)

// The chat as JSON, for another process.
const saved = chat.save()
const resumed = openChat(harbour, { id: "ada", boats: ["Margareta", "Otter"] }, { turn, saved })
console.log(resumed.report().turn, "turn")

await server.close()
