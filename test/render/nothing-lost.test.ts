// A renderer refuses messages that lack the prompt's tail: the plan says that its text was sent, and the next step would
// not send it again. It also says when a model gets no cache marks.
import { describe, expect, test } from "vitest"
import { IncipitError } from "../../src/base/error.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { type Message, userMessage } from "../../src/core/model/message.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { renderAiSdk } from "../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { renderBedrock } from "../../src/render/formats/bedrock.ts"
import { renderChat } from "../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../src/render/formats/openai-responses.ts"
import type { RenderOptions } from "../../src/render/formats/renderer.ts"
import { bytes, optionsFor, RENDERERS, samplePrompt } from "./sample.ts"

const prompt = samplePrompt({ git: { branch: "main", dirty: 0, commits: [] } })
const asked = [userMessage("Hello.")]

describe.each(RENDERERS)("$name", ({ render, model }) => {
  const options = optionsFor(model)

  test.each<[string, readonly Message[]]>([
    ["no messages", []],
    ["messages without the tail", asked],
    ["the tail of another turn", attach(asked, samplePrompt({ now: 41 }).tail)],
  ])("%s are refused", (_what, messages) => {
    expect(() => render(prompt, messages, options)).toThrow(
      new IncipitError(
        "tail-missing",
        "the messages lack the prompt's turn context (clock, git); call attach(messages, prompt.tail) first",
      ),
    )
  })

  test("they are rendered if the caller leaves the tail out on purpose", () => {
    const { request } = render(prompt, asked, { ...options, withoutTail: true })
    expect(bytes(request)).not.toContain("It is 42.")
    expect(bytes(request)).toBe(bytes(render({ ...prompt, tail: undefined }, asked, options).request))
  })

  test("a tail that lost its mark in a transcript of the host is still there", () => {
    const unmarked: readonly Message[] = [userMessage(`${prompt.tail?.text ?? ""}Hello.`)]
    expect(bytes(render(prompt, unmarked, options).request)).toContain("It is 42.")
  })

  test("a prompt without a tail needs none", () => {
    expect(() => render({ ...prompt, tail: undefined }, asked, options)).not.toThrow()
  })
})

describe("mistakes in JavaScript", () => {
  const messages = attach(asked, prompt.tail)
  const options = { model: "claude-sonnet-5-5" }

  test.each<[string, unknown, unknown, unknown, string]>([
    ["no model", prompt, messages, {}, 'a renderer needs a model, such as { model: "gpt-5.2" }'],
    ["no options", prompt, messages, undefined, 'a renderer needs a model, such as { model: "gpt-5.2" }'],
    [
      "the tail instead of the prompt",
      prompt.tail,
      messages,
      options,
      "a renderer needs the prompt that head.step(turn) or compile(…) returns",
    ],
  ])("%s", (_what, given, conversation, chosen, problem) => {
    // As JavaScript would pass it.
    const render = () => renderAnthropic(given as Prompt, conversation as Message[], chosen as RenderOptions)
    expect(render).toThrow(new IncipitError("bad-render-call", problem))
  })

  test("messages of an SDK", () => {
    // As JavaScript would pass it.
    const own = [{ role: "user", content: "Hello." }] as unknown as Message[]
    expect(() => renderAnthropic(prompt, own, options)).toThrow(
      new IncipitError("bad-messages", "message 1 has no list of parts"),
    )
  })
})

test("the Claude Agent SDK keeps older messages, so the newest one must have the tail", () => {
  const sample = RENDERERS.find(({ name }) => name === "claude-agent")
  const older = [...attach(asked, prompt.tail), ...asked]
  expect(() => sample?.render(prompt, older, { model: "x" })).toThrow("the messages lack")
})

describe("cache marks", () => {
  const messages = attach(asked, prompt.tail)

  test.each([
    ["anthropic", renderAnthropic],
    ["openai-chat", renderChat],
    ["openai-responses", renderResponses],
    ["ai-sdk", renderAiSdk],
  ])("%s says that an unknown model gets none", (_name, render) => {
    const hint = { code: "no-cache-rule", model: "acme-1" }
    expect(render(prompt, messages, { model: "acme-1" }).diagnostics).toEqual([hint])
    const known = { rule: ruleFor("claude-sonnet-5-5") }
    expect(render(prompt, messages, { model: "acme-1", ...known }).diagnostics).toEqual([])
    expect(render(prompt, messages, { model: "acme-1", breakpoints: [] }).diagnostics).toEqual([])
    expect(render(prompt, messages, { model: "gpt-5.2" }).diagnostics).toEqual([])
  })

  test("bedrock too", () => {
    const diagnosticsOf = (model: string) => renderBedrock(prompt, messages, { model }).diagnostics
    expect(diagnosticsOf("acme-1")).toEqual([{ code: "no-cache-rule", model: "acme-1" }])
    expect(diagnosticsOf("anthropic.claude-sonnet-4-5-20250929-v1:0")).toEqual([])
    expect(diagnosticsOf("bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0")).toEqual([])
  })
})
