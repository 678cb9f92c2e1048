// What a receipt leaves in the file, row by row: each text once, packed where that is shorter, prompts in pieces; what is
// said about the plan; and what is remembered between receipts, none of which may change what is stored.
import { describe, expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import { textContent } from "../../../src/core/model/content.ts"
import { section } from "../../../src/core/model/section.ts"
import { sweepNodes, sweepReceipts, sweepTexts } from "../../../src/database/sqlite/record/sweep.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../../core/make.ts"
import { samplePrompt } from "../../render/sample.ts"
import { inFile } from "../in-file.ts"
import { FACTS, openTemporary, planOf, save } from "../receipt-folder.ts"
import { openFile } from "../record-file.ts"

/** Text that cannot be packed, the same for the same seed. */
function noise(length: number, seed: number): string {
  let [text, state] = ["", seed]
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647
    text += String.fromCharCode(33 + (state % 90))
  }
  return text.replaceAll(/["\\]/g, "x")
}

function rows(recorder: Recorder, sql: string) {
  return inFile(recorder, (database) => database.all(sql)).map((row) => Object.values(row))
}

const counts = (recorder: Recorder) =>
  ["texts", "nodes", "receipts", "models"].map((name) =>
    Number(rows(recorder, `SELECT count(*) FROM ${name}`)[0]?.[0]),
  )

describe("rows", () => {
  const messages = [{ a: noise(600, 1) }, { b: "x".repeat(600) }, { c: "short" }]

  test("of the same request again are only that of its receipt", async () => {
    const recorder = openTemporary()
    await save(recorder, { request: { system: "s", messages } })
    const [texts, nodes] = counts(recorder)
    await save(recorder, { request: { system: "s", messages }, step: 2 })
    await save(recorder, { request: { system: "s", messages }, step: 3, session: "another" })
    expect(counts(recorder)).toEqual([texts, nodes, 3, 1])
    expect(nodes).toBe(3)
  })

  test.each(["messages", "input", "contents"])(
    "of each item, where the conversation is called %s",
    async (field) => {
      const recorder = openTemporary()
      await save(recorder, { request: { [field]: messages } })
      expect(counts(recorder)[1]).toBe(messages.length)
    },
  )

  test("of two conversations that begin alike are shared up to where they part", async () => {
    const recorder = openTemporary()
    await save(recorder, { request: { messages } })
    await save(recorder, {
      request: { messages: [...messages.slice(0, 2), { d: "other" }, { e: 1 }] },
      step: 2,
    })
    expect(rows(recorder, "SELECT id, parent FROM nodes")).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 4],
    ])
    // The same item after another one is another place.
    await save(recorder, { request: { messages: [{ d: "other" }] }, step: 3 })
    expect(rows(recorder, "SELECT id, parent FROM nodes").at(-1)).toEqual([6, 0])
  })

  test("of marks are one while the mark moves on with the last message", async () => {
    const recorder = openTemporary()
    const mark = { cache_control: { type: "ephemeral" } }
    for (const step of [1, 2, 3])
      await save(recorder, {
        request: {
          messages: Array.from({ length: step + 1 }, (_, at) => ({ at, ...(at === step && mark) })),
        },
        step,
      })
    expect(rows(recorder, "SELECT count(DISTINCT marks) FROM receipts")).toEqual([[1]])
  })

  test("hold a text as it is where packing it does not make it shorter", async () => {
    const recorder = openTemporary()
    const messages = [{ a: noise(170, 2) }, { b: "y".repeat(170) }, { c: "z".repeat(140) }]
    await save(recorder, { request: { messages } })
    const isPlain = (text: string) =>
      inFile(
        recorder,
        (database) => database.get("SELECT 1 FROM texts WHERE body = ?", Buffer.from(text)) !== undefined,
      )
    expect(messages.map((message) => isPlain(JSON.stringify(message)))).toEqual([true, false, true])
    expect(await recorder.read((store) => replay(store, "t1"))).toMatchObject({
      request: { messages },
      exact: true,
    })
  })

  test("a long text that is in several places, and in the plan, is one", async () => {
    const recorder = openTemporary()
    const text = noise(800, 3)
    await save(recorder, { request: { system: text, note: text, messages: [{ text }, { more: { text } }] } })
    expect(rows(recorder, `SELECT count(*) FROM texts WHERE bytes = ${text.length}`)).toEqual([[1]])
  })

  test("what looks like the name of a text in somebody's data names nothing", async () => {
    const recorder = openTemporary()
    const request = { messages: [{ $text: "abc" }, { $json: "abc" }, { deep: { $json: "x".repeat(600) } }] }
    await save(recorder, { request })
    expect(await recorder.read((store) => replay(store, "t1"))).toMatchObject({
      request,
      exact: true,
      damaged: [],
    })
  })
})

