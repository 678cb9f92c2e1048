// How hits are cut: what a heading covers, what fits into limit and budget, which part of a long text is shown and which
// lines that are.
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { counterFrom } from "../../src/core/model/counter.ts"
import { snippetOf } from "../../src/memory/rank/snippet.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { type MemoryFolder, memoryFolder } from "./folder.ts"

const folders: MemoryFolder[] = []
afterEach(async () => {
  for (const used of folders.splice(0)) await used.remove()
})

function searched(files: Readonly<Record<string, string>>, question: string, options = {}) {
  const made = memoryFolder(files)
  folders.push(made)
  return made.memory.search(question, { trust: "inner", limit: 50, budget: 10_000, ...options })
}

describe("a heading", () => {
  const long = `- ${"and so on ".repeat(56)}\n`

  test("covers the lines that it shows, and none below them", () => {
    const text = `# Carol\n\n- tea at four\n${long}- the late watch that is kept by Carol on most days\n`
    const { hits } = searched({ "shared/a.md": text }, "Carol")
    expect(hits.map(({ lines }) => lines)).toEqual([
      [1, 4],
      [5, 5],
    ])
  })

  test("covers the last line that it shows", () => {
    const { hits } = searched(
      { "shared/a.md": "# Carol\n\n- tea at four\n- the watch of Carol today\n" },
      "Carol",
    )
    expect(hits.map(({ lines }) => lines)).toEqual([[1, 4]])
  })

  test("of another file is a hit of its own, though it has no text of its own to be known by", () => {
    const files = { "shared/a.md": "# Carol\n\n- tea at four\n", "shared/b.md": "# Carol\n\n- the watch\n" }
    expect(searched(files, "Carol").hits.map(({ path }) => path)).toEqual(["shared/a.md", "shared/b.md"])
  })

  test("has a date for what is below it, unless that has its own", () => {
    const { hits } = searched({ "shared/a.md": "# 2023-06\n\n- 2023-05-08: tea\n- more tea\n" }, "tea")
    expect(hits.map(({ text, date }) => [text, date])).toEqual([
      ["- more tea", "2023-06"],
      ["- 2023-05-08: tea", "2023-05-08"],
    ])
  })

  test("covers nothing under another heading, where the same text is one hit all the same", () => {
    const text =
      "# Carol\n\n- likes tea\n\n# Bo\n\n- Carol likes tea, says Bo of her\n\n# Di\n\n- carol likes TEA says bo of her\n"
    const { hits } = searched({ "shared/a.md": text }, "Carol")
    expect(hits.map(({ lines }) => lines)).toEqual([
      [1, 3],
      [7, 7],
    ])
  })
})

describe("a budget", () => {
  const long = (name: string) => `- ${name} ${"word ".repeat(400).trim()}\n`

  test("is all for one hit, and each of several is short", () => {
    const one = searched({ "shared/a.md": long("oil") }, "oil", { budget: 300 })
    expect([one.hits.length, one.tokens > 250, one.tokens <= 300]).toEqual([1, true, true])
    const two = searched({ "shared/a.md": long("oil"), "shared/b.md": long("oil b") }, "oil", {
      budget: 1_000,
    })
    expect(two.hits.map(({ tokens }) => tokens > 130 && tokens <= 160)).toEqual([true, true])
  })

  test("that has room for twelve tokens more has room for a hit, and with eleven the rest is counted", () => {
    const files = { "shared/a.md": "- oil\n", "shared/b.md": long("oil") }
    const first = o200k.count("- oil")
    const shown = (budget: number) => {
      const { hits, more } = searched(files, "oil", { budget })
      return [hits.map(({ path }) => path), more]
    }
    expect([shown(first + 12), shown(first + 11)]).toEqual([
      [["shared/a.md", "shared/b.md"], undefined],
      [["shared/a.md"], { count: 1, tokens: 160 }],
    ])
  })

  test("a limit of hits leaves the others out, priced as what they are", () => {
    const files = {
      "shared/a.md": "- oil\n",
      "shared/b.md": "- oil two\n",
      "shared/c.md": "- oil one two three\n",
    }
    const { hits, more } = searched(files, "oil", { limit: 1 })
    expect([hits.length, more]).toEqual([
      1,
      { count: 2, tokens: o200k.count("- oil two") + o200k.count("- oil one two three") },
    ])
  })
})

test("a hit that is cut says which of its lines are shown", () => {
  const before = Array.from({ length: 20 }, (_, at) => `Line ${at + 1} says nothing of interest to anyone.`)
  const after = before.map((line) => line.replace("Line", "Then"))
  const text = `# Log\n\n${[...before, "The lantern is in the blue shed.", ...after].join("\n")}\n`
  const { hits } = searched({ "shared/a.md": text, "shared/b.md": "- lantern\n" }, "blue lantern shed", {
    budget: 60,
  })
  const [hit] = hits
  const lines = text.split("\n").slice((hit?.lines[0] ?? 0) - 1, hit?.lines[1])
  expect(lines[0]).toBe("The lantern is in the blue shed.")
  expect([
    hit?.lines[0],
    `... ${lines.join("\n")}`.startsWith((hit?.text ?? "").replace(/ \.\.\.$/, "")),
  ]).toEqual([23, true])
  expect(lines.at(-1)).toContain(
    (hit?.text ?? "")
      .replace(/ \.\.\.$/, "")
      .split("\n")
      .at(-1),
  )
})

