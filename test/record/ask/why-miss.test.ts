// A cache miss is put down to what caused it: the section with its file and line, a tool, a message, a setting, or
// one of the causes that are not in the text. And two recorded prompts can be compared.
import { describe, expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import { attach } from "../../../src/core/layout/tail.ts"
import type { Tool } from "../../../src/core/model/inputs.ts"
import { type Message, userMessage } from "../../../src/core/model/message.ts"
import { turnDiff } from "../../../src/record/ask/turn-diff.ts"
import { whyMiss } from "../../../src/record/ask/why-miss.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { renderResponses } from "../../../src/render/formats/openai-responses.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
  turnSection,
} from "../../core/make.ts"
import { apiCall, FACTS, openTemporary, stepMessages } from "../receipt-folder.ts"

interface Step {
  readonly turn?: string
  readonly step?: number
  /** Seconds since the first call. */
  readonly after?: number
  readonly model?: string
  readonly soul?: string
  readonly rules?: string
  readonly clock?: string
  readonly tools?: readonly Tool[]
  readonly messages?: readonly Message[]
  readonly usage?: Usage
  readonly fields?: Readonly<Record<string, unknown>>
  readonly event?: Partial<RecordEvent>
  readonly ttl?: string
}

const SOUL = "# Soul\n\nYou are kind.\nYou are brief."
const WROTE: Usage = { uncached: 10, read: 0, write: { "5m": 2_000 }, output: 5 }
const MISSED: Usage = { uncached: 10, read: 0, write: { "5m": 2_400 }, output: 5 }
const HIT: Usage = { uncached: 10, read: 2_000, write: { "5m": 400 }, output: 5 }
const profile = makeProfile([fileSection("soul"), fileSection("rules"), turnSection("clock")])

function call(recorder: Recorder, made: Step): void {
  const { turn = "t1", step = 1, after = 0, model = FACTS.model, tools = [makeTool("read")] } = made
  const { soul = SOUL, rules = "Say what you know.", clock = "1", messages = [userMessage("Hello.")] } = made
  const files = Object.entries({ soul, rules })
    .filter(([, text]) => text !== "")
    .map(([role, text]) => makeFile({ role, text }))
  const prompt = compile(
    profile,
    { agent: makeAgent({ files, tools }), session: makeSession(), turn: makeTurn({ inputs: { clock } }) },
    { counter: chars },
  )
  const told = attach(messages, prompt.tail)
  const render = model.startsWith("openai") ? renderResponses : renderAnthropic
  const { request } = render(prompt, told, { model, ...(made.ttl && { ttl: made.ttl }) })
  const at = FACTS.at + after * 1000
  saveReceipt(recorder, { ...FACTS, turn, step, at, model, prompt, request: { ...request, ...made.fields } })
  if (made.usage) recorder.append(apiCall({ turn, step, at, model, usage: made.usage, ...made.event }))
}

/** Two calls of a session, and why the second missed. */
async function second(before: Step, after: Step) {
  const recorder = openTemporary()
  call(recorder, { usage: WROTE, ...before })
  call(recorder, { usage: MISSED, turn: "t2", after: 60, ...after })
  await recorder.flush()
  expect(recorder.health()).toMatchObject({ dropped: 0, lastError: undefined })
  return await recorder.read((store) => whyMiss(store, "t2"))
}

const changed = (change: object) => ({ kind: "changed", change })

