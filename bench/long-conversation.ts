// What a message costs early and late in a long conversation: CPU time for a whole turn, including the record, and
// memory. The provider is a function that answers at once, so all of the time belongs to Incipit and the AI SDK.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { openModel } from "../src/agent/models/models.ts"
import { openAgent } from "../src/agent/setup/open.ts"
import { machine, median, printTable } from "./measure/measure.ts"

const MESSAGES = 550
const AT = [50, 140, 300, 500] as const
const AROUND = 25
const PAUSE_MS = 45_000

function streamOf(call: number): string {
  const usage = { input_tokens: 5, cache_read_input_tokens: 9_000, cache_creation_input_tokens: 300 }
  const message = { id: `msg_${call}`, type: "message", role: "assistant", model: "m", content: [], usage }
  const text = `The 15:30 runs, by table ${call}. ${"The wind is fair, and the winch is mended. ".repeat(10)}`
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}

let calls = 0
let bytes = 0
globalThis.fetch = async (_input, init) => {
  calls += 1
  bytes = String(init?.body).length
  return new Response(streamOf(calls), { headers: { "content-type": "text/event-stream" } })
}

const usedMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-bench-long-")))
cpSync("examples/lighthouse", join(folder, "workspace"), { recursive: true })
const env = { ANTHROPIC_API_KEY: "none" }
const model = await openModel("anthropic/claude-sonnet-5-5", { env, config: {} })
let clock = Date.UTC(2026, 5, 15, 7)
const agent = await openAgent({
  ...{ workspace: join(folder, "workspace"), state: join(folder, "state"), model, env, timeZone: "UTC" },
  now: () => clock,
})
const spent: number[] = []
const sizes: number[] = []
for (let message = 1; message <= MESSAGES; message += 1) {
  clock += PAUSE_MS
  const before = usedMs()
  await agent.send(
    `Does the 15:30 run on day ${message}, and if not, why? ${"Please look closely. ".repeat(20)}`,
  )
  spent.push(usedMs() - before)
  sizes.push(bytes)
}
await agent.close()
rmSync(folder, { recursive: true })

console.log(`## A message in a long conversation: ${machine()}\n`)
printTable(
  ["after messages of the user", "request", "processor for one message, median of 50"],
  AT.map((at) => [
    String(at),
    `${Math.round((sizes[at] ?? 0) / 1024)} KB`,
    `${median(spent.slice(at - AROUND, at + AROUND)).toFixed(1)} ms`,
  ]),
)
console.log(`\nMemory at the end: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB.`)
