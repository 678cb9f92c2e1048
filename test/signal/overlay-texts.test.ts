import { expect, test } from "vitest"
import { overlay } from "../../src/signal/overlay.ts"
import { SIGNAL_GENRES, SIGNAL_MODES, type Signal } from "../../src/signal/signal.ts"

const signal = (values: Partial<Signal>): Signal => ({
  mode: "assist",
  genre: "inform",
  type: "general",
  format: "message",
  weight: 0.5,
  ...values,
})

test("a message of middle weight", () => {
  expect(overlay(signal({ mode: "build", genre: "direct", weight: 0.53 }))).toBe(`\
Active Signal: BUILD x DIRECT (weight: 0.53)

**Internal guidance only. Follow it; do not mention or quote it.**

Something is to be made. Settle what it has to do, make it whole, and see it work before you say so.
The message is an instruction: carry it out rather than discuss it.`)
})

test("a light message", () => {
  expect(overlay(signal({ mode: "execute", genre: "express", weight: 0.21 }))).toBe(`\
Active Signal: EXECUTE x EXPRESS (weight: 0.21)

**Internal guidance only. Follow it; do not mention or quote it.**

Something is to be done. Do it now, then say in a line or two what came of it.
The message is a feeling: meet it in a few plain words before you turn to the matter.
It is lightweight: a short answer will do.`)
})

test("a dense message", () => {
  expect(overlay(signal({ mode: "analyze", genre: "decide", weight: 1 }))).toBe(`\
Active Signal: ANALYZE x DECIDE (weight: 1.0)

**Internal guidance only. Follow it; do not mention or quote it.**

Something is to be understood. Lead with the finding, then give the figures and how sure you are.
The message is a decision: act on it, and say what it changes.
It is high-density: take up every point in it, and leave none out.`)
})

test("maintenance that the sender promised to do", () => {
  expect(overlay(signal({ mode: "maintain", genre: "commit" }))).toBe(`\
Active Signal: MAINTAIN x COMMIT (weight: 0.5)

**Internal guidance only. Follow it; do not mention or quote it.**

Something that exists is to be kept in order. Look at its state first, change as little as will do, and say how to go back.
The message is a promise: keep track of who does what by when, and do not do it for them.`)
})

test("the defaults", () => {
  expect(overlay(signal({}))).toBe(`\
Active Signal: ASSIST x INFORM (weight: 0.5)

**Internal guidance only. Follow it; do not mention or quote it.**

Someone wants help. Answer what was asked, at the depth at which it was asked.
The message is information: take it in, and say what follows from it.`)
})

test("the weight has one or two decimals", () => {
  const weights = [0, 0.004, 0.1, 0.298, 0.418, 0.996, 1]
  const shown = weights.map((weight) => /weight: (.*)\)/.exec(overlay(signal({ weight })))?.[1])
  expect(shown).toEqual(["0.0", "0.0", "0.1", "0.3", "0.42", "1.0", "1.0"])
})

test("only weights below 0.3 are light and only weights above 0.8 are dense", () => {
  const last = (weight: number) => overlay(signal({ weight })).split("\n").slice(6)
  expect([0, 0.298, 0.3, 0.8, 0.802, 1].map(last)).toEqual([
    ["It is lightweight: a short answer will do."],
    ["It is lightweight: a short answer will do."],
    [],
    [],
    ["It is high-density: take up every point in it, and leave none out."],
    ["It is high-density: take up every point in it, and leave none out."],
  ])
})

test("every mode and genre has its own text, in ASCII, without surrounding space", () => {
  const texts = SIGNAL_MODES.flatMap((mode) => SIGNAL_GENRES.map((genre) => overlay(signal({ mode, genre }))))
  expect(new Set(texts.map((text) => text.split("\n").slice(4).join("\n"))).size).toBe(30)
  expect(texts.filter((text) => !/^[\n -~]+$/.test(text) || text !== text.trim())).toEqual([])
})

test("type and format add nothing", () => {
  expect(overlay(signal({ type: "issue", format: "document" }))).toBe(overlay(signal({})))
})
