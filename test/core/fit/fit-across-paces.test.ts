// The head's room is divided between stable and session text: by need across both, within the budget, and so that
// sessions share the bytes of stable text.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { PRIORITIES, type Priority } from "../../../src/core/model/priority.ts"
import type { Cut } from "../../../src/core/model/section.ts"
import { chars, fileSection, makeAgent, makeFile, makeProfile, makeSession, sessionSection } from "../make.ts"

interface Text {
  readonly pace: "stable" | "session"
  readonly priority: Priority
  readonly cut: Cut
  /** Lines of ten characters. */
  readonly lines: number
}

const body = (lines: number) => "123456789\n".repeat(lines).trimEnd()
/** Tags and line ends around a section with an id of two letters. */
const FRAME = "<s0>\n\n</s0>\n\n".length
const MARKER = "[99 of 99 lines were left out here to fit the budget.]\n".length
const sizeOf = (lines: number) => body(lines).length + FRAME

function headOf(texts: readonly Text[], limit: number) {
  const specs = texts.map(({ pace, priority, cut }, at) =>
    pace === "stable"
      ? fileSection(`s${at}`, { priority, cut })
      : sessionSection(`s${at}`, { priority, cut }),
  )
  const files = (pace: Text["pace"]) =>
    texts.flatMap((text, at) =>
      text.pace === pace && text.lines > 0 ? [makeFile({ role: `s${at}`, text: body(text.lines) })] : [],
    )
  const head = createCompiler({ profile: makeProfile(specs), counter: chars }).head(
    makeAgent({ files: files("stable") }),
    makeSession({ files: files("session") }),
    { budget: { window: 1_000_000, reserve: 0, head: limit } },
  )
  const { entries, blocks } = head.baseline
  const used = blocks.reduce((sum, { tokens }) => sum + tokens, 0)
  const stable = blocks.find(({ pace }) => pace === "stable")?.text ?? ""
  return {
    used,
    stable,
    tokens: texts.map((_, at) => entries.find(({ id }) => id === `s${at}`)?.tokens ?? 0),
  }
}

describe("session text", () => {
  const low: Text = { pace: "stable", priority: "low", cut: "lines", lines: 270 }
  const note: Text = { pace: "session", priority: "high", cut: "whole", lines: 1 }

  test("has a share of the head that stable text cannot take", () => {
    const { tokens, used } = headOf([low, note], 500)
    expect(tokens[1]).toBe(sizeOf(1))
    expect(used).toBeLessThanOrEqual(500)
  })

  test("that is required takes room from less needed stable text, however long it is", () => {
    const { tokens, used } = headOf([low, { ...note, priority: "required", lines: 40 }], 500)
    expect(tokens[1]).toBe(sizeOf(40))
    expect(used).toBeLessThanOrEqual(500)
    expect(headOf([low, { ...note, priority: "required", lines: 60 }], 500).used).toBe(sizeOf(60))
  })

  test("that cannot be cut to its share takes room from less needed stable text", () => {
    const { tokens, used } = headOf([low, { ...note, lines: 30 }], 500)
    expect(tokens[1]).toBe(sizeOf(30))
    expect(used).toBeLessThanOrEqual(500)
  })

  test("gets the room that stable text leaves", () => {
    expect(
      headOf(
        [
          { ...low, lines: 5 },
          { ...note, cut: "lines", lines: 40 },
        ],
        600,
      ).used,
    ).toBe(sizeOf(5) + sizeOf(40))
  })
})

test("four files with 17,000 tokens in a head of 10,000: all are kept, and none takes most of it", () => {
  const file = (pace: Text["pace"], lines: number, priority: Priority = "high"): Text => ({
    pace,
    priority,
    cut: "lines",
    lines,
  })
  const { tokens, used } = headOf(
    [
      { pace: "session", priority: "required", cut: "whole", lines: 6 },
      file("stable", 1_000),
      file("stable", 300, "medium"),
      file("stable", 300),
      file("session", 100),
    ],
    10_000,
  )
  expect(used).toBeLessThanOrEqual(10_000)
  expect(tokens.every((count) => count > 0)).toBe(true)
  expect(Math.max(...tokens)).toBeLessThan(4_000)
  expect(tokens[4]).toBe(sizeOf(100))
})

test("a stable text that cannot be cut is kept if session text leaves enough room", () => {
  const big: Text = { pace: "stable", priority: "high", cut: "whole", lines: 88 }
  expect(headOf([big, { pace: "session", priority: "low", cut: "whole", lines: 1 }], 1_000).tokens).toEqual([
    sizeOf(88),
    sizeOf(1),
  ])
})

const text: fc.Arbitrary<Text> = fc.record({
  pace: fc.constantFrom("stable", "session"),
  priority: fc.constantFrom(...PRIORITIES),
  cut: fc.constantFrom<Cut>("whole", "lines"),
  lines: fc.integer({ min: 0, max: 60 }),
})
const texts = fc.array(text, { minLength: 1, maxLength: 9 })
const limits = fc.integer({ min: 0, max: 2_000 })
const RUNS = { seed: 7, numRuns: 300 }

describe("for any texts and any budget", () => {
  test("the head is within its budget, or contains only required text", () => {
    fc.assert(
      fc.property(texts, limits, (made, limit) => {
        const required = made.filter(({ priority, lines }) => priority === "required" && lines > 0)
        const least = required.reduce((sum, { lines }) => sum + sizeOf(lines), 0)
        const { used } = headOf(made, limit)
        if (least > limit) expect(used).toBe(least)
        else expect(used).toBeLessThanOrEqual(limit)
      }),
      RUNS,
    )
  })

  test("nothing is dropped while less needed text of either pace could make room", () => {
    fc.assert(
      fc.property(texts, limits, (made, limit) => {
        const { tokens } = headOf(made, limit)
        for (const [at, { priority, cut, lines }] of made.entries()) {
          if (lines === 0 || (tokens[at] ?? 0) > 0) continue
          const others = made.reduce((sum, other, place) => {
            return (
              sum +
              (PRIORITIES.indexOf(other.priority) > PRIORITIES.indexOf(priority) ? 0 : (tokens[place] ?? 0))
            )
          }, 0)
          const shortest = cut === "whole" ? sizeOf(lines) : Math.min(sizeOf(lines), sizeOf(1) + MARKER)
          expect(shortest).toBeGreaterThan(limit - others)
        }
      }),
      RUNS,
    )
  })

  test("stable bytes don't depend on session text, as long as nothing would be dropped", () => {
    const stable = fc.array(
      text.map((one): Text => ({ ...one, pace: "stable", cut: "lines" })),
      { minLength: 1, maxLength: 3 },
    )
    const lines = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 3, maxLength: 3 })
    const needs = fc.constantFrom<Priority>("high", "medium", "low")
    const room = fc.integer({ min: 2_000, max: 4_000 })
    fc.assert(
      fc.property(stable, needs, lines, lines, room, (made, priority, a, b, limit) => {
        fc.pre(made.every(({ priority: own }) => own !== "required"))
        const session = (sizes: readonly number[]) =>
          sizes.map((size): Text => ({ pace: "session", priority, cut: "lines", lines: size }))
        const [one, other] = [
          headOf([...made, ...session(a)], limit),
          headOf([...made, ...session(b)], limit),
        ]
        expect(one.stable).toBe(other.stable)
      }),
      RUNS,
    )
  })
})
