// How hits are scored: what a word is worth, what a unit gets of those around it, and what labels, questions, dates and
// times add. Scores are compared with the formula, written out here once more.
import { afterEach, describe, expect, test } from "vitest"
import type { Memory } from "../../src/memory/memory.ts"
import { type MemoryFolder, memoryFolder } from "./folder.ts"

const folders: MemoryFolder[] = []
afterEach(async () => {
  for (const used of folders.splice(0)) await used.remove()
})

function memoryOf(files: Readonly<Record<string, string>>) {
  const made = memoryFolder(files)
  folders.push(made)
  return made.memory
}

/** The scores of all hits, by text. */
function scoresIn(memory: Memory, question: string): Readonly<Record<string, number>> {
  const { hits } = memory.search(question, { trust: "inner", limit: 1_000, budget: 100_000 })
  return Object.fromEntries(hits.map(({ text, score }) => [text, Number(score.toFixed(9))]))
}

function scoresOf(files: Readonly<Record<string, string>>, question: string) {
  return scoresIn(memoryOf(files), question)
}

function rarity(count: number, units: number): number {
  return Math.log(1 + (units - count + 0.5) / (count + 0.5))
}

/** What a word is worth in a unit, by the unit's length as a share of the mean. */
function worth(count: number, units: number, length = 1): number {
  return (rarity(count, units) * 1.6) / (1 + 0.6 * (0.25 + 0.75 * length))
}

function rounded(scores: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(scores).map(([text, score]) => [text, Number(score.toFixed(9))]))
}

/** Bullets of two words, of which some are given. */
function list(count: number, given: Readonly<Record<number, string>>): string {
  return Array.from({ length: count }, (_, at) => `- ${given[at + 1] ?? `plain w${at + 1}`}\n`).join("")
}

describe("around a match", () => {
  const s = worth(1, 7)

  test("units get a share of those one and two before and after them, and of the best under their heading", () => {
    expect(scoresOf({ "shared/a.md": list(7, { 4: "lantern w4" }) }, "lantern")).toEqual(
      rounded({
        "- lantern w4": 1.3 * s,
        "- plain w2": 0.5 * s,
        "- plain w6": 0.5 * s,
        "- plain w3": 0.4 * s,
        "- plain w5": 0.4 * s,
      }),
    )
  })

  test("what follows a question gets most of its score, and the question itself a little less", () => {
    const files = { "shared/a.md": list(7, { 4: "lantern w4?" }) }
    expect(scoresOf(files, "lantern")).toEqual(
      rounded({
        "- lantern w4?": 1.3 * 0.9 * s,
        "- plain w5": 1.1 * s,
        "- plain w2": 0.5 * s,
        "- plain w6": 0.5 * s,
        "- plain w3": 0.4 * s,
      }),
    )
  })

  test.each([
    [1, { "- plain w2": 0.4, "- plain w3": 0.5 }],
    [2, { "- plain w1": 0.4, "- plain w3": 0.4, "- plain w4": 0.5 }],
  ])("a match in line %i gives nothing to the heading above it", (line, around) => {
    const shares = Object.entries(around).map(([text, share]) => [text, share * s] as const)
    expect(scoresOf({ "shared/a.md": list(7, { [line]: `lantern w${line}` }) }, "lantern")).toEqual(
      rounded({ [`- lantern w${line}`]: 1.3 * s, ...Object.fromEntries(shares) }),
    )
  })

  test("a heading gives all below it a share, but is no neighbour of the first line", () => {
    const files = { "shared/long-name.md": "# Lantern\n\n- wick w1\n- plain w2\n" }
    // The heading has four terms: its own word, those of the file's name, and that name. It is no unit that is counted.
    const [heading, wick] = [worth(1, 2, 2), worth(1, 2)]
    expect(scoresOf(files, "lantern wick")).toEqual(
      rounded({
        "- wick w1": wick + 0.3 * (heading + wick),
        "- plain w2": 0.1 * wick + 0.3 * (heading + wick),
      }),
    )
  })

  test.each([1, 2])("a heading gets nothing of a match %i below it", (line) => {
    const files = { "shared/a.md": `# Lantern\n\n${list(3, { [line]: `wick w${line}` })}` }
    const s3 = worth(1, 3)
    expect(Object.values(scoresOf(files, "lantern wick"))).toEqual([Number((1.6 * s3).toFixed(9))])
  })

  test("a heading with nothing below it is found", () => {
    expect(Object.keys(scoresOf({ "shared/a.md": "# Lantern\n" }, "lantern"))).toEqual(["# Lantern"])
  })

  test("of several matches under one heading the best is shared, wherever it is", () => {
    const lines = ["lantern", "plain w2", "plain w3", "plain w4", "lantern with shade"]
    const files = { "shared/a.md": lines.map((line) => `- ${line}\n`).join("") }
    const [best, other] = [worth(2, 5, 0.5), worth(2, 5, 1.5)]
    expect(scoresOf(files, "lantern")).toEqual(
      rounded({
        "- lantern": 1.3 * best,
        "- lantern with shade": other + 0.3 * best,
        "- plain w3": 0.2 * best + 0.2 * other + 0.3 * best,
        "- plain w2": 0.1 * best + 0.3 * best,
        "- plain w4": 0.1 * other + 0.3 * best,
      }),
    )
  })

  test("each word adds its worth, and of each only the best match under a heading is shared", () => {
    const files = { "shared/a.md": list(9, { 1: "lantern w1", 5: "lantern wick", 9: "wick w9" }) }
    const two = worth(2, 9)
    expect(scoresOf(files, "lantern wick")).toMatchObject(
      rounded({
        "- lantern wick": 2 * two + 0.3 * 2 * two,
        "- lantern w1": two + 0.3 * 2 * two,
        "- wick w9": two + 0.3 * 2 * two,
      }),
    )
  })
})

