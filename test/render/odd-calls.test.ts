// Calls without arguments, results without text, and how models are named.
import { expect, test } from "vitest"
import { type Message, userMessage } from "../../src/core/model/message.ts"
import { LOCAL_SERVERS } from "../../src/render/cache/cache-rules.ts"
import { renderBedrock } from "../../src/render/formats/bedrock.ts"
import { renderText } from "../../src/render/formats/text.ts"
import { countMarks, optionsFor, RENDERERS, samplePrompt } from "./sample.ts"

const prompt = { ...samplePrompt(), tail: undefined }

function messages(input: unknown, text = "Done."): readonly Message[] {
  return [
    userMessage("Go."),
    { role: "assistant", parts: [{ kind: "tool-call", id: "c1", name: "ask", input }] },
    { role: "user", parts: [{ kind: "tool-result", id: "c1", text }] },
  ]
}

const talking = RENDERERS.filter(({ notSupported }) => notSupported.conversation === undefined)

test.each(talking)("$name: a call without arguments gets an empty object", ({ render, model }) => {
  const request = (input: unknown) => JSON.stringify(render(prompt, messages(input), optionsFor(model)))
  expect(request(undefined)).toBe(request({}))
})

test.each(["", " \n"])("Bedrock gets no text for the blank result %j, which it would refuse", (text) => {
  const { request } = renderBedrock(prompt, messages({}, text), optionsFor("bedrock/x"))
  expect(request.messages.at(-1)?.content[0]).toEqual({ toolResult: { toolUseId: "c1", content: [] } })
})

test.each(["", "bedrock/", "amazon-bedrock/"])("Bedrock gets the model's name without %j", (provider) => {
  const name = "anthropic.claude-sonnet-4-5-20250929-v1:0"
  const { rule: _, ...options } = optionsFor(name)
  const long = samplePrompt(
    {},
    { tools: [{ name: "long", description: "so ".repeat(5000), parameters: {} }] },
  )
  const given = { ...options, model: provider + name, withoutTail: true }
  const { request } = renderBedrock(long, messages({}), given)
  expect({ model: request.modelId, isMarked: countMarks(request) > 0 }).toEqual({
    model: name,
    isMarked: true,
  })
})

test.each(LOCAL_SERVERS)("a local server gets the model without the server's name: %s", (server) => {
  expect(renderText(prompt, [], { model: `${server}/qwen3` }).request.model).toBe("qwen3")
})