describe("a snippet", () => {
  /** A token is a character, so that every limit can be seen. */
  const counter = counterFrom("characters", (text) => text.length)
  const snip = (text: string, most: number, ...terms: readonly string[]) =>
    snippetOf(text, { terms: new Set(terms), most, counter })

  test("is the text where that fits, and is cut where it is one token too long", () => {
    expect([snip("a lantern\nis lit", 16), snip("a lantern\nis lit", 15, "lantern")]).toEqual([
      { text: "a lantern\nis lit", tokens: 16, skipped: 0, lines: 2 },
      { text: "a lantern ...", tokens: 13, skipped: 0, lines: 1 },
    ])
  })

  test("begins at the sentence or the line of what is asked for, if that is near", () => {
    const filler = "plain words go on and on here"
    const letters = [..."abcdefghijklmnopqrstuvwxyz".repeat(3)].join(" ")
    const shown = (before: string, most = 60) =>
      snip(`${filler} ${filler}${before}the lantern is lit ${letters}`, most, "lantern")
    expect([". ", "? ", "! ", "\n", " so "].map((before) => shown(before).text)).toEqual([
      ...Array(4).fill("... the lantern is lit a b c d e f g h i j k l m n o ..."),
      "... lantern is lit a b c d e f g h i j k l m n o p q ...",
    ])
    // One more character of room is one more letter, or none.
    expect([61, 62, 63].map((most) => shown(". ", most).text.slice(-9))).toEqual([
      ...["m n o ...", "n o p ...", "n o p ..."],
    ])
    expect([shown("\n"), shown(". ")].map(({ skipped, lines }) => [skipped, lines])).toEqual([
      [1, 1],
      [0, 1],
    ])
  })

  test("shows the window that has most of the words asked for, and the first of equal ones", () => {
    const gap = ` ${"x ".repeat(60)}`
    const text = `lantern one${gap}lantern lantern two${gap}lantern shed three${gap}shed lantern four`
    const start = (...terms: readonly string[]) => snip(text, 40, ...terms).text.slice(0, 15)
    expect([start("lantern", "shed"), start("lantern"), start("four"), start("none")]).toEqual([
      "... lantern she",
      "lantern one x x",
      "... four",
      "lantern one x x",
    ])
  })

  test("counts only words that are in the window together, and shows one that is longer than the room", () => {
    const gap = ` ${"x ".repeat(60)}`
    const text = `lantern one${gap}shed two${gap}lantern shed three`
    expect(snip(text, 40, "lantern", "shed").text).toBe("... lantern shed three")
    const near = `lantern ${"x ".repeat(20)}shed one${gap}lantern shed three`
    expect(snip(near, 40, "lantern", "shed").text).toBe("... lantern shed three")
    expect(snip(`some plain words here ${"lantern".repeat(3)} ends`, 16, "lantern".repeat(3)).text).toBe(
      "... lantern ...",
    )
  })

  test("of one long word without a gap is cut within, never inside a character", () => {
    expect(snip("x".repeat(100), 20).text).toBe(`${"x".repeat(15)} ...`)
    expect(snip("😀".repeat(50), 20).text.isWellFormed()).toBe(true)
    expect(snip("lantern is lit here", 8, "lantern").text).toBe("lant ...")
    expect(snip("lantern", 2, "lantern")).toEqual({ text: "...", tokens: 3, skipped: 0, lines: 1 })
  })

  test("that begins with blank lines counts them as skipped, since they are not shown", () => {
    expect(snip("\n\nplain words go on and on", 15)).toEqual({
      ...{ text: "plain ...", tokens: 9 },
      ...{ skipped: 2, lines: 1 },
    })
  })

  test("is never too long, is well-formed, and is in the text where its lines say", () => {
    const piece = fc.oneof(
      fc.constantFrom("lantern", "shed", "\n", ". ", " ", "😀"),
      fc.lorem({ maxCount: 3 }),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(" ")),
        fc.integer({ min: 3, max: 120 }),
        (text, most) => {
          const { text: shown, tokens, skipped, lines } = snip(text, most, "lantern", "shed")
          expect([tokens, tokens <= most, shown.isWellFormed()]).toEqual([shown.length, true, true])
          const inner = shown.replace(/^\.\.\. /, "").replace(/ \.\.\.$/, "")
          const rows = text.split("\n").slice(skipped, skipped + lines)
          if (shown !== "...") expect(rows.join("\n")).toContain(inner)
        },
      ),
      { numRuns: 300 },
    )
  })
})
