import { describe, expect, test } from "vitest"
import { ACKNOWLEDGEMENTS, NOISE_REASONS, noiseVerdict, settle } from "../../src/signal/noise.ts"

const verdict = (text: string) => noiseVerdict(text, { afterQuestion: false })

const SMALL_TALK = [
  ..."hello hey sup okay sure yep yeah yes nah nope thanks thx cheers lol haha hehe lmao rofl".split(" "),
  ...["thank you", "Thank\nyou", "good morning", "good night"],
]

describe("a message is noise", () => {
  test.each(["", " ", "\n\t \u00A0\u3000"])("if it is empty: %j", (text) => {
    expect(verdict(text)).toEqual({ kind: "noise", reason: "empty", weight: 0.5 })
  })

  test.each([
    "k",
    "hi",
    "no",
    "ok",
    " go ",
    "42",
    "\u{1F44D}",
    "\u2764\uFE0F",
    "\u{1F469}\u200D\u{1F680}!",
    "e\u0301\u0301x",
  ])("if it has fewer than three characters: %j", (text) => {
    expect(verdict(text)).toMatchObject({ kind: "noise", reason: "too-short" })
  })

  test.each(
    SMALL_TALK.flatMap((words) => [
      words,
      words.toUpperCase(),
      `${words}!`,
      ` ${words} . ! `,
      `${words}\u3002`,
    ]),
  )("if it is small talk and nothing else: %j", (text) => {
    expect(verdict(text)).toMatchObject({ kind: "noise", reason: "small-talk" })
  })

  test.each([
    "hi",
    "yo",
    "ok",
    "no",
    "ty",
    "gm",
    "gn",
    "\u{1F602}",
    "\u{1F44D}",
    "\u{1F64F}",
    "\u2764",
    "\u2764\uFE0F",
  ])("if it is small talk that only its marks make long enough: %j", (text) => {
    expect(verdict(`${text}!!`)).toMatchObject({ kind: "noise", reason: "small-talk" })
  })

  test("if it has little weight", () => {
    expect(verdict("hello there, folks")).toEqual({ kind: "noise", reason: "low-weight", weight: 0.236 })
    expect(verdict(`hello ${"x".repeat(43)}`)).toEqual({ kind: "noise", reason: "low-weight", weight: 0.298 })
  })
})

describe("a message is not noise", () => {
  test("if its weight is in the middle, which makes it uncertain", () => {
    const middle = { kind: "uncertain", reason: "middle-weight" }
    expect(verdict(`hello ${"x".repeat(44)}`)).toEqual({ ...middle, weight: 0.3 })
    expect(verdict("x".repeat(49))).toEqual({ ...middle, weight: 0.598 })
  })

  test("if it has enough weight", () => {
    expect(verdict("x".repeat(50))).toEqual({ kind: "signal", reason: "high-weight", weight: 0.6 })
    expect(verdict("yes?")).toEqual({ kind: "signal", reason: "high-weight", weight: 0.658 })
  })

  test.each(["thanks to you it works", "yes to all", "okay then"])(
    "if it is more than small talk: %s",
    (text) => {
      expect(verdict(text).reason).not.toBe("small-talk")
    },
  )

  test.each(["\u4FEE\u590D", "\u597D", "\u306F\u3044", "\u30A2", "\uB124"])(
    "if one or two characters are a word in its script: %s",
    (text) => {
      expect(verdict(text)).toMatchObject({ kind: "uncertain" })
    },
  )

  test("if it is small talk in another language", () => {
    expect(
      ["danke", "hola!", "\u0441\u043F\u0430\u0441\u0438\u0431\u043E"].map((text) => verdict(text).kind),
    ).toEqual(["uncertain", "uncertain", "uncertain"])
  })
})

test.each(["yes", "no", "ok", "sure", "y", "2", "\u{1F44D}", "thanks", "hello there"])(
  "an answer to a question always reaches the model: %s",
  (text) => {
    expect(noiseVerdict(text, { afterQuestion: true })).toMatchObject({ kind: "signal", reason: "answer" })
  },
)

test("an empty message doesn't count as an answer", () => {
  expect(noiseVerdict(" \n", { afterQuestion: true })).toEqual({
    kind: "noise",
    reason: "empty",
    weight: 0.5,
  })
})

describe("an uncertain verdict", () => {
  const uncertain = verdict("hello, so the kettle is over there, near the window")

  test("becomes what a model says, and a signal if no model could be asked", () => {
    const { weight } = uncertain
    expect(uncertain.kind).toBe("uncertain")
    expect(settle(uncertain, "noise")).toEqual({ kind: "noise", reason: "judged", weight })
    expect(settle(uncertain, "signal")).toEqual({ kind: "signal", reason: "judged", weight })
    expect(settle(uncertain, undefined)).toEqual({ kind: "signal", reason: "not-judged", weight })
  })

  test("is the only one that a model can change", () => {
    const certain = [verdict("ok"), verdict("x".repeat(50))]
    expect(certain.map((one) => settle(one, "noise"))).toEqual(certain)
    expect(certain.map((one) => settle(one, "signal"))).toEqual(certain)
  })
})

test("each kind of noise has its acknowledgement", () => {
  expect(NOISE_REASONS.map((reason) => [reason, ACKNOWLEDGEMENTS[reason]])).toEqual([
    ["empty", ""],
    ["too-short", "\u{1F44D}"],
    ["small-talk", "\u{1F44D}"],
    ["low-weight", "Got it."],
    ["judged", "Noted."],
  ])
})