describe("a prompt", () => {
  const facts = { priority: "required", trust: "public", cut: "whole" } as const
  const prompt = (texts: readonly string[]) =>
    compile(
      makeProfile(
        texts.map((text, at) =>
          section({ id: `s${at}`, pace: "stable", ...facts, build: () => textContent(text) }),
        ),
      ),
      { agent: makeAgent(), session: makeSession(), turn: makeTurn() },
      { counter: o200k },
    )
  const saved = async (recorder: Recorder, step: number, texts: readonly string[]) => {
    const made = prompt(texts)
    const system = made.head.map(({ text }) => text).join("\n\n")
    await save(recorder, { prompt: made, request: { system, messages: [] }, step })
    expect((await recorder.read((store) => replay(store, "t1", step)))?.request).toEqual({
      system,
      messages: [],
    })
    return rows(recorder, "SELECT bytes FROM texts WHERE bytes > 1900 ORDER BY id").flat()
  }

  test("of which one section changes adds that section", async () => {
    const recorder = openTemporary()
    const texts = [1, 2, 3, 4].map((seed) => noise(2_000, seed))
    const before = await saved(recorder, 1, texts)
    const after = await saved(recorder, 2, texts.with(2, noise(2_000, 9)))
    expect([before, after]).toEqual([Array(4).fill(2_013), Array(5).fill(2_013)])
  })

  test("of which one piece is damaged is not put together from the others", async () => {
    const recorder = openTemporary()
    await saved(
      recorder,
      1,
      [1, 2, 3].map((seed) => noise(2_000, seed)),
    )
    inFile(recorder, (database) =>
      database.run("UPDATE texts SET body = x'00' WHERE id = (SELECT max(id) FROM texts WHERE bytes = 2013)"),
    )
    expect(await recorder.read((store) => replay(store, "t1"))).toMatchObject({
      request: { system: null, messages: [] },
      damaged: [{ pointer: "/system" }],
    })
  })

  test("whose trust cannot be read is for those who see all", async () => {
    const recorder = openTemporary()
    await save(recorder, { trust: "public" })
    inFile(recorder, (database) => database.run("UPDATE receipts SET trust = 'odd'"))
    expect((await recorder.read((store) => replay(store, "t1")))?.trust).toBe("full")
  })

  test("has a tail that stays one text, as in the conversation that it is a part of from then on", async () => {
    const recorder = openTemporary()
    const made = (seed: number) =>
      compile(
        makeProfile(
          [1, 2].map((at) =>
            section({
              id: `t${at}`,
              pace: "turn",
              ...facts,
              build: () => textContent(noise(600, seed + at)),
            }),
          ),
        ),
        { agent: makeAgent(), session: makeSession(), turn: makeTurn() },
        { counter: o200k },
      )
    const [first, second] = [made(10), made(20)]
    const messages = [{ text: `${first.tail?.text} Hello.` }, { text: `${second.tail?.text} And now?` }]
    await save(recorder, { prompt: first, request: { messages: messages.slice(0, 1) } })
    await save(recorder, { prompt: second, request: { messages }, step: 2, session: "read as a whole" })
    expect(rows(recorder, "SELECT id, parent FROM nodes")).toEqual([
      [1, 0],
      [2, 1],
    ])
  })

  test("is stored without its secrets, also those that the request does not have", async () => {
    const recorder = openTemporary({
      redact: async (texts) => texts.map((text) => text.replaceAll("hunter2", "***")),
    })
    await save(recorder, { prompt: prompt(["The password is hunter2."]), request: { messages: [] } })
    const stored = JSON.stringify(await planOf(recorder))
    expect([stored.includes("The password is ***."), stored.includes("hunter2")]).toEqual([true, false])
  })

  test("is stored in runs of one pace, and read again as it was", async () => {
    const recorder = openTemporary()
    await save(recorder, {})
    const stored = await planOf(recorder)
    expect(stored?.report.runs.map((run) => run.map(({ id, pace }) => `${pace} ${id}`))).toEqual([
      ["stable soul", "stable rules"],
      ["session place"],
      ["turn clock", "turn git", "turn turn-context"],
    ])
    expect([stored?.rule, stored?.after]).toEqual([undefined, undefined])
    const rule = ruleFor(FACTS.model)
    await save(recorder, { rule, step: 2 })
    expect((await planOf(recorder, 2))?.rule).toEqual(JSON.parse(JSON.stringify(rule)))
  })
})