describe("what changed", () => {
  test("a section, with its file and line, the tokens and the price", async () => {
    const soul = SOUL.replace("brief", "thorough")
    expect(await second({}, { soul })).toEqual({
      turn: "t2",
      step: 1,
      session: "s1",
      model: FACTS.model,
      previous: { turn: "t1", step: 1 },
      cause: changed({
        what: "section",
        name: "soul",
        how: "changed",
        path: "SOUL.md",
        line: 4,
        lines: [1, 4],
        before: "You are brief.",
        after: "You are thorough.",
      }),
      also: [],
      expected: 2_000,
      read: 0,
      lostTokens: 2_000,
      lostUsd: (2_000 * (2.5 - 0.2)) / 1e6,
      provider: undefined,
      sentence:
        'Cache miss: call t2.1 read 0 of 2,000 cached tokens. The section "soul" (SOUL.md:4) changed: "You are brief." before, "You are thorough." now. It cost $0.0046 more than a hit.',
    })
  })

  test("a section that came or went", async () => {
    const went = await second({}, { rules: "" })
    expect(went?.cause).toMatchObject(
      changed({ what: "section", name: "rules", how: "went", path: "RULES.md" }),
    )
    const first = await second({}, { soul: "" })
    expect(first?.cause).toMatchObject(
      changed({ what: "section", name: "soul", how: "went", path: "SOUL.md" }),
    )
    const came = await second({ soul: "" }, {})
    expect(came?.cause).toMatchObject(changed({ what: "section", name: "soul", how: "came" }))
  })

  test("a tool that changed, came or went, and one that the plan knows nothing of", async () => {
    const other = await second({}, { tools: [makeTool("read", { description: "Reads." })] })
    expect(other?.cause).toMatchObject(
      changed({
        what: "tool",
        name: "read",
        how: "changed",
        before: "Does read.",
        after: "Reads.",
      }),
    )
    const more = await second({}, { tools: [makeTool("ask"), makeTool("read")] })
    expect(more?.cause).toMatchObject(changed({ what: "tool", name: "ask", how: "came" }))
    const tools = [makeTool("ask"), makeTool("list"), makeTool("read")]
    const fewer = await second({ tools }, { tools: tools.filter(({ name }) => name !== "list") })
    expect(fewer?.cause).toEqual(changed({ what: "tool", name: "list", how: "went" }))
    expect(fewer?.sentence).toContain('cached tokens. The tool "list" was removed. It cost')
    const hosts = await second({ fields: { tools: [{ name: "x" }] } }, { fields: { tools: [{ name: "y" }] } })
    expect(hosts?.cause).toEqual(
      changed({ what: "field", name: "/tools/0/name", how: "changed", before: "x", after: "y" }),
    )
  })

  test("a message that was sent before, and one that is gone; the tail and new messages are none", async () => {
    const before = [userMessage("Hello."), ...stepMessages("c1", "A result.")]
    const rewritten = await second(
      { messages: before },
      { messages: [userMessage("Hi."), ...before.slice(1)] },
    )
    expect(rewritten?.cause).toMatchObject(
      changed({
        what: "message",
        name: "/messages/0",
        how: "changed",
        before: "Hello.",
        after: "Hi.",
      }),
    )
    const gone = await second({ messages: before, clock: "" }, { messages: before.slice(0, 1), clock: "" })
    expect(gone?.cause).toMatchObject(changed({ what: "message", name: "/messages/1", how: "went" }))
    const said = [...before, userMessage("Thanks.")]
    const cut = await second({ messages: said, clock: "" }, { messages: before, clock: "" })
    expect(cut?.sentence).toContain('"/messages/3" was removed: "Thanks.".')
    const recorder = openTemporary()
    const first = [userMessage("Hello.")]
    call(recorder, { usage: WROTE, messages: first, clock: "" })
    call(recorder, { usage: MISSED, turn: "t2", messages: [...first, ...stepMessages("c", "r")], clock: "2" })
    await recorder.flush()
    expect((await recorder.read((store) => whyMiss(store, "t2")))?.cause).toEqual({ kind: "evicted" })
  })

  test("a setting that is part of the prefix, and none that is not", async () => {
    const thinking = await second({}, { fields: { thinking: { type: "enabled" }, metadata: { id: 7 } } })
    expect(thinking?.cause).toMatchObject(changed({ what: "setting", name: "/thinking", how: "came" }))
    const model = "openai/gpt-5.6"
    const effort = await second(
      { model, fields: { reasoning: { effort: "low" } } },
      { model, fields: { reasoning: { effort: "high" } } },
    )
    expect(effort?.cause).toEqual(
      changed({ what: "setting", name: "/reasoning/effort", how: "changed", before: "low", after: "high" }),
    )
    const key = await second({ model }, { model, fields: { prompt_cache_key: "b" } })
    expect(key?.cause).toMatchObject(changed({ what: "setting", name: "/prompt_cache_key", how: "came" }))
    const metadata = await second({}, { fields: { metadata: { id: 7 } } })
    expect(metadata?.cause).toEqual({ kind: "evicted" })
  })

  test("tools come before the head, the head before messages", async () => {
    const all = { soul: "Other.", messages: [userMessage("Other.")] }
    const tool = await second({}, { ...all, tools: [makeTool("write")] })
    expect(tool?.cause).toMatchObject(changed({ what: "tool" }))
    expect((await second({}, all))?.cause).toMatchObject(changed({ what: "section", name: "soul" }))
  })
})

