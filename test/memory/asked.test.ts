// What a message asks for: the dates that it names, whether it asks when, and how much memory would have to know before
// anything is recalled for it.
import { describe, expect, test } from "vitest"
import { askedDate, asksWhen, dateIn, dateTerms, leadingDate, saysWhen } from "../../src/memory/rank/dates.ts"
import { askedFor, namesIn, rarityOf } from "../../src/memory/rank/relevance.ts"
import { questionTerms, termsOf } from "../../src/memory/rank/terms.ts"

describe("dates", () => {
  test.each([
    ["2023-05-08", "2023-05-08"],
    ["on 2023/05/08.", "2023-05-08"],
    ["20230508.md", "2023-05-08"],
    ["2023-05", "2023-05"],
    ["202305", undefined],
    ["2023-05/08", "2023-05"],
    ["2023-13-01", undefined],
    ["12023-05-08", undefined],
    ["1823-05-08", undefined],
    ["8 May 2023", "2023-05-08"],
    ["the 8th of May, 2023", "2023-05-08"],
    ["Sept. 1st, 2023", "2023-09-01"],
    ["december 31 1999", "1999-12-31"],
    ["May 2023", "2023-05"],
    ["45 May 2023", undefined],
    ["8 May", undefined],
    ["2023", undefined],
  ])("of %o the date is %o", (text, date) => {
    expect(dateIn(text)).toBe(date)
  })

  test("at the start of an entry, behind its marks, and not further on", () => {
    expect(
      ["- **2023-05-08**: tea", "> [8 May 2023] tea", `tea ${"and so on ".repeat(3)}2023-05-08`].map(
        leadingDate,
      ),
    ).toEqual(["2023-05-08", "2023-05-08", undefined])
  })

  test("are found by day, month, year, and by month and day of any year", () => {
    expect([dateTerms("2023-05-08"), dateTerms("2023-05")]).toEqual([
      ["¤2023", "¤202305", "¤¦05", "¤20230508", "¤¦0508"],
      ["¤2023", "¤202305", "¤¦05"],
    ])
  })

  test.each([
    ["tea on 8 May 2023", { wide: "¤202305", exact: "¤20230508" }],
    ["tea in May 2023", { wide: "¤202305" }],
    ["tea on May 8th", { wide: "¤¦05", exact: "¤¦0508" }],
    ["tea on the 8th of May", { wide: "¤¦05", exact: "¤¦0508" }],
    ["tea in may", { wide: "¤¦05" }],
    ["tea since last Sept.", { wide: "¤¦09" }],
    ["you may march", undefined],
    ["in marching order", undefined],
    ["tea in 2023", { wide: "¤2023" }],
    ["tea", undefined],
  ])("asked for in %o", (question, asked) => {
    expect(askedDate(question)).toEqual(asked)
  })

  test("which questions ask when, and which texts say it", () => {
    const questions = [
      "When is tea?",
      "  how long?",
      "On which day?",
      "what year",
      "since when",
      "And when?",
      "Whenever",
    ]
    expect(questions.map(asksWhen)).toEqual([true, true, true, true, true, false, false])
    const texts = [
      "Yesterday",
      "two weeks ago",
      "on Tuesday",
      "in june",
      "in 2023",
      "last one",
      "a lasting day",
      "tea",
    ]
    expect(texts.map(saysWhen)).toEqual([true, true, true, true, true, true, false, false])
  })
})

describe("how much a message asks for", () => {
  const units = 100
  const once = rarityOf(1, units)
  const asked = (message: string, counts: Readonly<Record<string, number>> = {}) =>
    askedFor(
      message,
      questionTerms(message).map((term) => ({ term, count: counts[term] ?? 0 })),
      units,
    )

  test("a word is rare by how few units have it, and never less than not at all", () => {
    expect([rarityOf(1, 100), rarityOf(100, 100), rarityOf(120, 100)]).toEqual([
      Math.log(1 + 99.5 / 1.5),
      Math.log(1 + 0.5 / 100.5),
      0,
    ])
  })

  test("words count by their rarity, unknown ones by half of once, unknown names by more, and thanks by nothing", () => {
    expect(asked("tea kettle", { tea: 7, kettl: 30 })).toBeCloseTo(rarityOf(7, units) + rarityOf(30, units))
    expect(asked("some kettle")).toBeCloseTo(0.5 * once)
    expect(asked("about Zebulon")).toBeCloseTo(2.5 * once)
    expect(asked("about Zebulon", { zebulon: 3 })).toBeCloseTo(rarityOf(3, units))
    expect(asked("please remember, thanks")).toBe(0)
    // The two parts; the whole of it is none of memory's words either.
    expect(asked("well-known")).toBeCloseTo(2 * 0.5 * once)
    expect(asked("see notes.txt")).toBeCloseTo(2.5 * once + 3 * 0.5 * once)
  })

  test("only the six heaviest words count", () => {
    const words = ["one1", "two2", "three3", "four4", "five5", "six6", "seven7"]
    const counts = Object.fromEntries(words.map((word, at) => [word, at + 1]))
    const heaviest = words.slice(0, 6).reduce((sum, _, at) => sum + rarityOf(at + 1, units), 0)
    expect([asked(words.join(" "), counts), asked(words.toReversed().join(" "), counts)]).toEqual([
      expect.closeTo(heaviest),
      expect.closeTo(heaviest),
    ])
  })

  test("a name is no sentence's first word, however the sentence begins", () => {
    const names = (message: string) => [...namesIn(message)]
    expect(
      ['so. "Carol', "so: (Carol", "so; Carol", "so! *Carol", "so\n> Carol", "so, Carol", "a Carol"].map(
        names,
      ),
    ).toEqual([[], [], [], [], [], ["carol"], ["carol"]])
    // Many signs before it hide where the sentence began, so it counts as a name.
    expect([names(`so. ${" ".repeat(8)}Carol`), names(`${" ".repeat(7)}Carol is here`)]).toEqual([
      ["carol"],
      [],
    ])
  })
})

describe("the words of a question", () => {
  test("are each asked for once, without stop words unless there is nothing else", () => {
    expect([
      questionTerms("the tea, the Tea and a kettle"),
      questionTerms("to be"),
      questionTerms(""),
    ]).toEqual([["tea", "kettl"], ["to", "be"], []])
  })

  test("of a script without spaces are pairs, and one sign only where it is alone", () => {
    expect([questionTerms("東京都"), questionTerms("東"), termsOf("東京")]).toEqual([
      ["東京", "京都"],
      ["東"],
      ["東", "東京", "京"],
    ])
  })

  test("are at most 48, of the first 4,096 characters", () => {
    const many = Array.from({ length: 60 }, (_, at) => `w${at}`)
    expect(questionTerms(many.join(" "))).toEqual(many.slice(0, 48))
    expect(questionTerms(`${" ".repeat(4_093)}tea kettle`)).toEqual(["tea"])
  })

  test("are what an apostrophe leaves of them, whole names, and no longer than a word is", () => {
    expect([termsOf("Carol's o'clock"), termsOf("gpt-4"), termsOf("x".repeat(70))]).toEqual([
      ["carol", "o", "clock"],
      ["gpt", "4", "gpt·4"],
      ["x".repeat(64)],
    ])
  })
})
