// Which words reach a model as a system message within the conversation, on which models, and where: after the user's
// words, before an answer, never two in a row. Text of people, tools and files must never become one.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { refuseMessages } from "../../examples/programs/messages-api.ts"
import { compile } from "../../src/core/compile/compiler.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { textContent } from "../../src/core/model/content.ts"
import type { Turn } from "../../src/core/model/inputs.ts"
import { type Message, type MessagePart, userMessage } from "../../src/core/model/message.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { section } from "../../src/core/model/section.ts"
import { readInput } from "../../src/core/model/section-input.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { planBreakpoints } from "../../src/render/cache/breakpoints.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { callOf } from "../../src/render/cache/prompt-call.ts"
import { simulate } from "../../src/render/cache/simulate.ts"
import { verify } from "../../src/render/cache/verify.ts"
import { renderAiSdk } from "../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { sentOrder } from "../../src/render/formats/late-system.ts"
import { renderChat } from "../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../src/render/formats/openai-responses.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn, textInput } from "../core/make.ts"
import { bytes, RENDERERS, stringAt } from "./sample.ts"

const facts = { priority: "required", trust: "public", cut: "whole" } as const
const profile = makeProfile([
  section({ id: "soul", pace: "stable", ...facts, build: () => textContent("Be kind.") }),
  section({ id: "mode", pace: "turn", ...facts, voice: "operator", build: () => textContent("Look only.") }),
  section({
    id: "recall",
    pace: "turn",
    ...facts,
    build: ({ turn }) => textContent(readInput(turn, textInput("recall")) ?? ""),
  }),
  section({
    id: "clock",
    pace: "turn",
    ...facts,
    voice: "operator",
    onChange: "always",
    build: ({ turn }) => textContent(`It is ${turn.now}.`),
  }),
])

function promptAt(turn: Partial<Turn>): Prompt {
  const scopes = { agent: makeAgent(), session: makeSession(), turn: makeTurn({ now: 42, ...turn }) }
  return compile(profile, scopes, { counter: o200k })
}

const LATE = "anthropic/claude-sonnet-5-5"
const quoting = promptAt({ inputs: { recall: "Bob says hello." } })
const asked = attach([userMessage("What now?")], quoting.tail)

describe("which models accept it", () => {
  test.each([
    ["claude-sonnet-5", "after-user"],
    ["claude-sonnet-5-5", "after-user"],
    ["claude-opus-4-8", "after-user"],
    ["claude-opus-5", "after-user"],
    ["claude-opus-5-5", "after-user"],
    ["claude-haiku-5-5", "after-user"],
    ["claude-fable-5", "after-user"],
    ["claude-fable-5-1", "after-user"],
    ["claude-fable-5-2", "after-user"],
    ["claude-mythos-5", "after-user"],
    ["claude-sonnet-4-5", "refused"],
    ["claude-sonnet-4-6", "refused"],
    ["claude-haiku-4-5", "refused"],
    ["claude-opus-4-7", "refused"],
    ["bedrock/anthropic.claude-sonnet-5-5-v1:0", "refused"],
    ["google/gemini-3.5-flash", "refused"],
    ["openai-compatible/claude-opus-5", "refused"],
    ["groq/llama-4-70b", "unproven"],
    ["deepseek/deepseek-v4-pro", "unproven"],
    ["openai/gpt-5.6-sol", "allowed"],
  ])("%s: %s", (model, lateSystem) => {
    const rule = ruleFor(model)
    expect(rule.lateSystem).toBe(lateSystem)
    const [piece] = [{ key: "k", tokens: 5000 }]
    const call = {
      at: 0,
      output: 0,
      blocks: (["messages", "system"] as const).map((tier) => ({ tier, pieces: [piece] })),
    }
    expect(verify(call, { rule }).refused).toEqual(
      lateSystem === "refused" ? [{ code: "late-system", tokens: 5000 }] : [],
    )
  })
})