describe("what else it was", () => {
  test("the first call of its session", async () => {
    const recorder = openTemporary()
    call(recorder, { usage: WROTE })
    await recorder.flush()
    const why = await recorder.read((store) => whyMiss(store, "t1"))
    expect(why).toMatchObject({ cause: { kind: "first-call" }, also: [], previous: undefined })
    expect(why?.sentence).toBe("Call t1.1 read 0 cached tokens. It is the first call of its session.")
    expect(await recorder.read((store) => whyMiss(store, "t9"))).toBeUndefined()
  })

  test("too long ago, by the lifetime of the marks; what changed is said beside it", async () => {
    const late = await second({}, { after: 301, soul: "Other." })
    expect(late?.cause).toEqual({ kind: "expired", idleSeconds: 301, lifetimeSeconds: 300 })
    expect(late?.also).toMatchObject([{ kind: "changed" }])
    const messages = [
      {
        role: "user",
        content: [{ type: "text", text: "Hi.", cache_control: { type: "ephemeral", ttl: "1h" } }],
      },
    ]
    const hour = await second({ fields: { messages } }, { after: 301, fields: { messages } })
    expect(hour?.cause).toEqual({ kind: "evicted" })
    // Where the head lives longer than the conversation, a change of the head explains more.
    const mixed = [
      ...messages,
      { role: "user", content: [{ text: "Ho.", cache_control: { type: "ephemeral" } }] },
    ]
    const part = await second(
      { fields: { messages: mixed } },
      { after: 301, fields: { messages: mixed }, soul: "O." },
    )
    expect(part?.cause).toMatchObject(changed({ name: "soul" }))
    expect(part?.also).toEqual([{ kind: "expired", idleSeconds: 301, lifetimeSeconds: 300 }])
  })

  test("another model", async () => {
    const other = await second({}, { model: "anthropic/claude-opus-5-5" })
    expect(other?.cause).toEqual({
      kind: "model-changed",
      before: FACTS.model,
      after: "anthropic/claude-opus-5-5",
    })
  })

  test("too little to be kept", async () => {
    const little: Usage = { uncached: 400, read: 0, write: {}, output: 5 }
    const why = await second({ usage: little }, { usage: little })
    expect(why?.cause).toEqual({ kind: "below-minimum", tokens: 400, minimum: 512 })
    expect(why?.lostUsd).toBe(0)
    const nothing = await second({ usage: little }, {})
    expect(nothing?.cause).toEqual({ kind: "nothing-kept" })
  })

  test("to the second and to the token: just in time, just enough, no more than was sent", async () => {
    const sent = (uncached: number, read = 0): Usage => ({ uncached, read, write: {}, output: 5 })
    expect((await second({}, { after: 300 }))?.cause).toEqual({ kind: "evicted" })
    expect((await second({ usage: sent(512) }, { usage: sent(512) }))?.cause).toEqual({
      kind: "nothing-kept",
    })
    const shorter = await second({}, { usage: sent(0, 1_500) })
    expect(shorter).toMatchObject({ cause: { kind: "hit" }, expected: 1_500, lostTokens: 0 })
    // This one keeps prefixes by itself, from 1024 tokens on and in steps of 128.
    const model = "openai/gpt-5"
    const automatic = (before: number, read: number) =>
      second({ model, usage: sent(before) }, { model, usage: sent(before - read, read) })
    expect(await automatic(900, 0)).toMatchObject({ expected: 0, lostTokens: 0 })
    expect(await automatic(2_048, 1_921)).toMatchObject({ cause: { kind: "hit" }, lostTokens: 127 })
    expect(await automatic(2_048, 1_920)).toMatchObject({ cause: { kind: "evicted" }, lostTokens: 128 })
  })

  test("more new blocks than the provider looks back", async () => {
    const parts = (many: number) => Array.from({ length: many }, (_, at) => ({ type: "text", text: `${at}` }))
    const marked = (many: number) => [
      {
        role: "user",
        content: parts(many).map((part, at) => (at === many - 1 ? { ...part, cache_control: {} } : part)),
      },
    ]
    const grown = (many: number) => [
      { role: "user", content: parts(2) },
      { role: "assistant", content: "I see." },
      ...marked(many),
    ]
    const fields = (messages: unknown) => ({ clock: "", fields: { messages } })
    const far = await second(fields(marked(2)), fields(grown(19)))
    expect(far?.cause).toEqual({ kind: "beyond-look-back", blocks: 20, lookBack: 20 })
    const near = await second(fields(marked(2)), fields(grown(18)))
    expect(near?.cause).toEqual({ kind: "evicted" })
  })

  test("the same prompt, of which the provider read less; what it says is reported", async () => {
    const why = await second(
      {},
      {
        event: {
          data: {
            diagnostics: { cache_miss_reason: { type: "messages_changed", cache_missed_input_tokens: 9 } },
          },
        },
      },
    )
    expect(why).toMatchObject({
      cause: { kind: "evicted" },
      lostTokens: 2_000,
      provider: { reason: "messages_changed", tokens: 9 },
    })
    expect(why?.sentence).toContain('The provider reports "messages_changed".')
    const openai = await second(
      {},
      { event: { data: { prompt_cache_diagnostics: { type: "cache_miss", reason: "tools_changed" } } } },
    )
    expect(openai?.provider).toEqual({ reason: "tools_changed" })
  })

  test("nothing: all that was there was read", async () => {
    const why = await second({}, { usage: HIT, soul: SOUL })
    expect(why).toMatchObject({ cause: { kind: "hit" }, also: [], lostTokens: 0, lostUsd: 0 })
  })

  test("a model without a known cache, and calls without a known usage or price", async () => {
    const model = "acme/unheard-of"
    expect((await second({ model }, { model }))?.cause).toEqual({ kind: "not-cached", rule: "unknown" })
    const recorder = openTemporary()
    call(recorder, {})
    call(recorder, { turn: "t2", soul: "Other." })
    await recorder.flush()
    const why = await recorder.read((store) => whyMiss(store, "t2", 1))
    expect(why).toMatchObject({ cause: { kind: "changed" }, lostUsd: null })
    expect(why?.lostTokens).toBeUndefined()
    expect((await second({}, { soul: "Other.", event: { price: null } }))?.lostUsd).toBeNull()
  })
})

