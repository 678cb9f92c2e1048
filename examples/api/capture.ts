// Every name of `incipit/capture` in use: calls of an SDK, and of a chat in a host, in one record.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAnthropic } from "@ai-sdk/anthropic"
import Anthropic from "@anthropic-ai/sdk"
import { generateText, wrapLanguageModel } from "ai"
import { definePrompt, text } from "incipit"
import { openChat } from "incipit/ai-sdk"
import { type CaptureFetchOptions, captureFetch, recordCalls } from "incipit/capture"
import { costs, openRecord, queryEvents } from "incipit/record"
import { startMessagesServer } from "../programs/messages-server.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-"))
const record = openRecord(join(folder, "record.db"), {})
const server = await startMessagesServer(() => [{ type: "text", text: "The Margareta is in." }])

// Any SDK that takes a `fetch`. What passes is not changed; calls are kept when their answers have been read.
const options: CaptureFetchOptions = { onCall: ({ model, usage }) => console.log(model, usage.output) }
const fetch = captureFetch(record, options)
const client = new Anthropic({ baseURL: server.url, apiKey: "none", fetch })
const content = [{ type: "text" as const, text: "Who is in?" }]
const messages = [{ role: "user" as const, content }]
await client.messages.create({ model: "claude-sonnet-5-5", max_tokens: 100, messages })
await fetch.settled()

// A chat in a host knows its sections, too, so that their costs can be told apart.
const harbour = definePrompt({ sections: { base: text("You are the harbour master.") } })
const chat = openChat(harbour, { id: "ada" }, { onCall: recordCalls(record) })
const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "none" })
const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5-5"), middleware: chat.middleware })
await generateText({ model, prompt: "Who is in?" })

await record.flush()
const events = await record.read((store) => queryEvents(store, {}))
console.log(events.length, "calls")
const report = await record.read((store) => costs(store, { by: "section", timeZone: "UTC" }))
console.log(report.rows.some(({ key }) => key === "base"))

await server.close()
await record.close()
rmSync(folder, { recursive: true })
