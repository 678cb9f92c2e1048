// What a receipt costs: time in the turn, time when the queue is written, and bytes in the file, for a long session.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Message, userMessage } from "../../src/core/model/message.ts"
import { replay } from "../../src/record/ask/replay.ts"
import { whyMiss } from "../../src/record/ask/why-miss.ts"
import { saveReceipt } from "../../src/record/write/receipts.ts"
import { openRecord } from "../../src/record/write/record.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { inFile } from "../../test/record/in-file.ts"
import { optionsFor, sampleMessages, samplePrompt } from "../../test/render/sample.ts"
import { checkTargets, machine, printTable } from "../measure/measure.ts"

const STEPS = 600
const folder = mkdtempSync(join(tmpdir(), "incipit-bench-receipts-"))
const recorder = openRecord(join(folder, "record.db"))
const prompt = samplePrompt()
const model = "anthropic/claude-sonnet-5-5"
const words = (seed: number) =>
  Array.from({ length: 250 }, (_, at) =>
    Math.floor(Math.abs(Math.sin(seed * 997 + at)) * 1e6).toString(36),
  ).join(" ")
let messages: readonly Message[] = [...sampleMessages(prompt), userMessage("Continue.")]
/** CPU milliseconds, for work beside the turn: other programs may be running on the machine. */
const used = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
const saved: number[] = []
const flushed: number[] = []
let texts = 0
let request = ""
for (let step = 0; step < STEPS; step += 1) {
  const id = `call-${step}`
  const text = words(step)
  texts += text.length
  messages = [
    ...messages,
    { role: "assistant", parts: [{ kind: "tool-call", id, name: "ask", input: { step } }] },
    { role: "user", parts: [{ kind: "tool-result", id, text }] },
  ]
  // The sender of a request has its JSON anyway.
  request = JSON.stringify(renderAnthropic(prompt, messages, optionsFor(model)).request)
  const start = performance.now()
  saveReceipt(recorder, { turn: "t", step, at: step, session: "s", trust: "full", model, prompt, request })
  saved.push(performance.now() - start)
  const queued = used()
  await recorder.flush()
  flushed.push(used() - queued)
}
const timed = async (run: () => Promise<unknown>) => {
  const start = used()
  await run()
  return used() - start
}
const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(2)
const [early, late] = [flushed.slice(50, 100), flushed.slice(-50)]
const pages = inFile(recorder, (database) => Number(database.get("PRAGMA page_count")?.page_count) * 4096)
const shown = await timed(() => recorder.read((store) => replay(store, "t")))
const sent = await timed(() => recorder.read((store) => whyMiss(store, "t", STEPS - 1)))
console.log(`## Receipts of a session of ${STEPS} steps: ${machine()}\n`)
printTable(
  ["what", "measured"],
  [
    ["the last request", `${(request.length / 1024).toFixed(0)} KB, ${messages.length} messages`],
    ["on the turn, p50 and p99", `${at(saved, 0.5)} ms, ${at(saved, 0.99)} ms`],
    ["when it is written, p50 and p99, of the processor", `${at(flushed, 0.5)} ms, ${at(flushed, 0.99)} ms`],
    ["the same after 100 messages, p50 of 50 steps", `${at(early, 0.5)} ms`],
    [`the same after ${messages.length - 100} messages`, `${at(late, 0.5)} ms`],
    ["bytes in the file for a step, beyond its new texts", ((pages - texts) / STEPS).toFixed(0)],
    ["replay of the last step", `${shown.toFixed(1)} ms`],
    ["why-miss of the last step", `${sent.toFixed(1)} ms`],
  ],
)
const slowest = Number(at(saved, 0.99))
const growth = Number(at(late, 0.5)) / Number(at(early, 0.5))
checkTargets([
  {
    what: "a receipt in a conversation ten times as long",
    bound: "under 1.5 times the time of the processor",
    measured: `${growth.toFixed(2)} times`,
    holds: growth < 1.5,
  },
  { what: "a receipt on the turn, p99", bound: "under 1 ms", measured: `${slowest} ms`, holds: slowest < 1 },
])
await recorder.close()
rmSync(folder, { recursive: true, force: true })
