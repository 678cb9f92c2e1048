// What Incipit adds to a step of a conversation: everything between the end of an answer and the next request, minus
// what the AI SDK alone takes for the same request. Thirty turns of six steps through the whole agent. The provider is
// a function that answers after a delay, during which the record is written, as with a real one. A local server, as in
// the agent's tests, would add its own time.

import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { jsonSchema, type ModelMessage, streamText, type ToolSet } from "ai"
import type { Model } from "../src/agent/models/model.ts"
import { openModel } from "../src/agent/models/models.ts"
import { sdkModel } from "../src/agent/models/sdk-model.ts"
import { openAgent } from "../src/agent/setup/open.ts"
import type { LiveEvent } from "../src/agent/turn/live-event.ts"
import type { RunnableTool } from "../src/tools/define-tool.ts"
import { checkTargets, formatMs, machine, median, printTable } from "./measure/measure.ts"

const TURNS = 30
const STEPS = 6
/** Real models take longer. The record writes within this time, as it does with them. */
const THINKING_MS = 300
const PAUSE_MS = 45_000
const MODEL = "anthropic/claude-sonnet-5-5"

/** The moments of a conversation, in order. */
interface Moment {
  readonly what: LiveEvent["kind"] | "message" | "request" | "answered" | "replied"
  readonly at: number
}

/** CPU milliseconds: other programs may be running on the machine. */
const usedMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let moments: Moment[] = []
const mark = (what: Moment["what"]) => moments.push({ what, at: usedMs() })

/** What Anthropic's API streams: a tool call, or text at the end of a turn. */
function streamOf(call: number): string {
  const isLast = call % STEPS === 0
  const block = isLast
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `call_${call}`, name: "tide", input: {} }
  const delta = isLast
    ? { type: "text_delta", text: `The 15:30 runs, by table ${call}.` }
    : { type: "input_json_delta", partial_json: JSON.stringify({ day: call }) }
  const usage = { input_tokens: 5, cache_read_input_tokens: 9_000, cache_creation_input_tokens: 300 }
  const message = { id: `msg_${call}`, type: "message", role: "assistant", model: "m", content: [], usage }
  const stop = { stop_reason: isLast ? "end_turn" : "tool_use" }
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: stop, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}

let calls = 0
let thinkingMs = 0
let requestBytes = 0
globalThis.fetch = async (_input, init) => {
  const body = String(init?.body)
  // Side requests are not part of a step.
  const isAside = !body.includes('"tools":')
  if (!isAside) {
    mark("request")
    calls += 1
    requestBytes = body.length
  }
  const text = streamOf(isAside ? STEPS : calls)
  await wait(thinkingMs)
  if (!isAside) mark("answered")
  return new Response(text, { headers: { "content-type": "text/event-stream" } })
}

/** Each result is a page of text. */
const tide: RunnableTool = {
  name: "tide",
  description: "The tides of a day.",
  parameters: { type: "object", properties: { day: { type: "number" } } },
  run: async (input) => `${JSON.stringify(input)}\n${"07:10 high 0.52 m, 13:25 low 0.11 m\n".repeat(30)}`,
}

const env = { ANTHROPIC_API_KEY: "none" }

async function converse(model: Model): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-bench-step-")))
  cpSync("examples/lighthouse", folder, { recursive: true })
  let clock = Date.UTC(2026, 5, 15, 7)
  const agent = await openAgent({
    ...{ workspace: folder, model, env, timeZone: "UTC", tools: [tide] },
    now: () => clock,
  })
  moments = []
  calls = 0
  for (let turn = 1; turn <= TURNS; turn += 1) {
    clock += PAUSE_MS
    mark("message")
    await agent.send(`Does the 15:30 run on day ${turn}, and if not, why?`, {
      tell: ({ kind }) => mark(kind),
    })
    mark("replied")
  }
  await agent.close()
  rmSync(folder, { recursive: true })
}

type Given = Parameters<ReturnType<typeof sdkModel>["doStream"]>[0]

