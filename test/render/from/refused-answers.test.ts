// Answers that a provider refuses in the next request, such as one that reached its limit of tokens before it said
// anything. A conversation that has one would be lost.
import { expect, test } from "vitest"
import { type Message, userMessage } from "../../../src/core/model/message.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { renderBedrock } from "../../../src/render/formats/bedrock.ts"
import { renderChat } from "../../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../../src/render/formats/openai-responses.ts"
import { fromAiSdk } from "../../../src/render/from/from-ai-sdk.ts"
import { fromAnthropic } from "../../../src/render/from/from-anthropic.ts"
import { fromBedrock } from "../../../src/render/from/from-bedrock.ts"
import { fromChat } from "../../../src/render/from/from-chat.ts"
import { fromResponses } from "../../../src/render/from/from-responses.ts"
import { samplePrompt } from "../sample.ts"

const prompt = { ...samplePrompt(), tools: [], head: [], tail: undefined }
const options = { model: "some-model" }

function around(answer: readonly Message[]): readonly Message[] {
  return [userMessage("Where is A17?"), ...answer, userMessage("Go on.")]
}

const blocks = (type: string) => [[{ type, text: "Where is A17?" }], [{ type, text: "Go on." }]]

test("reasoning that nothing follows is not sent", () => {
  const thought = { type: "thinking", thinking: "Hm.", signature: "s" }
  const anthropic = renderAnthropic(prompt, around(fromAnthropic([thought])), options).request.messages
  expect(anthropic.map(({ content }) => content)).toEqual(blocks("text"))
  const output = [{ type: "reasoning", id: "rs_1", summary: [] }]
  const { input } = renderResponses(prompt, around(fromResponses(output)), options).request
  expect(input.map((item) => "content" in item && item.content)).toEqual(blocks("input_text"))
  const reasoningText = { text: "Hm.", signature: "s" }
  const converse = fromBedrock({ role: "assistant", content: [{ reasoningContent: { reasoningText } }] })
  expect(renderBedrock(prompt, around(converse), options).request.messages).toHaveLength(2)
  const sdk = fromAiSdk([{ role: "assistant", content: [{ type: "reasoning", text: "Hm." }] }])
  expect(renderAiSdk(prompt, around(sdk), options).request.messages).toHaveLength(2)
})

test("what was said before it is sent", () => {
  const said = { type: "text", text: "I'll look." }
  const thought = (thinking: string) => ({ type: "thinking", thinking, signature: "s" })
  const answer = fromAnthropic([thought("First."), said, thought("Second.")])
  const { messages } = renderAnthropic(prompt, around(answer), options).request
  expect(messages[1]).toEqual({ role: "assistant", content: [thought("First."), said] })
})

test("an empty message of the Chat Completions API is not sent, whatever fields it has", () => {
  const empty = { role: "assistant", content: "", refusal: null, annotations: [] }
  const { messages } = renderChat(prompt, around(fromChat(empty)), options).request
  expect(messages.map((message) => "content" in message && message.content)).toEqual(blocks("text"))
})

test("reasoning without a signature is read, and not sent", () => {
  const said = { type: "text", text: "In Oslo." }
  const answer = fromAnthropic([{ type: "thinking", thinking: "Hm." } as never, said])
  expect(answer).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "Hm." },
        { kind: "text", text: "In Oslo." },
      ],
    },
  ])
  const { messages } = renderAnthropic(prompt, around(answer), options).request
  expect(messages[1]).toEqual({ role: "assistant", content: [said] })
})