describe("between receipts", () => {
  test("the plans of the last 64 steps are at hand, each with its own turn and step", async () => {
    const recorder = openTemporary()
    for (let step = 1; step <= 65; step += 1)
      saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: {}, step })
    await recorder.flush()
    const plans = [1, 2, 65, 66, undefined].map((step) =>
      recorder.receipts.planOf({ turn: FACTS.turn, step }),
    )
    expect(plans.map((plan) => plan !== undefined)).toEqual([false, true, true, false, false])
    expect(recorder.receipts.planOf({ turn: "other", step: 2 })).toBeUndefined()
    expect(openTemporary().receipts.planOf({ turn: FACTS.turn, step: 2 })).toBeUndefined()
    expect(JSON.parse(JSON.stringify(plans[2]))).toEqual(await planOf(recorder, 65))
  })

  test("a secret is taken out of every receipt, and what is clean is looked at once", async () => {
    const seen: string[] = []
    const recorder = openTemporary({
      redact: async (texts) => {
        seen.push(...texts)
        return texts.map((text) => text.replaceAll("hunter2", "***"))
      },
    })
    const long = `clean ${"x".repeat(100)}`
    for (const step of [1, 2, 3]) {
      const request = { system: "hunter2", long, messages: [{ text: "hunter2!" }, { step }] }
      await save(recorder, { request, step })
      expect(await recorder.read((store) => replay(store, "t1", step))).toMatchObject({
        request: { ...request, system: "***", messages: [{ text: "***!" }, { step }] },
        redacted: ["/system", "/messages/0/text"],
        exact: false,
      })
    }
    expect(["hunter2", long, "long"].map((text) => seen.filter((one) => one === text).length)).toEqual([
      3, 1, 1,
    ])
  })

  test("a mark that is an item of the conversation stays where it was while that grows", async () => {
    const recorder = openTemporary()
    const messages = [{ a: 1 }, { cachePoint: { type: "default" } }, { b: 2 }, { c: 3 }]
    await save(recorder, { request: { messages: messages.slice(0, 3) } })
    await save(recorder, { request: { messages }, step: 2 })
    expect((await recorder.read((store) => replay(store, "t1", 2)))?.request).toEqual({ messages })
  })

  test("a secret is taken out however deep it is", async () => {
    const recorder = openTemporary({
      redact: async (texts) => texts.map((text) => text.replaceAll("hunter2", "***")),
    })
    const deep = (text: string, levels: number): unknown => (levels === 0 ? text : [deep(text, levels - 1)])
    for (const levels of [95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 150]) {
      const request = { system: deep("hunter2", levels), messages: [{ deep: deep("hunter2!", levels) }] }
      await save(recorder, { request, step: levels })
      const shown = await recorder.read((store) => replay(store, "t1", levels))
      const text = JSON.stringify(shown?.request)
      expect([levels, text.includes("hunter2"), text.includes("***"), shown?.exact]).toEqual([
        levels,
        false,
        true,
        false,
      ])
    }
  })

  test("a text that begins like a clean one is looked at all the same", async () => {
    const recorder = openTemporary({
      redact: async (texts) => texts.map((text) => text.replaceAll("hunter2", "***")),
    })
    const clean = "a long text that begins alike ".repeat(10)
    await save(recorder, { request: { messages: [clean] } })
    await save(recorder, { request: { messages: [clean, `${clean}hunter2`] }, step: 2 })
    expect((await recorder.read((store) => replay(store, "t1", 2)))?.request).toEqual({
      messages: [clean, `${clean}***`],
    })
  })

  test("receipts that are written together are each what they would be alone", async () => {
    const recorder = openTemporary({
      redact: async (texts) => texts.map((text) => text.replaceAll("hunter2", "***")),
    })
    const messages = [{ a: "first" }, { b: "hunter2" }, { c: "last" }]
    for (const step of [1, 2, 3])
      saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: { step, messages }, step })
    await recorder.flush()
    const steps = [1, 2, 3].map((step) => recorder.read((store) => replay(store, "t1", step)))
    const shown = (await Promise.all(steps)).map((found) => found?.request)
    const stored = messages.with(1, { b: "***" })
    expect(shown).toEqual([1, 2, 3].map((step) => ({ step, messages: stored })))
  })

  test("what was pruned since the last receipt is stored again", async () => {
    const recorder = openTemporary()
    const messages = [{ a: noise(600, 4) }, { b: noise(600, 5) }, { c: 1 }]
    await save(recorder, { request: { messages: messages.slice(0, 2) } })
    const database = openFile(recorder.path)
    database.run("DELETE FROM receipts")
    await sweepReceipts(database, new Date(0).toISOString())
    await sweepNodes(database)
    await sweepTexts(database)
    expect(counts(recorder).slice(0, 3)).toEqual([0, 0, 0])
    await save(recorder, { request: { messages }, step: 2 })
    expect(await recorder.read((store) => replay(store, "t1", 2))).toMatchObject({
      request: { messages },
      exact: true,
    })
  })

  test("what another process has replaced and pruned since is stored again", async () => {
    const recorder = openTemporary()
    const messages = [{ a: noise(600, 4) }, { b: noise(600, 5) }, { c: 1 }]
    await save(recorder, { request: { messages: messages.slice(0, 2) } })
    const database = openFile(recorder.path)
    // The same step again, with a conversation that has nothing in it.
    database.run("UPDATE receipts SET node = 0")
    await sweepNodes(database)
    await sweepTexts(database)
    expect(counts(recorder)[1]).toBe(0)
    await save(recorder, { request: { messages }, step: 2 })
    expect(await recorder.read((store) => replay(store, "t1", 2))).toMatchObject({
      request: { messages },
      exact: true,
    })
  })

  test("a request that cannot be kept is reported, with why", async () => {
    const recorder = openTemporary()
    const throwing = {
      toJSON() {
        throw new Error("not today")
      },
    }
    for (const [step, request] of [undefined, throwing, "{", { big: 1n }].entries())
      await save(recorder, { request, step })
    expect(rows(recorder, "SELECT step, error, session_id, turn_id, trust FROM events")).toEqual([
      [0, "the request cannot be kept: it is not JSON", "s1", "t1", "full"],
      [1, "the request cannot be kept: not today", "s1", "t1", "full"],
      [2, "the request cannot be kept: it is not JSON", "s1", "t1", "full"],
      [3, expect.stringMatching(/^the request cannot be kept: .*BigInt/), "s1", "t1", "full"],
    ])
    expect(counts(recorder)[2]).toBe(0)
  })
})
