// Every word of every rule, repeated here: alone, with an ending, and inside another word.
import { describe, expect, test } from "vitest"
import { classify, classifyWithReasons } from "../../src/signal/classify.ts"

type Field = "mode" | "genre" | "type"
type Row = readonly [value: string, starts: string, whole?: readonly string[]]

const RULES: Readonly<Record<Field, readonly Row[]>> = {
  mode: [
    ["build", "build create generate make scaffold design", ["new"]],
    ["execute", "run execute trigger sync send import export"],
    ["analyze", "analyze report dashboard metrics trend compare kpi"],
    ["maintain", "update upgrade migrate fix health backup restore rollback version"],
  ],
  genre: [
    ["direct", "please run make create send", ["do"]],
    ["commit", "", ["i will", "i'll", "let me", "i promise", "i commit"]],
    ["decide", "approve reject cancel confirm decide", ["set"]],
    ["express", "thanks love hate great terrible wow"],
  ],
  type: [
    ["question", "help how what why when where"],
    ["issue", "error bug broken fail crash"],
    ["scheduling", "remind schedule later tomorrow"],
    ["summary", "summarize summary brief recap"],
  ],
}
const DEFAULTS = { mode: "assist", genre: "inform", type: "general" }
const FIELDS = ["mode", "genre", "type"] as const

const words = (text: string) => text.split(" ").filter((word) => word !== "")

describe.each(FIELDS)("%s", (field) => {
  const decide = (text: string) => {
    const { signal, reasons } = classifyWithReasons(text)
    return [signal[field], reasons[field]]
  }
  const none = [DEFAULTS[field], { kind: "default" }]
  const rows = RULES[field].map(([value, starts, whole = []]) => ({ value, starts: words(starts), whole }))
  const starts = rows.flatMap((row) => row.starts.map((word) => [row.value, word] as const))
  const whole = rows.flatMap((row) => row.whole.map((word) => [row.value, word] as const))

  test("is the default if no rule matches", () => {
    expect(decide("The kettle is over there.")).toEqual(none)
    expect(decide("")).toEqual(none)
  })

  test.each([...starts, ...whole])(
    "is %s by the word %s, in any case and between any marks",
    (value, word) => {
      const found = [value, { kind: "word", word }]
      expect(decide(word)).toEqual(found)
      expect(decide(`So (${word.toUpperCase()}), then`)).toEqual(found)
      expect(decide(`\u8BF7${word}\u4E00\u4E0B`)).toEqual(found)
    },
  )

  test.each(starts)("is %s by a word that starts with %s", (value, word) => {
    expect(decide(`a ${word}xes b`)).toEqual([value, { kind: "word", word }])
  })

  test.each(whole)("is %s only by the whole word %s", (_value, word) => {
    const more = [`${word}xes`, `${word}\u00E9`, `${word}\u0301`, `${word}1`, `${word}_`]
    expect(more.map(decide)).toEqual(more.map(() => none))
  })

  test.each([...starts, ...whole])("is not %s by %s inside another word", (_value, word) => {
    const inside = [`x${word}`, `\u00E9${word}`, `e\u0301${word}`, `1${word}`, `_${word}`]
    expect(inside.map(decide)).toEqual(inside.map(() => none))
  })

  test("uses the first rule that matches, wherever its word is", () => {
    const first = rows.map((row) => ({ value: row.value, word: [...row.starts, ...row.whole][0] ?? "" }))
    for (const [at, { value, word }] of first.entries()) {
      for (const later of first.slice(at + 1)) {
        expect(decide(`${word}, ${later.word}`)[0]).toBe(value)
        expect(decide(`${later.word}, ${word}`)[0]).toBe(value)
      }
    }
  })

  test("gives the rule's first word in the text as the reason", () => {
    const [row] = rows
    const [early = "", late = ""] = row?.starts ?? []
    expect(decide(`${late} ${early}`)).toEqual([row?.value, { kind: "word", word: late }])
  })
})

