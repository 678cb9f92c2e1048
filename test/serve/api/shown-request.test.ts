// What a reader below full trust sees of the requests of a turn: what was said, and nothing that tools were given or
// returned.
import { expect, test } from "vitest"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { shownRequest } from "../../../src/serve/api/sessions/shown-request.ts"
import { RENDERERS, sampleMessages, samplePrompt } from "../../render/sample.ts"
import { clientOf, OPERATOR, openApi } from "./api-client.ts"

/** The agent sends none of these two. */
const SENT = RENDERERS.filter(({ name }) => name !== "text" && name !== "claude-agent")

const HIDDEN = /A result|It broke|"what\W+it\W/

test.each(SENT)("$name: words stay, inputs and results of tools go", ({ render, model }) => {
  const prompt = samplePrompt()
  const { request } = render(prompt, sampleMessages(prompt), { model, rule: ruleFor(model) })
  const text = JSON.stringify(request)
  expect(text).toMatch(HIDDEN)
  const shown = JSON.stringify(shownRequest(JSON.parse(text)))
  expect(shown).not.toMatch(HIDDEN)
  for (const said of ["First question.", "Let me see.", "First answer.", "Second question."])
    expect(shown).toContain(said)
})

test("thoughts are left out, in the words of every provider", () => {
  const thoughts = [
    { type: "thinking", thinking: "herring", signature: "s" },
    { type: "reasoning", text: "herring" },
    { type: "reasoning", summary: [{ type: "summary_text", text: "herring" }] },
    { text: "herring", thought: true },
    { reasoningContent: { reasoningText: { text: "herring" } } },
  ]
  const message = { role: "assistant", content: thoughts, reasoning_content: "herring" }
  expect(JSON.stringify(shownRequest({ messages: [message], input: thoughts }))).not.toContain("herring")
})

test("a turn shows inputs of tools and costs to full trust alone, in its trace and its request", async () => {
  const gateway = await openApi({
    script: ({ results: [result], tools }) =>
      result === undefined ? [{ name: tools[0] ?? "", input: { herring: "red" } }] : "Done.",
  })
  const { get, post } = await clientOf(gateway)
  const { json: reply } = await post("/api/sessions", { text: "Look it up." })
  const path = `/api/turns/${reply.turn}`
  const [own, whole] = [await get(path), await (await clientOf(gateway, OPERATOR)).get(path)]
  expect([own.json.exact, whole.json.exact]).toEqual([false, true])
  expect(whole.json.trace.join("\n")).toMatch(/herring.*cost=/s)
  expect(JSON.stringify(whole.json.request)).toContain("herring")
  expect(own.text).toContain("Look it up.")
  expect(own.text).not.toMatch(/herring|cost=|output_tokens=/)
})
