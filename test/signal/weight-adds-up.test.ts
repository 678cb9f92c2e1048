import { describe, expect, test } from "vitest"
import { graphemes, weigh } from "../../src/signal/weigh.ts"

const weight = (text: string) => weigh(text).weight
const DOT = "."

describe("the weight", () => {
  test.each([
    ["", 0.5],
    [DOT, 0.502],
    [DOT.repeat(50), 0.6],
    [DOT.repeat(99), 0.698],
    [DOT.repeat(100), 0.7],
    [DOT.repeat(9_999), 0.7],
  ])("is a half plus a five-hundredth per character, up to a fifth: %j", (text, expected) => {
    expect(weight(text)).toBe(expected)
  })

  test("counts graphemes, without spaces around or between lines", () => {
    const texts = [
      "\u{1F469}\u200D\u{1F680}",
      "e\u0301",
      "\u{1F1F8}\u{1F1EA}",
      "\r\n \u00E5 \t\n",
      "a\r\n\r\n  \tb",
    ]
    expect(texts.map(weight)).toEqual([0.502, 0.502, 0.502, 0.502, 0.506])
  })

  test("stops counting at the limit", () => {
    expect([0, 1, 2, 3, 4].map((length) => graphemes(DOT.repeat(length), 3))).toEqual([0, 1, 2, 3, 3])
  })

  test("is higher for a question, once", () => {
    expect([weight("?"), weight("??")]).toEqual([0.652, 0.654])
    expect(weigh("?").shares.at(-1)).toEqual({ part: "question", amount: 0.15, word: "?" })
  })

  test.each(["urgent", "urgently", "asap", "critical", "emergency", "immediately", "now", "NOW!"])(
    "has a fifth more for urgency: %s",
    (word) => {
      expect(weight(word)).toBe((700 + 2 * word.length) / 1_000)
      expect(weight(`now ${word}`)).toBe((708 + 2 * word.length) / 1_000)
    },
  )

  test.each(["hello", "hellooo", "thanks", "lol", "hahaha", "hi", "ok", "hey", "sure", "Hey."])(
    "has less for small talk: %s",
    (word) => {
      expect(weight(word)).toBe((200 + 2 * word.length) / 1_000)
      expect(weight(`ok ${word}`)).toBe((206 + 2 * word.length) / 1_000)
    },
  )

  test.each(["knows", "nowhere", "history", "okra", "heyday", "surely", "othello", "thank"])(
    "is not changed by a word that only looks like one: %s",
    (word) => {
      expect(weight(word)).toBe((500 + 2 * word.length) / 1_000)
    },
  )

  test("is at most one", () => {
    const { weight, shares } = weigh(`urgent? ${DOT.repeat(200)}`)
    expect(weight).toBe(1)
    expect(shares).toEqual([
      { part: "base", amount: 0.5 },
      { part: "length", amount: 0.2 },
      { part: "question", amount: 0.15, word: "?" },
      { part: "urgency", amount: 0.2, word: "urgent" },
    ])
  })

  test("can count both urgency and small talk", () => {
    expect(weight("hi, now")).toBe(0.414)
  })
})