test.each(["Stop it!", "Stop it!  \n", "\u505C\u4E0B\uFF01"])(
  "a message that ends in an exclamation mark is direct: %j",
  (text) => {
    const { signal, reasons } = classifyWithReasons(text)
    expect([signal.genre, reasons.genre]).toEqual(["direct", { kind: "mark", mark: text.trim().at(-1) }])
  },
)

test("an exclamation mark elsewhere has no effect", () => {
  expect(classify("Stop! It is late").genre).toBe("inform")
})

test("thanks with an exclamation mark is `direct`, because that rule comes first", () => {
  expect(classify("Thanks!").genre).toBe("direct")
  expect(classify("Thanks").genre).toBe("express")
})

test.each([
  ["English", "?"],
  ["Greek", "\u037E"],
  ["Armenian", "\u055E"],
  ["Arabic", "\u061F"],
  ["Ethiopic", "\u1367"],
  ["fullwidth", "\uFF1F"],
])("a question mark anywhere takes precedence over words: %s", (_script, mark) => {
  const { signal, reasons } = classifyWithReasons(`error${mark} remind me`)
  expect([signal.type, reasons.type]).toEqual(["question", { kind: "mark", mark }])
})

test("a phrase is found across newlines, tabs and curly apostrophes", () => {
  expect(["I\n  will", "let\tme see", "I\u2019ll see"].map((text) => classify(text).genre)).toEqual([
    "commit",
    "commit",
    "commit",
  ])
})

test.each([
  ["cli", "command"],
  ["CLI", "command"],
  ["cli:tty1", "command"],
  ["webhook", "notification"],
  ["webhook:github:main", "notification"],
  ["filesystem", "document"],
])("the channel %s gives the format %s", (channel, format) => {
  const { signal, reasons } = classifyWithReasons("hm", { channel })
  const family = channel.toLowerCase().split(":")[0]
  expect([signal.format, reasons.format]).toEqual([format, { kind: "channel", channel: family }])
})

test.each([
  ["telegram:42"],
  ["discord"],
  ["slack"],
  ["clipboard"],
  [":cli"],
  ["__proto__"],
  ["constructor"],
  [""],
])("the channel %j gives the format message", (channel) => {
  const { signal, reasons } = classifyWithReasons("hm", { channel })
  expect([signal.format, reasons.format]).toEqual(["message", { kind: "default" }])
})

test("without a channel the format is message, and words never change a format", () => {
  expect(classify("webhook cli document").format).toBe("message")
  expect(classify("webhook cli document", { channel: undefined }).format).toBe("message")
})

test("a complete signal with its reasons", () => {
  expect(classifyWithReasons("hi there, can you build a new API?", { channel: "cli" })).toEqual({
    signal: { mode: "build", genre: "inform", type: "question", format: "command", weight: 0.418 },
    reasons: {
      mode: { kind: "word", word: "build" },
      genre: { kind: "default" },
      type: { kind: "mark", mark: "?" },
      format: { kind: "channel", channel: "cli" },
    },
    shares: [
      { part: "base", amount: 0.5 },
      { part: "length", amount: 0.068 },
      { part: "question", amount: 0.15, word: "?" },
      { part: "small-talk", amount: -0.3, word: "hi" },
    ],
  })
})

test("text without English words is judged by its marks and length alone", () => {
  const texts = [
    "\u8ACB\u5E6B\u6211\u4FEE\u597D\u5B83\uFF1F",
    "\u041F\u043E\u0447\u0438\u043D\u0438 \u044D\u0442\u043E!",
  ]
  expect(texts.map((text) => classify(text))).toEqual([
    { mode: "assist", genre: "inform", type: "question", format: "message", weight: 0.664 },
    { mode: "assist", genre: "direct", type: "general", format: "message", weight: 0.522 },
  ])
})
