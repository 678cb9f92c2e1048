// A step can be shown again exactly: for any body, for any conversation with every renderer, and where a text is
// damaged or was redacted it is said which, and nothing else is lost.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { attach } from "../../../src/core/layout/tail.ts"
import type { Message, MessagePart } from "../../../src/core/model/message.ts"
import { report } from "../../../src/core/read/report.ts"
import { bodyText } from "../../../src/database/sqlite/record/text-links.ts"
import { refsIn } from "../../../src/database/text-ref.ts"
import { findReceipt, replay, reportOf } from "../../../src/record/ask/replay.ts"
import { putTogether } from "../../../src/record/write/put-together.ts"
import type { Json } from "../../../src/record/write/request-marks.ts"
import { takeApart } from "../../../src/record/write/request-parts.ts"
import { conversation, optionsFor, RENDERERS, sampleMessages, samplePrompt } from "../../render/sample.ts"
import { inFile } from "../in-file.ts"
import { FACTS, openTemporary, save } from "../receipt-folder.ts"

const LONG = "A long line of text that is kept once. ".repeat(40)

/** Takes a value apart and gives it back from the texts alone. */
function roundTrip(value: Json, blocks: readonly (readonly string[])[] = []) {
  const texts = new Map<string, string>()
  const keep = (ref: string, text: string) => texts.set(ref, text)
  const taken = takeApart(value, { shown: (text) => text, blocks, keep })
  for (const element of taken.elements) for (const [ref, text] of element.texts) keep(ref, text)
  const parts = { ...taken, elements: taken.elements.map((element) => element.stored) }
  // Through bytes, as a file would.
  const stored = (text: string) => Buffer.from(text).toString()
  const bytes = new Map([...texts].map(([ref, text]) => [ref, stored(text)]))
  const given = putTogether(
    { frame: stored(parts.frame), elements: parts.elements.map(stored), marks: stored(parts.marks) },
    { text: (ref) => bytes.get(ref) },
  )
  return { ...given, parts, texts }
}

describe("any body", () => {
  const key = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      "$text",
      "$json",
      "$join",
      "$nodes",
      "$$text",
      "__proto__",
      "cache_control",
      "prompt_cache_breakpoint",
      "cachePoint",
      "providerOptions",
      "cacheControl",
      "messages",
      "input",
    ),
  )
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(LONG, `${LONG}\ud800`, `before ${LONG} after`, `\udc00${"x".repeat(600)}`, "$text"),
  )
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      text,
      fc.constantFrom(null, true, 0, 1.5),
      fc.array(tie("value"), { maxLength: 4 }),
      fc
        .array(fc.tuple(key, tie("value")), { maxLength: 4 })
        .map((entries): Json => Object.fromEntries(entries)),
    ),
  }))
  const body = fc.oneof(
    value,
    fc
      .tuple(fc.array(value, { maxLength: 5 }), fc.constantFrom("messages", "input", "contents"), value)
      .map(([list, name, more]): Json => ({ model: "m", [name]: list, more })),
  )

  test("comes back byte for byte, whatever its keys and strings are", () => {
    fc.assert(
      fc.property(body, (made) => {
        const wire = JSON.stringify(made)
        const { value: back, redacted, damaged } = roundTrip(JSON.parse(wire), [["A long line"], [LONG]])
        expect(JSON.stringify(back)).toBe(wire)
        expect([redacted, damaged]).toEqual([[], []])
      }),
      { numRuns: 2_000, seed: 7 },
    )
  })

  test("is not too deep", () => {
    let deep: Json = { cache_control: LONG }
    for (let at = 0; at < 2_000; at += 1) deep = at % 2 === 0 ? [deep] : { a: deep }
    const made = { messages: [deep] }
    const { value: back, parts, texts } = roundTrip(made)
    expect(JSON.stringify(back)).toBe(JSON.stringify(made))
    // So deep that it is kept as text: to walk further down would end the stack of a smaller machine.
    expect([...parts.elements, ...texts.values()].some((text) => text.includes('"$raw"'))).toBe(true)
  })

  test("names every text that it needs", () => {
    const made = {
      system: [{ text: LONG }],
      tools: [{ a: LONG }, { b: `${LONG}!` }],
      messages: [{ c: LONG }],
    }
    const { parts, texts } = roundTrip(made)
    const found = new Set<string>()
    const follow = (stored: string): void => {
      const refs = refsIn(stored)
      for (const ref of [...refs.texts, ...refs.parts]) found.add(ref)
      for (const ref of refs.parts) follow(texts.get(ref) ?? "")
    }
    for (const stored of [parts.frame, parts.marks, ...parts.elements]) follow(stored)
    expect(found).toEqual(new Set(texts.keys()))
  })
})

