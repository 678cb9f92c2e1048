import { expect, test } from "vitest"
import { createEnricher, type Enrichment } from "../../../src/agent/feeds/enrich.ts"
import { leavesOpenQuestion, swallowNoise } from "../../../src/agent/feeds/noise.ts"
import type { Signal } from "../../../src/signal/signal.ts"

const SIGNAL: Signal = { mode: "analyze", genre: "decide", type: "report", format: "message", weight: 0.4 }

test("the model's signal is there when it is there, and nobody waits for it", async () => {
  const answer = Promise.withResolvers<Signal | undefined>()
  const told: Enrichment[] = []
  const enricher = createEnricher({ classify: () => answer.promise, tell: (one) => told.push(one) })
  enricher.start("Look at it")
  enricher.start("Look at it")
  expect([enricher.signal("Look at it"), told]).toEqual([undefined, []])
  answer.resolve(SIGNAL)
  await enricher.settled()
  expect([enricher.signal("Look at it"), enricher.signal("Look at that"), told]).toEqual([
    SIGNAL,
    undefined,
    [{ kind: "classified", message: "Look at it", signal: SIGNAL }],
  ])
})

test("a failure is reported as data, and so is what there was no room for", async () => {
  const told: Enrichment[] = []
  const answers: Readonly<Record<string, () => Promise<Signal | undefined>>> = {
    refused: () => Promise.reject(new Error("no such model")),
    odd: () => Promise.resolve({ ...SIGNAL, weight: 7 }),
    unsure: () => Promise.resolve(undefined),
    thrown: () => {
      throw new Error("at once")
    },
  }
  const enricher = createEnricher({
    classify: (message) => answers[message]?.() ?? Promise.resolve(SIGNAL),
    limit: 2,
    tell: (one) => told.push(one),
  })
  enricher.start(" ")
  for (const pair of [
    ["refused", "odd", "third"],
    ["unsure", "thrown"],
  ]) {
    for (const message of pair) enricher.start(message)
    await enricher.settled()
  }
  expect(told).toEqual([
    { kind: "skipped", message: "third" },
    { kind: "failed", message: "refused", error: "no such model" },
    { kind: "failed", message: "odd", error: "the answer is not a signal" },
    { kind: "failed", message: "thrown", error: "at once" },
  ])
  expect(["refused", "odd", "third", "unsure", "thrown"].map((message) => enricher.signal(message))).toEqual(
    Array(5).fill(undefined),
  )
})

test("only the last messages are remembered", async () => {
  const enricher = createEnricher({ classify: async () => SIGNAL })
  for (let at = 0; at < 60; at += 1) {
    enricher.start(`message ${at}`)
    await enricher.settled()
  }
  const known = Array.from({ length: 60 }, (_, at) => at).filter((at) => enricher.signal(`message ${at}`))
  expect([known.length, known[0]]).toEqual([50, 10])
})

test.each([
  ["ok", false, false, undefined],
  ["ok", true, false, { reason: "too-short", answer: "👍" }],
  ["thanks!", true, false, { reason: "small-talk", answer: "👍" }],
  ["thanks!", true, true, undefined],
  ["no", true, true, undefined],
  ["", true, true, { reason: "empty", answer: "" }],
  ["Fix the lamp", true, false, undefined],
  ["はい", true, false, undefined],
] as const)("%j, filter %s, open question %s", (message, isOn, openQuestion, expected) => {
  expect(swallowNoise(message, { isOn, openQuestion })).toEqual(expected)
})

test.each([
  ["Good to go?", true],
  ["Shall I?  **(yes or no)**\n", true],
  ["Which one?\n\n- the lamp\n- the boat", true],
  ["灯りを消しますか？", true],
  ["Done.", false],
  ["", false],
  ["Why did it fail? I looked.\n\nIt was the fuse.\n\nIt works now.", true],
  ["Which one?\n\n1. the lamp\n\n2. the boat\n\n3. the pier", true],
  ["I can delete both.\n\nLet me know.", true],
  ["Pick a number from 1 to 3.", true],
  ["It was replied to and confirmed.", false],
  ["Run this:\n\n```sh\ngrep 'a?' file\n```", false],
  ["First.\n\n```\ncode\n```\n\nDo you want more?", true],
])("whether %j waits for an answer: %s", (answer, expected) => {
  expect(leavesOpenQuestion(answer)).toBe(expected)
})
