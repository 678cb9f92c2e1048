// What receipts take in the file, and that saving one neither waits nor throws.
import { describe, expect, test } from "vitest"
import { attach } from "../../../src/core/layout/tail.ts"
import type { Message } from "../../../src/core/model/message.ts"
import { userMessage } from "../../../src/core/model/message.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import { optionsFor, RENDERERS, samplePrompt } from "../../render/sample.ts"
import { inFile } from "../in-file.ts"
import { FACTS, openTemporary, save, stepMessages } from "../receipt-folder.ts"

/** Pages in use, so that neither the log nor free pages count. */
function bytesOf(recorder: Recorder): number {
  return inFile(recorder, (database) => {
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((name) =>
      Number(database.get(`PRAGMA ${name}`)?.[name]),
    )
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0)
  })
}

/** As long as real ones are. */
const uuid = (at: number) => `0b2f6c5e-3d1a-4c8e-9f7a-${`${at * 7919}`.padStart(12, "0")}`

describe("growth of the file", () => {
  test.each(RENDERERS)("$name: an unchanged prompt adds under 300 bytes", async ({ render, model }) => {
    const recorder = openTemporary()
    const prompt = samplePrompt()
    const { request } = render(prompt, attach([userMessage("Hello.")], prompt.tail), optionsFor(model))
    const facts = { ...FACTS, model, prompt, request, session: uuid(0) }
    await save(recorder, { ...facts, turn: uuid(1) })
    const before = bytesOf(recorder)
    for (let at = 2; at <= 1_001; at += 1) saveReceipt(recorder, { ...facts, turn: uuid(at) })
    await recorder.flush()
    expect((bytesOf(recorder) - before) / 1_000).toBeLessThan(300)
  })

  test.each(RENDERERS.filter(({ notSupported }) => !notSupported.conversation))(
    "$name: a step of two messages adds little more than their texts",
    async ({ render, model }) => {
      const recorder = openTemporary()
      const prompt = samplePrompt()
      let messages: readonly Message[] = attach([userMessage("Hello.")], prompt.tail)
      const saveStep = (step: number) => {
        const { request } = render(prompt, messages, optionsFor(model))
        saveReceipt(recorder, { ...FACTS, model, prompt, request, session: uuid(0), turn: uuid(1), step })
      }
      saveStep(0)
      await recorder.flush()
      const before = bytesOf(recorder)
      let texts = 0
      for (let step = 1; step <= 200; step += 1) {
        const added = stepMessages(`c${step}`, `Result ${step} is ${Math.sin(step)}.`)
        messages = [...messages, ...added]
        texts += JSON.stringify(added).length
        saveStep(step)
      }
      await recorder.flush()
      expect((bytesOf(recorder) - before - texts) / 200).toBeLessThan(1_000)
    },
  )

  test("a changed tool adds itself, not those around it", async () => {
    const recorder = openTemporary()
    const sample = RENDERERS[0]!
    const saved = async (step: number, tools: number) => {
      const prompt = samplePrompt(
        {},
        { tools: Array.from({ length: 40 }, (_, at) => tool(at, at === tools)) },
      )
      const { request } = sample.render(
        prompt,
        attach([userMessage("Hi.")], prompt.tail),
        optionsFor(sample.model),
      )
      await save(recorder, { prompt, request, step })
      return inFile(recorder, (database) =>
        Number(database.get("SELECT sum(length(body)) AS sum FROM texts")?.sum),
      )
    }
    const tool = (at: number, changed: boolean) => ({
      name: `tool_${at}`,
      description: `${at} ${changed}. ${Array.from({ length: 40 }, (_, n) => Math.sin(at + n / 7)).join(" ")}`,
      parameters: { type: "object" },
    })
    const first = await saved(1, -1)
    const second = await saved(2, 20)
    expect(second - first).toBeLessThan(first / 5)
  })
})

describe("saving", () => {
  test("copies the request: what its owner does with it later is not in the receipt", async () => {
    const recorder = openTemporary()
    const messages = ["one"]
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: { messages } })
    messages.push("two")
    await recorder.flush()
    expect((await recorder.read((store) => replay(store, "t1")))?.request).toEqual({ messages: ["one"] })
  })

  test("a request that is no JSON makes a diagnostic, and costs nothing else", async () => {
    const recorder = openTemporary()
    const cycle: unknown[] = []
    cycle.push(cycle)
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: { cycle } })
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: { big: 1n } })
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: undefined })
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: "the key is hunter2" })
    await save(recorder, { step: 2, request: { messages: [] } })
    expect(recorder.health().dropped).toBe(0)
    const rows = inFile(recorder, (database) => database.all("SELECT event_type, error FROM events"))
    expect(rows.map(({ event_type }) => event_type)).toEqual(Array(4).fill("diagnostic"))
    for (const { error } of rows) expect(error).toMatch(/^the request cannot be kept: (?!.*hunter2)/)
    expect((await recorder.read((store) => replay(store, "t1")))?.request).toEqual({ messages: [] })
  })

  test("the redactor sees a text once, however long the conversation grows", async () => {
    const seen: string[] = []
    const redact = async (texts: readonly string[]) => {
      seen.push(...texts)
      return texts
    }
    const recorder = openTemporary({ redact })
    const messages = Array.from({ length: 50 }, (_, at) => `message number ${at}`)
    for (let step = 1; step <= 50; step += 1)
      await save(recorder, { step, request: { messages: messages.slice(0, step) } })
    expect(seen.filter((text) => text === "message number 7")).toHaveLength(1)
    for (const text of messages) expect(seen).toContain(text)
  })
  test("a short secret that only a custom pattern finds is in no receipt", async () => {
    const recorder = openTemporary({ redact: createRedactor({ patterns: ["hunter2"] }) })
    await save(recorder, { request: { messages: ["hunter2"] } })
    expect((await recorder.read((store) => replay(store, "t1")))?.request).toEqual({
      messages: ["[redacted:own]"],
    })
  })
})