describe("every renderer", () => {
  const words = fc.oneof(
    fc.lorem({ maxCount: 30 }),
    fc.constantFrom(LONG, "", " ", "日本語 👩‍👩‍👧", "\ud800", "</turn-context>"),
  )
  const input = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(words, fc.integer(), fc.constant(null)), {
    maxKeys: 3,
  })
  const answer = (id: number) =>
    fc.oneof(
      words.map((text): MessagePart => ({ kind: "text", text })),
      input.map((made): MessagePart => ({ kind: "tool-call", id: `c${id}`, name: "ask", input: made })),
    )
  const turn = fc
    .tuple(words, fc.array(answer(0), { maxLength: 3 }), words, fc.boolean())
    .map(([asked, parts, result, isError]): readonly Message[] => {
      const calls = parts.filter(({ kind }) => kind === "tool-call").slice(0, 1)
      const said = [...parts.filter(({ kind }) => kind === "text"), ...calls]
      return [
        { role: "user", parts: [{ kind: "text", text: asked }] },
        { role: "assistant", parts: said },
        ...(calls.length > 0
          ? [
              {
                role: "user" as const,
                parts: [
                  {
                    kind: "tool-result" as const,
                    id: "c0",
                    text: result,
                    ...(isError && { isError: true as const }),
                  },
                ],
              },
            ]
          : []),
      ]
    })
  const talk = fc.tuple(fc.array(turn, { maxLength: 4 }), words, fc.integer({ min: 0, max: 99 }))

  test.each(RENDERERS)("$name: what was sent, for random conversations", async ({ render, model }) => {
    const recorder = openTemporary()
    const samples = fc.sample(talk, { numRuns: 40, seed: 11 })
    const wires: string[] = []
    for (const [step, [turns, last, now]] of samples.entries()) {
      const prompt = samplePrompt({ now })
      const said: readonly Message[] = [
        ...turns.flat(),
        { role: "user", parts: [{ kind: "text", text: last }] },
      ]
      const { request } = render(prompt, attach(said, prompt.tail), optionsFor(model))
      wires.push(JSON.stringify(request))
      await save(recorder, { step, model, prompt, request })
    }
    expect(recorder.health()).toEqual({ waiting: 0, dropped: 0, lastError: undefined })
    for (const [step, wire] of wires.entries()) {
      const shown = await recorder.read((store) => replay(store, "t1", step))
      expect(JSON.stringify(shown?.request)).toBe(wire)
      expect(shown?.exact).toBe(true)
    }
  })

  test.each(RENDERERS)("$name: the report of the plan is the report", async ({ render, model }) => {
    const recorder = openTemporary()
    const prompt = samplePrompt()
    await save(recorder, {
      prompt,
      request: render(prompt, sampleMessages(prompt), optionsFor(model)).request,
    })
    const stored = await recorder.read(async (store) => {
      const receipt = await findReceipt(store, "t1")
      return receipt && reportOf(store, receipt)
    })
    expect(stored?.report).toEqual(JSON.parse(JSON.stringify(report(prompt))))
  })
})

