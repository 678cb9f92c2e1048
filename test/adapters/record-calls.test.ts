// Calls of a chat in a host as rows and receipts of a record.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAnthropic } from "@ai-sdk/anthropic"
import { generateText, streamText, wrapLanguageModel } from "ai"
import { expect, onTestFinished, test } from "vitest"
import { openChat } from "../../src/adapters/ai-sdk/open-chat.ts"
import { recordCalls } from "../../src/adapters/host/record-calls.ts"
import { costs } from "../../src/record/ask/cost.ts"
import { queryEvents } from "../../src/record/ask/logs.ts"
import { replay } from "../../src/record/ask/replay.ts"
import { whyMiss } from "../../src/record/ask/why-miss.ts"
import { openRecord } from "../../src/record/write/record.ts"
import { ADA, harbour } from "./harbour.ts"
import { startProvider } from "./provider.ts"

test("each call is in the record: its bytes, what it used, and what each section cost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-calls-"))
  const provider = await startProvider()
  const record = openRecord(join(folder, "record.db"), {})
  onTestFinished(async () => {
    await record.close()
    await provider.close()
    rmSync(folder, { recursive: true })
  })
  const chat = openChat(harbour, ADA, {
    turn: ({ turn }) => ({ now: `8:0${turn}` }),
    onCall: recordCalls(record),
  })
  const anthropic = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: "none" })
  const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5-5"), middleware: chat.middleware })
  const first = await generateText({ model, prompt: "Please answer: first" })
  const second = streamText({
    model,
    messages: [
      { role: "user", content: "Please answer: first" },
      { role: "assistant", content: first.text },
      { role: "user", content: "Please answer: second" },
    ],
  })
  expect(await second.text).toBe("All right.")
  await record.flush()
  const events = await record.read((store) => queryEvents(store, { order: "oldest" }))
  expect(
    events.map(({ type, session, step, model: of, usage }) => ({ type, session, step, of, usage })),
  ).toEqual(
    provider.calls.map(({ usage }) => ({
      type: "api_call",
      session: "ada",
      step: 1,
      of: "anthropic/claude-sonnet-5-5",
      usage,
    })),
  )
  for (const [at, { turn = "" }] of events.entries()) {
    const stored = await record.read((store) => replay(store, turn))
    expect(stored?.request).toEqual(provider.calls[at]?.body)
  }
  const sections = await record.read((store) => costs(store, { by: "section", timeZone: "UTC" }))
  expect(sections.rows.map(({ key }) => key)).toEqual(expect.arrayContaining(["rules", "base", "clock"]))
  expect((await record.read((store) => whyMiss(store, events[1]?.turn ?? "")))?.cause.kind).toBe("hit")
})
