// What one call makes of a model's stream: providers that reuse ids, leave out beginnings or ends, or ignore that they
// are stopped.
import type {
  LanguageModelV4,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { Model } from "../../../../src/agent/models/model.ts"
import { callModel, ModelFailure } from "../../../../src/agent/turn/provider/call.ts"
import { createSecrets } from "../../../../src/record/redact/secrets.ts"

type Part = LanguageModelV4StreamPart

const START: Part = { type: "stream-start", warnings: [{ type: "other", message: "a setting was left out" }] }
const FINISH: Part = {
  type: "finish",
  finishReason: { unified: "stop", raw: "end_turn" },
  usage: {
    inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 2, text: 2, reasoning: 0 },
  },
}

const text = (id: string, ...deltas: readonly string[]): readonly Part[] => [
  { type: "text-start", id },
  ...deltas.map((delta): Part => ({ type: "text-delta", id, delta })),
  { type: "text-end", id },
]

function modelWith(doStream: LanguageModelV4["doStream"]): Model {
  const doGenerate = () => Promise.reject(new Error("not used"))
  const facts = { specificationVersion: "v4", provider: "own", modelId: "own-1", supportedUrls: {} } as const
  // A call needs nothing else of a model.
  return { language: () => ({ ...facts, doStream, doGenerate }) } as Partial<Model> as Model
}

function streamOf(parts: readonly Part[], { isEnding = true } = {}): Promise<LanguageModelV4StreamResult> {
  const stream = new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      if (isEnding) controller.close()
    },
  })
  return Promise.resolve({ stream })
}

async function ask(model: Model, { signal = new AbortController().signal, idleMs = 60_000 } = {}) {
  const told: string[] = []
  const call = {
    ...{ model, tools: [], signal, idleMs, secrets: createSecrets(), sent: () => {} },
    request: {
      instructions: [],
      messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello?" }] }],
      toolOrder: [],
    },
    tell: (piece: { readonly kind: string; readonly text: string }) =>
      told.push(`${piece.kind}: ${piece.text}`),
  }
  const answer = await callModel(call).catch((error: unknown) => error)
  if (!(answer instanceof ModelFailure)) return { answer, told }
  const { kind, message, parts } = answer
  return { failure: `${kind}: ${message}`, parts, told }
}

const say = (...parts: readonly Part[]) => ask(modelWith(() => streamOf([START, ...parts])))

test("texts that use the same id stay apart, and empty pieces are left out", async () => {
  const names: Part = { type: "response-metadata", id: "r1", modelId: "own-1-large" }
  expect(await say(names, ...text("0", "One", "", "."), ...text("0", "Two."), FINISH)).toMatchObject({
    answer: {
      parts: [
        { kind: "text", text: "One." },
        { kind: "text", text: "Two." },
      ],
      ...{ finish: "stop", usage: { inputTokens: 7, outputTokens: 2 } },
      response: { id: "r1", model: "own-1-large" },
      warnings: ['{"type":"other","message":"a setting was left out"}'],
    },
    told: ["text: One", "text: .", "text: Two."],
  })
})

test("an answer without names of its own has the name of the model", async () => {
  expect(await say(...text("0", "One."), FINISH)).toMatchObject({ answer: { response: { model: "own-1" } } })
})

test("what is missing in a stream is a failure, with what had arrived", async () => {
  const delta: Part = { type: "text-delta", id: "0", delta: "more" }
  const found = {
    nothing: await say(),
    "no words": await say({ type: "text-start", id: "0" }),
    "no end": await say(...text("0", "One.")),
    "no beginning": await say(delta, FINISH),
    "after the end": await say(...text("0", "One."), delta, FINISH),
    error: await say(...text("0", "One."), {
      type: "error",
      error: { type: "rate_limit", message: "Slow down" },
    }),
    overloaded: await say({ type: "error", error: { message: "Overloaded" } }),
  }
  expect(found).toMatchInlineSnapshot(`
    {
      "after the end": {
        "failure": "cut: text part 0 not found",
        "parts": [
          {
            "kind": "text",
            "text": "One.more",
          },
        ],
        "told": [
          "text: One.",
          "text: more",
        ],
      },
      "error": {
        "failure": "overloaded: Slow down",
        "parts": [
          {
            "kind": "text",
            "text": "One.",
          },
        ],
        "told": [
          "text: One.",
        ],
      },
      "no beginning": {
        "failure": "cut: text part 0 not found",
        "parts": [
          {
            "kind": "text",
            "text": "more",
          },
        ],
        "told": [
          "text: more",
        ],
      },
      "no end": {
        "failure": "cut: the answer was cut off",
        "parts": [
          {
            "kind": "text",
            "text": "One.",
          },
        ],
        "told": [
          "text: One.",
        ],
      },
      "no words": {
        "failure": "cut: No output generated. The model stream ended without a finish chunk.",
        "parts": [],
        "told": [],
      },
      "nothing": {
        "failure": "cut: No output generated. The model stream ended without a finish chunk.",
        "parts": [],
        "told": [],
      },
      "overloaded": {
        "failure": "overloaded: 503: Overloaded",
        "parts": [],
        "told": [],
      },
    }
  `)
})

test("a model that ignores the signal is left when it is stopped, before its answer and within it", async () => {
  const late = Promise.withResolvers<LanguageModelV4StreamResult>()
  const [first, second] = [new AbortController(), new AbortController()]
  const opening = ask(
    modelWith(() => late.promise),
    { signal: first.signal },
  )
  const talking = ask(
    modelWith(() => streamOf([START, ...text("0", "One.")], { isEnding: false })),
    {
      signal: second.signal,
    },
  )
  await new Promise(setImmediate)
  first.abort()
  second.abort()
  expect(await opening).toEqual({ failure: "stopped: no answer was written yet", parts: [], told: [] })
  expect(await talking).toEqual({
    failure: "stopped: no answer was written yet",
    ...{ parts: [{ kind: "text", text: "One." }], told: ["text: One."] },
  })
  const closed = Promise.withResolvers<void>()
  late.resolve({ stream: new ReadableStream<Part>({ cancel: () => closed.resolve() }) })
  await closed.promise
})

test("a model that falls silent is left after the longest silence", async () => {
  const silent = modelWith(() => streamOf([START, ...text("0", "One.")], { isEnding: false }))
  expect(await ask(silent, { idleMs: 20 })).toMatchObject({
    failure: "timeout: the model stopped responding",
    parts: [{ kind: "text", text: "One." }],
  })
})
