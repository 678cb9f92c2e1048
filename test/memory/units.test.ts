import fc from "fast-check"
import { expect, test } from "vitest"
import { fenceLines } from "../../src/base/text/fence.ts"
import { unitsOf } from "../../src/memory/shelf/units.ts"

const NOTES = `---
title: Notes
---
# People

Intro in two
lines.

## Carol

- birthday: 12 March
- likes tea
  - green, not black

  still tea
1. first

| who | what |
|-----|------|
| Bo  | cake |

\`\`\`sh
# not a heading

- not a bullet
\`\`\`

## 8 May 2023
2023-05-09: a dated entry
2023-05-10 another
`

test("a file becomes units with headings, dates, labels and exact lines", () => {
  const parts = unitsOf(NOTES, "shared/people.md")
  expect(
    parts.map(({ heading, date, units }) => ({
      heading,
      date,
      units: units.map(({ lines, text, date: own, label }) =>
        [...lines, text, own, label].filter((value) => value !== undefined),
      ),
    })),
  ).toEqual([
    { heading: ["People"], date: undefined, units: [[6, 7, "Intro in two\nlines."]] },
    {
      heading: ["People", "Carol"],
      date: undefined,
      units: [
        [11, 11, "- birthday: 12 March", "birthday"],
        [12, 12, "- likes tea"],
        [13, 15, "  - green, not black\n\n  still tea"],
        [16, 16, "1. first"],
        [18, 18, "| who | what |"],
        [20, 20, "| Bo  | cake |"],
        [22, 26, "```sh\n# not a heading\n\n- not a bullet\n```"],
      ],
    },
    {
      heading: ["People", "8 May 2023"],
      date: "2023-05-08",
      units: [
        [29, 29, "2023-05-09: a dated entry", "2023-05-09"],
        [30, 30, "2023-05-10 another", "2023-05-10"],
      ],
    },
  ])
})

test("a file's name says its date", () => {
  for (const [name, date] of [
    ["private/2024-03-01.md", "2024-03-01"],
    ["private/20240301.md", "2024-03-01"],
    ["private/2024-03.md", "2024-03"],
    ["private/plans.md", undefined],
    ["private/202403.md", undefined],
  ] as const)
    expect(unitsOf("a line\n", name)[0]?.date).toBe(date)
})

const LINE = fc.oneof(
  fc.constantFrom(
    "",
    "# A",
    "## B",
    "- bullet",
    "  - nested",
    "plain",
    "```",
    "~~~",
    "````",
    "| a |",
    "|---|",
    "2024-01-02: entry",
    "  indented",
    "<!-- x -->",
  ),
  fc.string({ unit: "grapheme" }),
)

test("units are exact runs of lines, in order, without overlap, and no fence is cut", () => {
  fc.assert(
    fc.property(fc.array(LINE, { maxLength: 40 }), (drawn) => {
      const lines = drawn.join("\n").split("\n")
      const units = unitsOf(lines.join("\n"), "a.md").flatMap((part) => part.units)
      const fenced = fenceLines(lines, "any")
      let last = 0
      for (const {
        lines: [from, to],
        text,
      } of units) {
        expect(from).toBeGreaterThan(last)
        expect(text).toBe(lines.slice(from - 1, to).join("\n"))
        last = to
      }
      // Whatever says something and is no heading, rule or front matter is in a unit.
      const shown = new Set(
        units.flatMap(({ lines: [from, to] }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
      )
      for (const [at, isFenced] of fenced.entries()) if (isFenced) expect(shown.has(at + 1)).toBe(true)
      const fences = units
        .map(({ text }) => text.split("\n"))
        .map((own) => fenceLines([...own, "."], "any").at(-1))
      expect(fences.slice(0, -1).filter((isOpen) => isOpen)).toEqual([])
    }),
    { seed: 7, numRuns: 400 },
  )
})
