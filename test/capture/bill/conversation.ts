// Conversations of our own making in the shape of a coding agent's requests, with changes at known places, and what a
// provider's cache would report for them. Text is invented.
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureFile, CaptureReader } from "../../../src/capture/clients/reader.ts"
import { createToSimulatedCall } from "../../../src/capture/split/simulated-call.ts"
import { createSplitter } from "../../../src/capture/split/splitter.ts"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { type Price, ratesFor, type Usage } from "../../../src/render/cache/price.ts"
import { createSimulator } from "../../../src/render/cache/simulate.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

export const MODEL = "claude-sonnet-4-5"
export const START = Date.UTC(2026, 10, 9, 8, 0, 0)
export const MINUTE = 60_000

export const PRICE: Price = {
  model: MODEL,
  ...{ input: 3, output: 15, read: 0.3, write: { "5m": 3.75, "1h": 6 } },
  ...{ estimated: false, source: "invented", date: "2026-11-01" },
}
export const priceOf = () => PRICE

/** One call before it is sent. */
export interface Draft {
  readonly at: number
  readonly model: string
  readonly tools: readonly string[]
  readonly system: string
  readonly instructions: string
  /** What was asked, run and answered so far. */
  readonly steps: readonly Step[]
  readonly ttl: string
}

export interface Step {
  readonly ask: string
  readonly command: string
  readonly result: string
}

export function lines(name: string, count: number, from = 1): string {
  return Array.from(
    { length: count },
    (_, at) => `${name} keeps rule number ${at + from} in its own words.`,
  ).join("\n")
}

export function step(number: number, size = 30): Step {
  return {
    ask: `Please do task ${number}, then tell me what you found.`,
    command: `make task-${number}`,
    result: lines(`Result ${number}`, size),
  }
}

export const FIRST: Draft = {
  at: START,
  model: MODEL,
  tools: ["Bash", "Read", "mcp__tides__list", "mcp__tides__get"],
  system: lines("The agent", 100),
  instructions: lines("The project", 40),
  steps: [step(0)],
  ttl: "5m",
}

/** Calls a minute apart, each with one step more; `change` may change what is sent from some call on. */
export function drafts(
  count: number,
  change: (draft: Draft, number: number) => Draft = (draft) => draft,
  first: Draft = FIRST,
): readonly Draft[] {
  return Array.from({ length: count }, (_, at) =>
    change(
      {
        ...first,
        at: first.at + at * MINUTE,
        steps: [...first.steps, ...Array.from({ length: at }, (_step, index) => step(index + 1))],
      },
      at,
    ),
  )
}

function requestOf({ model, tools, system, instructions, steps, ttl }: Draft): JsonObject {
  const mark = { cache_control: { type: "ephemeral", ttl } }
  const messages = steps.flatMap(({ ask, command, result }, at) => {
    const id = `toolu_${at}`
    return [
      {
        role: "user",
        content: [
          ...(at === 0 ? [{ type: "text", text: instructions }] : []),
          { type: "text", text: ask, ...(at === steps.length - 1 && mark) },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
      { role: "assistant", content: [{ type: "text", text: `Done with step ${at}.` }] },
    ]
  })
  return {
    model,
    max_tokens: 1000,
    tools: tools.map((name) => ({
      name,
      description: `What ${name} does. ${lines(name, 3)}`,
      input_schema: { type: "object", properties: { command: { type: "string" } } },
    })),
    system: [{ type: "text", text: system, ...mark }],
    // The last step has not been answered yet.
    messages: messages.slice(0, -3),
  }
}

export interface CallsOptions {
  readonly session?: string
  readonly thread?: string
  readonly coverage?: CapturedCall["coverage"]
  readonly output?: number
  readonly project?: string
}

/** What a provider with the model's rule would have reported. */
export function callsOf(sent: readonly Draft[], options: CallsOptions = {}): readonly CapturedCall[] {
  const {
    session = "s1",
    thread = "main",
    coverage = "exact",
    output = 50,
    project = "/work/tides",
  } = options
  return sent.map((draft, at) => ({
    id: `${session}-${thread}-${at}`,
    client: "claude-code",
    session,
    project,
    at: draft.at,
    model: draft.model,
    usage: { ...(simulated(sent)[at] ?? EMPTY), output },
    thread,
    format: "anthropic",
    coverage,
    ...(coverage !== "none" && { request: requestOf(draft) }),
    files: [],
  }))
}

const EMPTY: Usage = { uncached: 0, read: 0, write: {}, output: 0 }
const memory = new WeakMap<readonly Draft[], readonly Usage[]>()

/** Of each call, by the simulator. */
export function simulated(sent: readonly Draft[]): readonly Usage[] {
  const known = memory.get(sent)
  if (known !== undefined) return known
  const split = createSplitter({ counter: o200k })
  const toCall = createToSimulatedCall({ counter: o200k })
  const next = createSimulator({ rule: ruleFor(MODEL) })
  const usages = sent.map((draft) => {
    const parts = split(requestOf(draft), "anthropic")
    const call = { at: draft.at, model: draft.model, usage: EMPTY }
    return next(toCall(call, parts), { rule: ruleFor(draft.model) }).usage
  })
  memory.set(sent, usages)
  return usages
}

/** US dollars of the input of a usage. */
export function inputUsd({ uncached, read, write }: Usage, price = PRICE): number {
  const rates = ratesFor(price, 0)
  const written = Object.entries(write).reduce(
    (sum, [ttl, tokens]) => sum + tokens * (rates.write?.[ttl] ?? 0),
    0,
  )
  return (uncached * rates.input + read * (rates.read ?? 0) + written) / 1_000_000
}

/** A reader of calls that are already there, one list for each file. */
export function readerOf(files: Readonly<Record<string, readonly CapturedCall[]>>): CaptureReader {
  const callsIn = (file: CaptureFile) => files[file.path] ?? []
  const found = Object.keys(files).map((path, at): CaptureFile => {
    const last = Math.max(0, ...(files[path] ?? []).map((call) => call.at))
    return { client: "claude-code", path, bytes: 1000 * (at + 1), changedAt: last }
  })
  async function* read(file: CaptureFile) {
    for (const [at, call] of callsIn(file).entries()) yield { kind: "call", call, after: at } as const
  }
  return {
    client: "claude-code",
    title: "Claude Code",
    folders: () => ["/home/ada/.claude"],
    files: async () => found,
    usage: read,
    calls: read,
  }
}
