// What the default profile says about a message is right, or isn't said. The figures come from messages that were
// labelled before the rules were written; `node bench/signal.ts` prints them.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { wantsPlan } from "../../src/signal/plan-first.ts"
import { readMessage } from "../../src/signal/read-message.ts"
import { SIGNAL_GENRES, SIGNAL_MODES } from "../../src/signal/signal.ts"
import { figures, labelledMessages, planFigures, readAll } from "./labelled.ts"

const MESSAGES = { tuning: labelledMessages("tuning"), "held-out": labelledMessages("held-out") }

test("there are 300 messages, none of them in both halves", () => {
  const texts = Object.values(MESSAGES).flatMap((half) => half.map(({ message }) => message))
  expect([texts.length, new Set(texts).size]).toEqual([300, 300])
})

describe.each(["tuning", "held-out"] as const)("the %s half", (half) => {
  test("at least nine in ten readings are right, and most messages get one", () => {
    const { precision, coverage } = figures(readAll(MESSAGES[half]))
    expect(precision).toBeGreaterThanOrEqual(0.9)
    expect(coverage).toBeGreaterThanOrEqual(0.75)
  })

  test("a plan is suggested if one is needed, and seldom otherwise", () => {
    const { precision, coverage } = planFigures(MESSAGES[half])
    expect(precision).toBeGreaterThanOrEqual(0.75)
    expect(coverage).toBeGreaterThanOrEqual(0.75)
  })

  test("messages in other languages and ambiguous ones get no reading", () => {
    const silent = MESSAGES[half].filter(({ genres }) => genres.join() === "-")
    const told = silent.filter(({ message }) => readMessage(message) !== undefined)
    expect(told.length / silent.length).toBeLessThanOrEqual(0.1)
  })
})

test.each([
  ["Could you fix the winch booking?", { genre: "direct", mode: "maintain" }],
  ["How do I install node?", { genre: "ask" }],
  ["I will send the report by Friday", { genre: "commit" }],
  ["I am so frustrated with this!", { genre: "express" }],
  ["build a new landing page for the museum", { genre: "direct", mode: "build" }],
  ["Can you tell me why it fails?", { genre: "ask" }],
  ["Tell me why it fails, then fix it.", undefined],
  ["Why does it fail? Fix it.", undefined],
  ["Fix landed in main.", undefined],
  ["Send button does nothing", undefined],
  ["Update the docs and run the tests", { genre: "direct" }],
  ["What does this do?\n```sh\nrm -rf build\n```", { genre: "ask" }],
  ['The page says "Please fix it"', undefined],
  ["Kannst du das bitte fix machen?", undefined],
  ["", undefined],
  ["?!", undefined],
  [`Fix it. ${"x ".repeat(1_500)}`, undefined],
])("%j", (message, expected) => {
  expect(readMessage(message)).toEqual(expected)
})

test("any text has a reading with known values, or none", () => {
  const words = fc.constantFrom(
    "fix",
    "the",
    "please",
    "what",
    "is",
    "you",
    "can",
    "?",
    ".",
    "\n",
    "`",
    "I'll",
    ",",
    '"',
  )
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(words, { maxLength: 40 }).map((all) => all.join(" ")),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const reading = readMessage(text)
      if (reading === undefined) return
      expect(SIGNAL_GENRES).toContain(reading.genre)
      if (reading.mode !== undefined)
        expect([reading.genre, SIGNAL_MODES.includes(reading.mode)]).toEqual(["direct", true])
    }),
  )
})

test("neither length nor urgency makes work need a plan", () => {
  const short = "Refactor the whole payment module."
  const urgent = "URGENT!!! Restart the worker now, immediately, this is critical!"
  const long = `Rename the file. ${"It has been called that for a very long time. ".repeat(20)}`
  expect([short, urgent, long].map(wantsPlan)).toEqual([true, false, false])
})