describe("the forms", () => {
  test("a model that accepts it gets the operator's words as system text, after the user's words", () => {
    expect(renderAnthropic(quoting, asked, { model: LATE }).request.messages).toEqual([
      {
        role: "user",
        content: [
          {
            type: "text",
            text: "<turn-context>\n<recall>\nBob says hello.\n</recall>\n\n</turn-context>\n\n",
          },
          { type: "text", text: "What now?" },
        ],
      },
      {
        role: "system",
        content: [
          {
            type: "text",
            text: "<mode>\nLook only.\n</mode>\n\n<clock>\nIt is 42.\n</clock>\n\n",
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ])
  })

  test("another model gets all of it in the user's message", () => {
    const model = "anthropic/claude-haiku-4-5"
    expect(renderAnthropic(quoting, asked, { model }).request.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: quoting.tail?.text },
          { type: "text", text: "What now?", cache_control: { type: "ephemeral" } },
        ],
      },
    ])
  })

  test("the frame is dropped if all words are the operator's", () => {
    const prompt = promptAt({})
    const messages = attach([userMessage("What now?")], prompt.tail)
    const { request } = renderAnthropic(prompt, messages, { model: LATE })
    expect(request.messages.map(({ role }) => role)).toEqual(["user", "system"])
    expect(JSON.stringify(request)).not.toContain("turn-context")
  })

  test("OpenAI's protocols use a developer message", () => {
    const model = "openai/gpt-5.6"
    const late = {
      role: "developer",
      content: [expect.objectContaining({ text: expect.stringContaining("It is 42.") })],
    }
    expect(renderChat(quoting, asked, { model }).request.messages.at(-1)).toEqual(late)
    expect(renderResponses(quoting, asked, { model }).request.input.at(-1)).toEqual(late)
    // A Claude model's own rules cannot be ensured through this protocol.
    expect(renderChat(quoting, asked, { model: LATE }).request.messages.at(-1)?.role).toBe("user")
  })

  test("the AI SDK is told to expect it, and only then", () => {
    const { request } = renderAiSdk(quoting, asked, { model: LATE })
    expect(request.messages.map(({ role }) => role)).toEqual(["user", "system"])
    expect(request.allowSystemInMessages).toBe(true)
    for (const model of [
      "google/gemini-3.5-flash",
      "bedrock/anthropic.claude-sonnet-5-5-v1:0",
      "ollama/qwen3",
    ]) {
      const other = renderAiSdk(quoting, asked, { model, rule: ruleFor(LATE) }).request
      expect([model, other.messages.map(({ role }) => role)]).toEqual([model, ["user"]])
      expect(other).not.toHaveProperty("allowSystemInMessages")
    }
  })

  test("a turn without a user message, and a prompt without a head, keep it in the message", () => {
    const alone = attach([], quoting.tail)
    const prompt = promptAt({})
    expect(roles(renderAnthropic(prompt, attach([], prompt.tail), { model: LATE }))).toEqual(["user"])
    // Bob's words are in a user message, which system text can follow.
    expect(roles(renderAnthropic(quoting, alone, { model: LATE }))).toEqual(["user", "system"])
    expect(roles(renderAnthropic({ ...quoting, head: [] }, asked, { model: LATE }))).toEqual(["user"])
  })

  test.each(RENDERERS)("$name: every span of the plan is at its place", ({ render, model }) => {
    const { request, places } = render(quoting, asked, { model })
    const found = places.map(({ entry, pointer, start, end }) => [
      entry,
      String(stringAt(request, pointer)).slice(start, end),
    ])
    const planned = quoting.plan.entries.flatMap(({ id, spans }) =>
      spans.map(({ block, start, end }) => [id, quoting.plan.blocks[block]?.text.slice(start, end)]),
    )
    expect(found).toEqual(planned)
  })
})

function roles({ request }: ReturnType<typeof renderAnthropic>): readonly string[] {
  return request.messages.map(({ role }) => role)
}