test("a short unit is worth more than a long one with the same word", () => {
  const files = { "shared/a.md": "- lantern\n", "shared/b.md": "- lantern with shade\n" }
  expect(scoresOf(files, "lantern")).toEqual(
    rounded({ "- lantern": 1.3 * worth(2, 2, 0.5), "- lantern with shade": 1.3 * worth(2, 2, 1.5) }),
  )
})

test("lines without any word do not make the others long", () => {
  const files = { "shared/a.md": "- lantern\n", "shared/b.md": "- !\n- ?\n" }
  expect(scoresOf(files, "lantern")).toEqual(rounded({ "- lantern": 1.3 * worth(1, 3) }))
})

test("what a line is about by its own word counts one more", () => {
  const { "- Carol: tea": labelled = 0, "- tea Carol": plain = 0 } = scoresOf(
    { "shared/a.md": "- Carol: tea\n", "shared/b.md": "- tea Carol\n" },
    "Carol",
  )
  expect([labelled - plain, plain]).toEqual([expect.closeTo(1), expect.closeTo(1.3 * worth(2, 2))])
})

describe("time", () => {
  /** The score of a text for a question, as a multiple of that for "tea". */
  const asked = (memory: Memory, text: string) => (question: string) =>
    Number(((scoresIn(memory, question)[text] ?? 0) / (scoresIn(memory, "tea")[text] ?? 0)).toFixed(6))

  test("who asks when gets what says when", () => {
    const memory = memoryOf({ "shared/a.md": "- tea yesterday\n", "shared/b.md": "- tea kettle\n" })
    const questions = ["When was the tea?", "How long, tea?", "What was the tea?", "Tea, and when?"]
    expect(questions.map(asked(memory, "- tea yesterday"))).toEqual([1.3, 1.3, 1, 1])
    expect(questions.map(asked(memory, "- tea kettle"))).toEqual([1, 1, 1, 1])
  })

  // Written so that no word of the question is one of the date's own.
  const QUESTIONS = ["tea 9 June", "tea 8 June", "tea in June", "tea 9 July"]

  test("a heading's date counts for all below it: double for the month, more for the day", () => {
    const memory = memoryOf({ "shared/a.md": "# 2023-06-09\n\n- tea kettle\n\n# Other\n\n- tea pot\n" })
    expect(QUESTIONS.map(asked(memory, "- tea kettle"))).toEqual([2.4, 2, 2, 1])
    expect(QUESTIONS.map(asked(memory, "- tea pot"))).toEqual([1, 1, 1, 1])
  })

  test("a line's own date counts for that line alone", () => {
    const memory = memoryOf({ "shared/a.md": "- 2023-06-09: tea kettle\n- tea pot\n" })
    expect(QUESTIONS.map(asked(memory, "- 2023-06-09: tea kettle"))).toEqual([2.4, 2, 2, 1])
    expect(QUESTIONS.map(asked(memory, "- tea pot"))).toEqual([1, 1, 1, 1])
  })
})