/** The model, and every request it got in the conversation. */
function listening(model: Model): { readonly model: Model; readonly asked: Given[] } {
  const asked: Given[] = []
  const language: Model["language"] = (fetch) => {
    const real = sdkModel(model, fetch)
    return Object.create(real, {
      doStream: {
        value: (options: Given) => {
          if (options.tools !== undefined) asked.push(options)
          return real.doStream(options)
        },
      },
    })
  }
  return { model: { ...model, language }, asked }
}

/** The same requests through the SDK alone: until each is sent, and from its answer on. */
async function sdkAlone(model: Model, asked: readonly Given[]): Promise<readonly number[]> {
  const spent: number[] = []
  for (const { prompt, tools = [], maxOutputTokens } of asked) {
    const set: ToolSet = Object.fromEntries(
      tools.flatMap((tool) =>
        tool.type === "function"
          ? [[tool.name, { description: tool.description ?? "", inputSchema: jsonSchema(tool.inputSchema) }]]
          : [],
      ),
    )
    moments = []
    const start = usedMs()
    const { fullStream } = streamText({
      model: sdkModel(model, (...given) => fetch(...given)),
      // The SDK's own prompt is valid input for it.
      messages: prompt as ModelMessage[],
      tools: set,
      allowSystemInMessages: true,
      maxRetries: 0,
      // Real users want to be able to stop it.
      abortSignal: new AbortController().signal,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    })
    for await (const _part of fullStream);
    const [sent, answered] = moments
    spent.push(usedMs() - start - ((answered?.at ?? 0) - (sent?.at ?? 0)))
  }
  return spent
}

/** Milliseconds from each moment of one kind to the next of another; skipped if a third kind comes in between. */
function times(from: Moment["what"], to: Moment["what"], unless?: Moment["what"]): readonly number[] {
  return moments.flatMap(({ what, at }, index) => {
    if (what !== from) return []
    const next = moments.slice(index + 1).find((moment) => moment.what === to || moment.what === unless)
    return next?.what === to ? [next.at - at] : []
  })
}

/** Every step but the last of a turn has one call. */
function withoutTools(steps: readonly number[], tools: readonly number[]): readonly number[] {
  return steps.map((ms, at) => ms - (tools[at] ?? 0))
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

const { model, asked } = listening(await openModel(MODEL, { env, config: {} }))
// Once to warm up, like an agent that runs for days.
await converse(model)
asked.length = 0
thinkingMs = THINKING_MS
await converse(model)
const kept = times("tool-finished", "step-started")
const beside = times("request", "answered")
const whole = withoutTools(times("answered", "request", "replied"), times("tool-started", "tool-finished"))
const opened = times("message", "request")
const closed = times("step-finished", "replied", "request")
const alone = await sdkAlone(
  model,
  asked.filter((_request, at) => at % STEPS !== 0),
)
/** Each step minus the SDK alone with the same request. */
const added = whole.map((ms, at) => ms - (alone[at] ?? 0))

console.log(`## What Incipit adds to a step: ${machine()}\n`)
console.log(
  `${TURNS} turns of ${STEPS} steps on the sample workspace, the last request of ${Math.round(requestBytes / 1000)} kB.\n`,
)
const row = (name: string, values: readonly number[]) => [
  name,
  formatMs(median(values)),
  formatMs(p99(values)),
]
printTable(
  ["what", "median", "p99"],
  [
    row("from an answer to the next request, without the tool", whole),
    row("of it, results kept and the prompt compiled", kept),
    row("the AI SDK alone, with the same request", alone),
    row("**what Incipit adds to a step**", added),
    row("beside the turn, while the model thinks: the record is written", beside),
    row("a turn: from the message to its first request", opened),
    row("a turn: from the last answer until everything is written", closed),
  ],
)
const middle = median(added)
checkTargets([
  { what: "what a step adds, median", bound: "under 2 ms", measured: formatMs(middle), holds: middle < 2 },
])