describe("whose words", () => {
  test("a text changed since, for example by redacting a secret, stays in the message whole", () => {
    const [{ parts = [] } = {}] = asked
    const [tail, words] = parts
    if (tail?.kind !== "text" || words === undefined) throw new Error("there is no tail")
    const redacted: MessagePart = { ...tail, text: tail.text.replace("Bob says hello.", "[redacted]") }
    const messages: readonly Message[] = [{ role: "user", parts: [redacted, words] }]
    expect(sentOrder(messages, "system")).toEqual([{ kind: "message", at: 0, message: messages[0] }])
  })

  test("text touched by a hook doesn't count as the operator's", () => {
    const scopes = { agent: makeAgent(), session: makeSession(), turn: makeTurn({ now: 42 }) }
    const wrap = {
      kind: "wrap",
      by: "hook",
      id: "clock",
      after: { parts: [{ text: " Bob waits." }] },
    } as const
    const prompt = compile(profile, scopes, { counter: o200k, edits: { turn: [wrap] } })
    expect(prompt.tail?.text).toContain("Bob waits.")
    expect(prompt.tail?.operator?.map(({ text }) => text)).toEqual(["<mode>\nLook only.\n</mode>\n\n"])
  })

  test("no feed of the default profile becomes system text, whatever it contains", () => {
    const said = fc.string({ minLength: 1, maxLength: 30 }).map((text) => `qzx ${text}`)
    const inputs = fc.record({
      recall: fc.array(fc.record({ path: said, text: said }), { minLength: 1, maxLength: 2 }),
      tasks: fc.array(fc.record({ id: said, title: said, steps: fc.constant([]) }), { maxLength: 2 }),
      bulletin: fc.array(said, { maxLength: 2 }),
      communication: fc.record({ formality: said, length: said, topics: fc.array(said) }),
      workflow: fc.record({
        name: said,
        current: fc.constant(1),
        steps: fc.array(said),
        notes: fc.array(said),
      }),
      remaining: fc.nat(),
      signal: said,
    })
    const git = fc.record({ branch: said, dirty: fc.nat(9), commits: fc.array(said, { maxLength: 2 }) })
    const given = fc.record({ inputs, git, message: said, planMode: fc.boolean() })
    fc.assert(
      fc.property(given, (turn) => {
        const scopes = {
          agent: makeAgent(),
          session: makeSession(),
          turn: { id: "t", now: 0, timeZone: "UTC", ...turn },
        }
        const prompt = compile(incipit, scopes, { counter: o200k })
        const messages = attach([userMessage(turn.message)], prompt.tail)
        const { request } = renderAnthropic(prompt, messages, { model: LATE })
        const late = request.messages.filter(({ role }) => role === "system")
        expect(JSON.stringify(late)).toContain("<clock>")
        expect(JSON.stringify(late)).not.toContain("qzx")
        expect(JSON.stringify(request.messages[0])).toContain("qzx")
      }),
      { seed: 3, numRuns: 60 },
    )
  })
})