test("without a step it is the one that lost most, compared with the last call that was answered", async () => {
  const recorder = openTemporary()
  call(recorder, { usage: WROTE })
  call(recorder, { turn: "t2", step: 1, usage: HIT })
  // Failed, and so left nothing behind.
  call(recorder, { turn: "t2", step: 2, soul: "Failed." })
  call(recorder, { turn: "t2", step: 3, usage: { ...MISSED, read: 100 }, rules: "Other." })
  call(recorder, { turn: "t2", step: 4, usage: { ...HIT, read: 2_500, write: {} }, rules: "Other." })
  await recorder.flush()
  const why = await recorder.read((store) => whyMiss(store, "t2"))
  expect(why).toMatchObject({ step: 3, previous: { turn: "t2", step: 1 }, lostTokens: 2_300 })
  expect(why?.cause).toMatchObject(changed({ name: "rules", line: 1 }))
})

test("a step that was tried again comes after the calls before it", async () => {
  const recorder = openTemporary()
  call(recorder, { turn: "t2" })
  call(recorder, { usage: WROTE })
  call(recorder, { turn: "t2", usage: MISSED, soul: "Other." })
  await recorder.flush()
  const why = await recorder.read((store) => whyMiss(store, "t2"))
  expect(why).toMatchObject({ previous: { turn: "t1", step: 1 }, cause: { kind: "changed" } })
})

test("names in the sentence obey no terminal", async () => {
  const recorder = openTemporary()
  call(recorder, { turn: "t\u001b[31m", usage: WROTE })
  await recorder.flush()
  const why = await recorder.read((store) => whyMiss(store, "t\u001b[31m"))
  expect(why?.sentence).toMatch(/^Call "t\\u001b\[31m\.1" read/)
})

describe("two recorded prompts", () => {
  test("differ by sections, tools, fields and messages, from one byte on", async () => {
    const recorder = openTemporary()
    const tools = [makeTool("ask"), makeTool("read")]
    call(recorder, { soul: "Éa.", clock: "" })
    call(recorder, {
      step: 2,
      soul: "Éb.",
      clock: "",
      tools,
      messages: [userMessage("Hello."), ...stepMessages("c1", "A result.")],
      fields: { max_tokens: 7 },
    })
    await recorder.flush()
    const compared = (before: string, after: string) =>
      recorder.read((store) => turnDiff(store, before, after))
    expect(await compared("t1.1", "t1.2")).toEqual({
      before: { turn: "t1", step: 1 },
      after: { turn: "t1", step: 2 },
      plan: {
        added: [],
        removed: [],
        changed: ["soul"],
        moved: [],
        tools: { added: ["ask"], removed: [], changed: [] },
        first: { kind: "tool", name: "ask" },
      },
      byte: Buffer.byteLength("<soul>\nÉ"),
      fields: ["max_tokens", "tools", "system"],
      conversation: { shared: 1, before: 1, after: 3 },
    })
    expect(await compared("t1", "t1.2")).toMatchObject({
      byte: undefined,
      fields: [],
      plan: { first: undefined },
    })
    expect(await compared("t1", "t1.9")).toBeUndefined()
  })

  test("a turn whose own name ends in a number is found by it", async () => {
    const recorder = openTemporary()
    call(recorder, { turn: "t.1", soul: "One." })
    call(recorder, { turn: "t", step: 1, soul: "Other." })
    await recorder.flush()
    const names = await recorder.read((store) => turnDiff(store, "t.1", "t"))
    expect([names?.before, names?.after]).toEqual([
      { turn: "t.1", step: 1 },
      { turn: "t", step: 1 },
    ])
  })
})
