// A small record of one night, for tests of what asks a record: three refusals and a late delivery, then two requests
// of which the second lost the cache.
import { type Message, userMessage } from "../../src/core/model/message.ts"
import { saveUsage } from "../../src/record/ask/section-costs.ts"
import { saveReceipt } from "../../src/record/write/receipts.ts"
import { openRecord } from "../../src/record/write/record.ts"
import { openScope } from "../../src/record/write/scope.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { samplePrompt } from "../render/sample.ts"
import { clockAt, counting } from "./open.ts"

export const NIGHT_MODEL = "anthropic/claude-sonnet-5-5"

export async function writeNight(file: string, [first = "", ...rest]: readonly string[]): Promise<void> {
  const recorder = openRecord(file)
  const { now, pass } = clockAt("2026-11-15T01:47:00Z")
  const origin = { session: "abc", user: "alice", channel: "signal", trust: "full" } as const
  const message = openScope({ recorder, origin: { ...origin, trace: "m1" }, now, id: counting("s") }).open(
    "message_received",
  )
  const refused = message.with({ turn: first }).open("turn_started", { model: NIGHT_MODEL })
  for (const waitMs of [1000, 2000, 4000]) {
    refused.event("api_error", { model: NIGHT_MODEL, error: "rate limit", data: { status: 429, waitMs } })
    pass(waitMs)
  }
  pass(40_000)
  const price = {
    model: "claude-sonnet-5-5",
    input: 2,
    output: 10,
    read: 0.1,
    write: { "5m": 2.5 },
    estimated: false,
    source: "a test",
    date: "2026-11-15",
  }
  for (const [at, usage] of [
    { uncached: 10, read: 0, write: { "5m": 2000 }, output: 50 },
    { uncached: 2100, read: 0, write: {}, output: 60 },
  ].entries()) {
    const turn = rest[at] ?? ""
    const scope = message.with({ turn, step: 1 })
    scope.event("turn_started", { model: NIGHT_MODEL })
    const messages: readonly Message[] = [userMessage(`Question ${at + 1}.`)]
    const prompt = samplePrompt()
    const { request } = renderAnthropic(prompt, messages, {
      ...{ model: NIGHT_MODEL, maxTokens: 100 },
      withoutTail: true,
    })
    saveReceipt(recorder, {
      turn,
      step: 1,
      at: now(),
      session: "abc",
      trust: "full",
      model: NIGHT_MODEL,
      prompt,
      request,
    })
    const call = {
      ...origin,
      turn,
      step: 1,
      type: "api_call",
      at: now(),
      model: NIGHT_MODEL,
      usage,
      price,
      costUsd: 0.005 * (at + 1),
    } as const
    recorder.append(call)
    saveUsage(recorder, call)
    pass(60_000)
  }
  message.event("message_sent", { data: { length: 240 } })
  await recorder.close()
}