describe("any conversation", () => {
  const operator = fc.constantFrom("<clock>\nNoon.\n</clock>\n\n", "<mode>\nLook.\n</mode>\n\n")
  const quoted = fc.constantFrom("<git>\nOn main.\n</git>\n\n", "<recall>\nBob.\n</recall>\n\n")
  const tail = fc
    .array(fc.oneof(operator, quoted), { minLength: 1, maxLength: 4 })
    .map((texts): MessagePart => {
      let text = "<turn-context>\n"
      const own: { at: number; text: string }[] = []
      for (const next of texts) {
        if (!/git|recall/.test(next)) own.push({ at: text.length, text: next })
        text += next
      }
      return { kind: "text", text: `${text}</turn-context>\n\n`, tail: true, operator: own }
    })
  const words = fc.constantFrom("Hello.", "And now?", "").map((text): MessagePart => ({ kind: "text", text }))
  const user = fc
    .array(fc.oneof(tail, words), { minLength: 1, maxLength: 3 })
    .map((parts): Message => ({ role: "user", parts }))
  const answer = fc
    .constantFrom("Yes.", "")
    .map((text): Message => ({ role: "assistant", parts: [{ kind: "text", text }] }))
  const talk = fc
    .tuple(user, fc.array(fc.oneof(user, answer), { maxLength: 8 }))
    .map(([first, rest]) => [first, ...rest, userMessage("Continue.")])

  test("is accepted by the API, with every text in it once", () => {
    fc.assert(
      fc.property(talk, (messages) => {
        const { request } = renderAnthropic(quoting, messages, { model: LATE, withoutTail: true })
        const sent = request.messages.filter(
          ({ role }, at, all) => role !== "user" || all[at - 1]?.role !== role,
        )
        const [first] = sent
        // A conversation may begin with an empty message, which is its author's responsibility.
        if (first?.role === "user") expect(refuseMessages({ ...request, messages: sent })).toBeUndefined()
        const all = JSON.stringify(request.messages)
        for (const text of ["Noon.", "Look.", "On main.", "Bob.", "Hello.", "And now?"])
          expect([text, count(all, text)]).toEqual([text, count(JSON.stringify(textsOf(messages)), text)])
        const late = JSON.stringify(request.messages.filter(({ role }) => role === "system"))
        expect(late).not.toMatch(/On main|Bob|Hello|And now/)
      }),
      { seed: 11, numRuns: 300 },
    )
  })

  test("is the same in a call, block by block and with the same breakpoints", () => {
    fc.assert(
      fc.property(talk, (messages) => {
        const rule = ruleFor(LATE)
        const breakpoints = planBreakpoints(quoting, messages, { rule })
        const { blocks } = callOf(quoting, messages, { counter: o200k, breakpoints, rule, at: 0, output: 0 })
        const { request } = renderAnthropic(quoting, messages, {
          ...{ model: LATE, breakpoints },
          withoutTail: true,
        })
        const sent = [...(request.system ?? []), ...request.messages.flatMap(({ content }) => content)]
        expect(sent.map(({ cache_control }) => cache_control !== undefined)).toEqual(
          blocks.map(({ breakpoint }) => breakpoint !== undefined),
        )
        const last = sent.findLastIndex(({ cache_control }) => cache_control !== undefined)
        if (request.messages.length > 0) expect(last).toBe(sent.length - 1)
      }),
      { seed: 12, numRuns: 200 },
    )
  })
})

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])))
}

test("turn after turn, each request begins with all of the previous one, and the cache is read", () => {
  const long = "Be kind. ".repeat(600)
  const scopes = (turn: number) => ({
    agent: makeAgent(),
    session: makeSession(),
    turn: makeTurn({
      id: `t${turn}`,
      now: turn,
      ...(turn % 2 === 0 && { inputs: { recall: `Bob ${turn}.` } }),
    }),
  })
  const sections = [
    section({ id: "soul", pace: "stable", ...facts, build: () => textContent(long) }),
    ...profile.sections.slice(1),
  ]
  const rule = ruleFor(LATE)
  let messages: readonly Message[] = []
  let before: readonly unknown[] = []
  const calls = [1, 2, 3, 4, 5, 6].map((turn) => {
    const prompt = compile(makeProfile(sections), scopes(turn), { counter: o200k })
    messages = attach([...messages, userMessage(`Question ${turn}.`)], prompt.tail)
    const now = renderAnthropic(prompt, messages, { model: LATE }).request.messages
    expect(bytes(now.slice(0, before.length))).toBe(bytes(before))
    before = now
    const breakpoints = planBreakpoints(prompt, messages, { rule })
    const call = callOf(prompt, messages, { counter: o200k, breakpoints, rule, at: turn, output: 0 })
    expect(verify(call, { rule })).toEqual({ refused: [], uncached: [] })
    messages = [...messages, { role: "assistant", parts: [{ kind: "text", text: `Answer ${turn}.` }] }]
    return call
  })
  for (const { usage } of simulate(calls, { rule }).calls.slice(1)) {
    expect(usage.uncached).toBe(0)
    expect(usage.read).toBeGreaterThan(usage.write["5m"] ?? 0)
  }
})