describe("what is said beside the request", () => {
  const request = { system: [{ text: LONG }], messages: conversation }

  test("whose it is; the last step unless one is named; nothing of an unknown turn", async () => {
    const recorder = openTemporary()
    await save(recorder, { request })
    await save(recorder, { step: 2, request: { ...request, max_tokens: 7 } })
    const { trust, session, at, model } = FACTS
    expect(await recorder.read((store) => replay(store, "t1"))).toEqual({
      turn: "t1",
      step: 2,
      at,
      session,
      trust,
      model,
      request: JSON.parse(JSON.stringify({ ...request, max_tokens: 7 })),
      exact: true,
      redacted: [],
      rounded: [],
      damaged: [],
    })
    expect((await recorder.read((store) => replay(store, "t1", 1)))?.request).toEqual(
      JSON.parse(JSON.stringify(request)),
    )
    expect(await recorder.read((store) => replay(store, "t2"))).toBeUndefined()
  })

  test.each([
    ['{"seed":12345678901234567890}', ["/seed"]],
    ['{"a~b":{"c~1":12345678901234567890}}', ["/a~0b/c~01"]],
    ['{"messages":[{"a/b":[1, 0.1234567890123456789]}],"top":1e400}', ["/messages/0/a~1b/1", "/top"]],
    ['{"n":[1.50,15e-1,0.30,1e21,1000000000000000000000,0.1234567890123456,1e-320,5e-324]}', []],
    ['{"text":"12345678901234567890 1e400"}', []],
    ['{"maximum":9007199254740991,"n":-9007199254740993}', ["/n"]],
    ['{"$rounded":[["/a"],{"a":1}]}', []],
    ['{"$rounded":[["/a"],{"a":1}],"b":2}', []],
  ])("of %s it is said which numbers are not as they were sent", async (request, rounded) => {
    const recorder = openTemporary()
    await save(recorder, { request })
    const shown = await recorder.read((store) => replay(store, "t1"))
    expect(shown).toMatchObject({ exact: rounded.length === 0, rounded })
    // Infinity has no JSON.
    if (!request.includes(":1e400")) expect(shown?.request).toEqual(JSON.parse(request))
  })

  test("a second receipt of a step takes the place of the first", async () => {
    const recorder = openTemporary()
    await save(recorder, { request: { messages: ["first"] } })
    await save(recorder, { request: { messages: ["second"] } })
    expect((await recorder.read((store) => replay(store, "t1")))?.request).toEqual({ messages: ["second"] })
    expect(inFile(recorder, (database) => database.get("SELECT count(*) AS n FROM receipts")?.n)).toBe(1)
  })

  test("which texts were redacted, and only those differ", async () => {
    const redact = async (texts: readonly string[]) =>
      texts.map((text) => text.replaceAll("sk-secret-key", "[redacted]"))
    const recorder = openTemporary({ redact })
    const long = `${LONG} sk-secret-key ${LONG}`
    const said = {
      role: "user",
      content: [{ cachePoint: {} }, { text: "my sk-secret-key" }, { text: "and" }],
    }
    const secret = { system: [{ text: long }], messages: [said, { "sk-secret-key": 1 }] }
    await save(recorder, { request: secret })
    const shown = await recorder.read((store) => replay(store, "t1"))
    expect(JSON.stringify(shown?.request)).not.toContain("sk-secret-key")
    const stored = inFile(recorder, (database) => database.all("SELECT bytes, body FROM texts").map(bodyText))
    expect(stored.length).toBeGreaterThan(5)
    for (const text of stored) expect(text).not.toContain("sk-secret")
    expect(shown).toMatchObject({
      exact: false,
      damaged: [],
      redacted: ["/system/0/text", "/messages/0/content/1/text", "/messages/1"],
    })
    expect(shown?.request).toEqual({
      system: [{ text: long.replace("sk-secret-key", "[redacted]") }],
      messages: [
        { ...said, content: [{ cachePoint: {} }, { text: "my [redacted]" }, { text: "and" }] },
        { "[redacted]": 1 },
      ],
    })
  })

  test("which text is damaged, by its digest and its place", async () => {
    const recorder = openTemporary()
    const other = LONG.replaceAll("long", "short")
    const made = { system: [{ text: LONG }], tools: [], messages: [{ text: other }, { text: "kept" }] }
    await save(recorder, { request: made })
    await recorder.flush()
    const damage = (text: string, body: Uint8Array) =>
      inFile(recorder, (database) =>
        database.run("UPDATE texts SET body = ? WHERE bytes = ?", body, Buffer.byteLength(text)),
      )
    expect(damage(LONG, Buffer.from("no")).changes).toBe(1)
    const shown = await recorder.read((store) => replay(store, "t1"))
    expect(shown?.exact).toBe(false)
    expect(shown?.damaged.map(({ pointer }) => pointer)).toEqual(["/system/0/text"])
    expect(shown?.damaged[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(shown?.request).toEqual({ ...made, system: [{ text: null }] })
    // A body that unpacks to something else is damaged as well.
    expect(damage(other, Buffer.from(other.replace("short", "SHORT"))).changes).toBe(1)
    const again = await recorder.read((store) => replay(store, "t1"))
    expect(again?.damaged.map(({ pointer }) => pointer)).toEqual(["/system/0/text", "/messages/0/text"])
  })

  test("that even the form is damaged", async () => {
    for (const column of ["frame", "marks"] as const) {
      const recorder = openTemporary()
      await save(recorder, { request: { messages: [{ text: "hello", cache_control: {} }] } })
      inFile(recorder, (database) =>
        database.run(`UPDATE texts SET body = x'00' WHERE id = (SELECT ${column} FROM receipts)`),
      )
      const shown = await recorder.read((store) => replay(store, "t1"))
      expect(shown).toMatchObject({ exact: false, damaged: [{ pointer: "" }] })
      expect(shown?.request).toEqual(column === "frame" ? null : { messages: [{ text: "hello" }] })
    }
  })
})
