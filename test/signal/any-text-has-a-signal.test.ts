// Properties that hold for every text. The long texts are such that quadratic work would run into the test runner's
// timeout; the tests themselves measure no time.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { classify, classifyWithReasons } from "../../src/signal/classify.ts"
import { NOISE_REASONS, noiseVerdict } from "../../src/signal/noise.ts"
import { overlay } from "../../src/signal/overlay.ts"
import { isSignal, SIGNAL_MODES, SIGNAL_TYPES } from "../../src/signal/signal.ts"

const RUNS = { seed: 20_26, numRuns: 1_000 }

const WORDS =
  "build new run report fix i will i'll let me do set please thanks hate what error later brief now hi ok hello " +
  "urgent ? ! . yes \u00E9 \u0130 \u00DF \u4F60\u597D \uFF1F \uFF01 \u{1F44D} \u2019 a b"
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
const sentence = fc.array(
  fc.tuple(fc.constantFrom(...WORDS.split(" ")), fc.constantFrom("", " ", "\n", "\r\n\t", "-", "_")),
  { maxLength: 60 },
)
const text = fc.oneof(
  units.map((codes) => String.fromCharCode(...codes)),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  sentence.map((parts) => parts.flat().join("")),
)
const channel = fc.option(fc.oneof(fc.constantFrom("cli", "webhook:x", "filesystem"), text), {
  nil: undefined,
})

function all(check: (text: string, channel: string | undefined) => void): void {
  fc.assert(fc.property(text, channel, check), RUNS)
}

describe("any text", () => {
  test("has exactly one signal, always the same, with known values", () => {
    all((text, channel) => {
      const signal = classify(text, { channel })
      expect(isSignal(signal)).toBe(true)
      expect(classify(text, { channel })).toEqual(signal)
      expect(["request", "report"]).not.toContain(signal.type)
    })
  })

  test("has a weight that its shares add up to", () => {
    all((text) => {
      const { signal, shares } = classifyWithReasons(text)
      const thousandths = shares.reduce((sum, { amount }) => sum + Math.round(amount * 1_000), 0)
      expect(Math.round(signal.weight * 1_000)).toBe(Math.min(thousandths, 1_000))
      expect(signal.weight * 1_000).toBeCloseTo(Math.round(signal.weight * 1_000), 9)
    })
  })

  test("has a default as a reason exactly if it has the default value or no known channel", () => {
    all((text, channel) => {
      const { signal, reasons } = classifyWithReasons(text, { channel })
      expect(reasons.mode.kind === "default").toBe(signal.mode === "assist")
      expect(reasons.genre.kind === "default").toBe(signal.genre === "inform")
      expect(reasons.type.kind === "default").toBe(signal.type === "general")
      expect(reasons.format.kind === "default").toBe(signal.format === "message")
    })
  })

  test("is unaffected by surrounding space and by the amount of space inside", () => {
    all((text) => {
      const spaced = ` \n${text.replaceAll(" ", " \t\r\n ")}\u3000`
      expect(classifyWithReasons(spaced)).toEqual(classifyWithReasons(text))
      expect(noiseVerdict(spaced, { afterQuestion: false })).toEqual(
        noiseVerdict(text, { afterQuestion: false }),
      )
    })
  })

  test("appended to another has the mode and type of the earlier rule", () => {
    const earlier = <Value>(list: readonly Value[], a: Value, b: Value) =>
      list.indexOf(a) < list.indexOf(b) ? a : b
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [one, other, both] = [classify(a), classify(b), classify(`${a} ${b}`)]
        expect(both.mode).toBe(earlier(SIGNAL_MODES, one.mode, other.mode))
        expect(both.type).toBe(earlier(SIGNAL_TYPES, one.type, other.type))
      }),
      RUNS,
    )
  })

  test("has a verdict with the signal's weight, and is noise after a question only if it is empty", () => {
    all((text) => {
      const verdict = noiseVerdict(text, { afterQuestion: false })
      expect(verdict.weight).toBe(classify(text).weight)
      if (verdict.kind === "noise") expect(NOISE_REASONS).toContain(verdict.reason)
      if (verdict.kind === "signal") expect(verdict.weight).toBeGreaterThanOrEqual(0.6)
      expect(noiseVerdict(text, { afterQuestion: true }).kind === "noise").toBe(text.trim() === "")
    })
  })

  test("adds nothing of its own to the overlay", () => {
    all((text) => {
      expect(overlay(classify(text))).toMatch(
        /^Active Signal: [A-Z]+ x [A-Z]+ \(weight: [01]\.\d\d?\)\n\n[\n -~]+$/,
      )
    })
  })
})

test("capital letters match the same rules in every language", () => {
  expect(
    ["I WILL", "IMPORT IT", "\u0130MPORT IT", "\u0131mport it"].map((text) => classify(text)),
  ).toMatchObject([{ genre: "commit" }, { mode: "execute" }, { mode: "assist" }, { mode: "assist" }])
})

test.each([
  ["half words", "buil creat generat mak scaffol desig ne "],
  ["half phrases", "i i wil i' let i promis "],
  ["words inside words", "xbuildxrunxfix"],
  ["marks that are not at the end", "!.! !"],
  ["white space", " \n\t"],
  ["accents", "\u0301"],
  ["joiners", "\u{1F468}\u200D"],
  ["flags", "\u{1F1E6}"],
  ["half pairs", "\uDC00\uD800"],
  ["small talk", "ok "],
])("a million of %s", (_name, unit) => {
  const long = `a${unit.repeat(1_000_000 / unit.length)}a`
  const { signal, reasons } = classifyWithReasons(long, { channel: long })
  expect([signal.mode, signal.genre, signal.type, signal.format]).toEqual([
    "assist",
    "inform",
    "general",
    "message",
  ])
  expect(Object.values(reasons)).toEqual(Array(4).fill({ kind: "default" }))
  expect(noiseVerdict(long, { afterQuestion: false }).weight).toBe(signal.weight)
})
