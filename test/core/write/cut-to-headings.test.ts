// Cuts to headings and to a menu: whole chapters, and a list of the others with their cost.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TextPart } from "../../../src/core/model/content.ts"
import { bodyOf } from "../../../src/core/model/source.ts"
import { cutParts } from "../../../src/core/write/cut.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { createWriter, writtenText } from "../../../src/core/write/write.ts"
import { chars, makeFile, makePart } from "../make.ts"

function cut(parts: readonly TextPart[], how: "headings" | "menu", limit: number, tool?: string) {
  const write = createWriter(tags, chars)
  const options = {
    limit,
    counter: chars,
    reader: tool === undefined ? undefined : { tool, folders: [] },
    write: (kept: readonly TextPart[]) => write({ id: "s" }, kept),
  }
  const written = cutParts(parts, how, options)
  return written && writtenText(written)
}

const inside = (body: string) => `<s>\n${body}\n</s>\n\n`
const long = (unit: string) => unit.repeat(100)

describe("headings", () => {
  test("keeps whole chapters that fit and lists the others with their cost", () => {
    const text = `Intro.\n\n# One\n\n${long("a")}\n\n# Two\n\nshort\n`
    const price = `# One\n\n${long("a")}\n\n`.length
    const expected = inside(
      `Intro.\n\n# Two\n\nshort\n\n\n[Left out to fit the budget.\n- One (${price} tokens)]`,
    )
    expect(cut([makePart(text)], "headings", 100)).toBe(expected)
  })

  test("keeps a chapter that is shorter than its line in the list would be", () => {
    const text = `Intro.\n\n# One\n\n${long("a")}\n\n# Two\n\nshort\n`
    const expected = inside("Intro.\n\n# Two\n\nshort\n\n\n[Left out to fit the budget.\n- One (109 tokens)]")
    expect(cut([makePart(text)], "headings", expected.length)).toBe(expected)
  })

  test("names the file to read them in, if there is a reading tool", () => {
    const text = `Intro.\n\n# One\n\n${long("a")}`
    const expected = inside(
      "Intro.\n\n\n\n[Left out to fit the budget. To see one: read, NOTES.md.\n- One (107 tokens)]",
    )
    expect(cut([makePart(text)], "headings", expected.length, "read")).toBe(expected)
  })

  test("leaves out a child with its parent, even if the child alone would fit", () => {
    const text = `# Kept\n\nyes\n\n# Parent\n\n${long("p")}\n\n## Child\n\nno\n\n# After\n\nyes\n`
    const expected = inside(
      [
        "# Kept\n\nyes\n\n# After\n\nyes\n\n\n[Left out to fit the budget.",
        `- Parent (${`# Parent\n\n${long("p")}\n\n`.length} tokens)`,
        `- Child (${"## Child\n\nno\n\n".length} tokens)]`,
      ].join("\n"),
    )
    expect(cut([makePart(text)], "headings", 150)).toBe(expected)
  })

  test("ignores headings in a fence", () => {
    const text = ["# One\n\n```\n# not a heading\n```\n\n# Two\n\n", long("b")].join("")
    const expected = inside(
      "# One\n\n```\n# not a heading\n```\n\n\n\n[Left out to fit the budget.\n- Two (107 tokens)]",
    )
    expect(cut([makePart(text)], "headings", expected.length)).toBe(expected)
  })

  test("writes a title without its closing marks", () => {
    const text = `Intro.\n\n## About C#\n\n${long("c")}\n\n## Closed ##\n\n${long("d")}`
    const expected = inside(
      "Intro.\n\n\n\n[Left out to fit the budget.\n- About C# (115 tokens)\n- Closed (114 tokens)]",
    )
    expect(cut([makePart(text)], "headings", expected.length)).toBe(expected)
  })

  test("cuts by lines if no chapter fits, with or without leading blank lines", () => {
    const text = `# One\n\n${long("a")}`
    const lines = inside("# One\n\n[1 of 3 lines were left out here to fit the budget.]")
    expect(cut([makePart(text)], "headings", 90)).toBe(lines)
    expect(cut([makePart(text)], "headings", 20)).toBeUndefined()
  })

  test("names twelve of the chapters it left out, and counts the rest", () => {
    const text = `# Kept\n\nyes\n\n${Array.from({ length: 20 }, (_, at) => `# T${at}\n\n${long("b")}\n\n`).join("")}`
    expect(
      cut([makePart(text)], "headings", 500)
        ?.split("\n")
        .slice(-4),
    ).toEqual(["- and 7 more]", "</s>", "", ""])
  })

  test("keeps only whole chapters, in order and never without their parent, for any outline", () => {
    const chapter = fc.record({
      level: fc.integer({ min: 1, max: 4 }),
      size: fc.integer({ min: 1, max: 60 }),
    })
    fc.assert(
      fc.property(
        fc.array(chapter, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 600 }),
        (outline, limit) => {
          const texts = outline.map(
            ({ level, size }, at) => `${"#".repeat(level)} T${at}.\n${"x".repeat(size)}\n`,
          )
          const result = cut([makePart(texts.join(""))], "headings", limit)
          if (result === undefined || result.includes("lines were left out")) return
          expect(result.length).toBeLessThanOrEqual(limit)
          const held = new Set([...result.matchAll(/^- T(\d+)\. \(/gm)].map((match) => Number(match[1])))
          const kept = texts.filter((_text, at) => !held.has(at)).join("")
          const list = [...held].sort((a, b) => a - b).map((at) => `- T${at}. (${texts[at]?.length} tokens)`)
          const note = list.length === 0 ? "" : `\n\n[Left out to fit the budget.\n${list.join("\n")}]`
          expect(result).toBe(inside((kept + note).trim()))
          for (const [at] of outline.entries()) {
            const parents = ancestors(
              outline.map(({ level }) => level),
              at,
            )
            if (!held.has(at)) expect(parents.filter((parent) => held.has(parent))).toEqual([])
          }
        },
      ),
      { seed: 7, numRuns: 2_000 },
    )
  })
})

describe("menu", () => {
  const files = ["one", "two"].map((name) =>
    bodyOf(makeFile({ role: "rules", path: `rules/${name}.md`, text: `${name} ${long("x")}` })),
  )

  test("lists each file with its cost", () => {
    const expected = inside(
      "Not loaded, to fit the budget.\n- rules/one.md (104 tokens)\n- rules/two.md (104 tokens)",
    )
    expect(cut(files, "menu", expected.length)).toBe(expected)
    expect(cut(files, "menu", expected.length - 1)).toBeUndefined()
  })

  test("names the tool that loads them, if there is one", () => {
    const expected = inside(
      "Not loaded, to fit the budget. Load what you need with read.\n- rules/one.md (104 tokens)\n- rules/two.md (104 tokens)",
    )
    expect(cut(files, "menu", 1_000, "read")).toBe(expected)
  })

  test("lists text without a file with its cost, and names no tool for it", () => {
    const expected = inside("Not loaded, to fit the budget.\n- 100 tokens of text")
    expect(cut([{ text: long("y") }], "menu", 1_000, "read")).toBe(expected)
  })
})

/** The chapters above one in the outline, nearest first. */
function ancestors(levels: readonly number[], at: number): readonly number[] {
  const found: number[] = []
  let level = levels[at] ?? 0
  for (let above = at - 1; above >= 0; above -= 1) {
    if ((levels[above] ?? 0) >= level) continue
    found.push(above)
    level = levels[above] ?? 0
  }
  return found
}