describe("many matches", () => {
  /** So many lines about a lamp, and plain ones after them. */
  const lamps = (count: number, all: number) =>
    list(all, Object.fromEntries(Array.from({ length: count }, (_, at) => [at + 1, `lamp w${at + 1}`])))

  test("a word in up to 400 units gives to those around it", () => {
    const scores = scoresOf({ "shared/a.md": lamps(400, 500) }, "lamp w400")
    const [lamp, name] = [worth(400, 500), worth(1, 500)]
    const part = 0.3 * (lamp + name)
    expect(
      ["- lamp w400", "- plain w401", "- plain w402", "- plain w403"].map((text) => scores[text]),
    ).toEqual(
      [
        lamp + 0.1 * lamp + 0.2 * lamp + name + part,
        0.1 * (lamp + name) + 0.2 * lamp + part,
        0.2 * (lamp + name) + part,
      ]
        .map((score): number | undefined => Number(score.toFixed(9)))
        .concat(undefined),
    )
  })

  test("a word in more of them is common: it only adds to what others found", () => {
    const memory = memoryOf({ "shared/a.md": lamps(401, 500) })
    const [lamp, name] = [worth(401, 500), worth(1, 500)]
    const part = 0.3 * (lamp + name)
    expect(scoresIn(memory, "lamp w401")).toEqual(
      rounded({
        "- lamp w401": name + lamp + part,
        "- lamp w399": 0.2 * name + lamp + part,
        "- lamp w400": 0.1 * name + lamp + part,
        "- plain w403": 0.2 * name + part,
        "- plain w402": 0.1 * name + part,
      }),
    )
    const alone = scoresIn(memory, "lamp")
    expect([new Set(Object.values(alone)), alone["- plain w402"]]).toEqual([
      new Set([Number((1.3 * lamp).toFixed(9))]),
      undefined,
    ])
  })

  test("a common word of no part that others found adds nothing", () => {
    const files = { "shared/a.md": lamps(401, 401), "shared/b.md": "- colza oil\n" }
    expect(Object.keys(scoresOf(files, "lamp colza"))).toEqual(["- colza oil"])
  })

  test("two hundred are looked at, of however many scores", () => {
    const lines = Array.from({ length: 210 }, (_, at) => `- lamp ${`w${at} `.repeat(at + 1)}\n`)
    const { hits, more } = memoryOf({ "shared/a.md": lines.join("") }).search("lamp", { trust: "inner" })
    expect(hits.length + (more?.count ?? 0)).toBe(200)
  })

  test("of two words in more than 400 units only that in more than a twentieth of all is common", () => {
    const lines = (word: string, count: number) =>
      list(
        1_621,
        Object.fromEntries(Array.from({ length: count }, (_, at) => [at + 1, `${word} ${word}${at}`])),
      )
    const memory = memoryOf({
      ...{ "shared/1.md": lines("lamp", 401), "shared/2.md": lines("oil", 440) },
      ...Object.fromEntries([3, 4, 5].map((at) => [`shared/${at}.md`, list(1_621, {})])),
    })
    const last = (word: string, count: number) =>
      scoresIn(memory, `${word} ${word}${count - 1}`)[`- ${word} ${word}${count - 1}`]
    const all = 5 * 1_621
    const [lamp, oil, name] = [worth(401, all), worth(440, all), worth(1, all)]
    expect([last("lamp", 401), last("oil", 440)]).toEqual([
      expect.closeTo(1.3 * (lamp + name) + 0.1 * lamp + 0.2 * lamp, 6),
      expect.closeTo(1.3 * (oil + name), 6),
    ])
  })

  test("two hundred of the best are looked at, and of equal ones the first", () => {
    const { hits, more } = memoryOf({ "shared/a.md": lamps(250, 250) }).search("lamp", {
      trust: "inner",
      limit: 3,
    })
    expect([hits.map(({ text }) => text), more?.count]).toEqual([
      ["- lamp w3", "- lamp w4", "- lamp w5"],
      197,
    ])
  })
})
