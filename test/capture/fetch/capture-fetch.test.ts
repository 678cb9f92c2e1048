// A `fetch` that keeps calls, in the official SDKs.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { captureFetch } from "../../../src/capture/fetch/capture-fetch.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { openRecord, type Recorder } from "../../../src/record/write/record.ts"
import { type Provider, startProvider } from "../../adapters/provider.ts"

let folder: string
let record: Recorder
let provider: Provider

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "incipit-fetch-"))
  record = openRecord(join(folder, "record.db"), {})
  provider = await startProvider()
})

afterEach(async () => {
  await record.close()
  await provider.close()
  rmSync(folder, { recursive: true })
})

function capturing() {
  const calls: CapturedCall[] = []
  const problems: Error[] = []
  const fetch = captureFetch(record, {
    onCall: (call) => calls.push(call),
    onProblem: (problem) => problems.push(problem),
  })
  return { fetch, calls, problems }
}

const messages = [{ role: "user" as const, content: "Please answer: is the ferry in?" }]

test("Anthropic's SDK, whole and streamed: the requests are kept as they were sent, with what was used", async () => {
  const { fetch, calls, problems } = capturing()
  const client = new Anthropic({ baseURL: provider.url, apiKey: "none", fetch })
  const given = { model: "claude-sonnet-5-5", max_tokens: 100, messages }
  const whole = await client.messages.create(given)
  const events: string[] = []
  for await (const event of client.messages.stream(given)) events.push(event.type)
  await fetch.settled()
  expect(problems).toEqual([])
  expect(whole.content).toEqual([{ type: "text", text: "All right." }])
  expect(events.at(-1)).toBe("message_stop")
  expect(calls.map(({ request }) => request)).toEqual(provider.calls.map(({ body }) => body))
  expect(calls.map(({ usage }) => usage)).toEqual(provider.calls.map(({ usage }) => usage))
  await record.flush()
  const stored = await record.read((store) => replay(store, calls[1]?.id ?? ""))
  expect(stored?.request).toEqual(provider.calls[1]?.body)
})

test("OpenAI's SDK: both APIs, and other requests just pass", async () => {
  const { fetch, calls } = capturing()
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "none", maxRetries: 0, fetch })
  const input = "Please answer: is the ferry in?"
  const { output_text } = await client.responses.create({ model: "gpt-5.2", input })
  const stream = await client.chat.completions.create({ model: "gpt-5.2", messages, stream: true })
  let said = ""
  for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ""
  await expect(client.models.list()).rejects.toThrow("refused with 404")
  await fetch.settled()
  expect([output_text, said]).toEqual(["All right.", "All right."])
  expect(calls.map(({ format, coverage }) => [format, coverage])).toEqual([
    ["openai-responses", "exact"],
    ["openai-chat", "exact"],
  ])
})

test("a refused call is an error in the record and in the program", async () => {
  const { fetch, calls } = capturing()
  const client = new Anthropic({ baseURL: provider.url, apiKey: "none", maxRetries: 0, fetch })
  provider.failNext(400)
  await expect(
    client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 100, messages }),
  ).rejects.toThrow(Anthropic.BadRequestError)
  await fetch.settled()
  await record.flush()
  const events = await record.read((store) => queryEvents(store, {}))
  expect(calls).toEqual([])
  expect(events.map(({ type, error }) => [type, error])).toEqual([["api_error", "refused with 400"]])
})

test("a program that stops reading has paid for the input all the same", async () => {
  const { fetch, calls, problems } = capturing()
  const body = JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 100, messages, stream: true })
  const { body: answer } = await fetch(`${provider.url}/v1/messages`, { method: "POST", body })
  const reader = answer?.getReader()
  await reader?.read()
  await reader?.cancel()
  await fetch.settled()
  expect(problems).toEqual([])
  const inputs = ({ usage: { uncached, read, write } }: { usage: CapturedCall["usage"] }) => ({
    uncached,
    read,
    write,
  })
  expect(calls.map(inputs)).toEqual(provider.calls.map(inputs))
})

test("metadataOnly keeps no text", async () => {
  const fetch = captureFetch(record, { metadataOnly: true })
  const client = new Anthropic({ baseURL: provider.url, apiKey: "none", fetch })
  const { id } = await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 100, messages })
  await fetch.settled()
  await record.flush()
  const stored = await record.read((store) => replay(store, id))
  expect(stored).toBeDefined()
  expect(JSON.stringify(stored)).not.toContain("ferry")
})
