// The difference between two prompts, and the first unit that differs, with its owner, file and line.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import type { Tool } from "../../../src/core/model/inputs.ts"
import { type Difference, diff } from "../../../src/core/read/diff.ts"
import { type Report, report } from "../../../src/core/read/report.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
  turnSection,
} from "../make.ts"

interface Made {
  /** Texts by section, in the order of the profile. */
  readonly texts?: Readonly<Record<string, string>>
  readonly tools?: readonly Tool[]
  readonly clock?: string
  readonly head?: number
}

function reportOf({ texts = {}, tools = [], clock, head }: Made): Report {
  const sections = Object.keys(texts).map((id) => fileSection(id, { cut: "lines" }))
  const files = Object.entries(texts).map(([role, text]) => makeFile({ role, text, firstLine: 3 }))
  const turn = makeTurn(clock === undefined ? {} : { inputs: { clock } })
  const input = { agent: makeAgent({ files, tools }), session: makeSession(), turn }
  const budget = { window: 10_000, reserve: 0, ...(head !== undefined && { head }) }
  return report(compile(makeProfile([...sections, turnSection("clock")]), input, { counter: chars, budget }))
}

const between = (before: Made, after: Made) => diff(reportOf(before), reportOf(after))
const same: Difference = {
  added: [],
  removed: [],
  changed: [],
  moved: [],
  tools: { added: [], removed: [], changed: [] },
  first: undefined,
}

test("the same prompt has no difference", () => {
  const made = { texts: { a: "A", b: "B" }, tools: [makeTool("read")], clock: "1" }
  expect(between(made, made)).toEqual(same)
})

describe("sections", () => {
  test("that were added, removed and changed", () => {
    expect(between({ texts: { a: "A", b: "B" } }, { texts: { b: "C", c: "C" } })).toEqual({
      ...same,
      added: ["c"],
      removed: ["a"],
      changed: ["b"],
      first: {
        kind: "text",
        before: { section: "a", block: 0, offset: 1 },
        after: { section: "b", block: 0, offset: 1 },
        tokensAfter: 24,
      },
    })
  })

  test("that moved: the smallest set that explains it", () => {
    const before = { texts: { a: "A", b: "B", c: "C", d: "D" } }
    expect(between(before, { texts: { b: "B", c: "C", d: "D", a: "A" } }).moved).toEqual(["a"])
    expect(between(before, { texts: { d: "D", a: "A", b: "B", c: "C" } }).moved).toEqual(["d"])
    expect(between(before, { texts: { b: "B", x: "X", c: "C" } }).moved).toEqual([])
  })

  test("that didn't move are a longest common run, for any two orders", () => {
    const ids = ["a", "b", "c", "d", "e"]
    const order = fc.shuffledSubarray(ids, { minLength: 5 })
    fc.assert(
      fc.property(order, (shuffled) => {
        const textsOf = (names: readonly string[]) => ({
          texts: Object.fromEntries(names.map((id) => [id, id])),
        })
        const { moved } = between(textsOf(ids), textsOf(shuffled))
        const stayed = shuffled.filter((id) => !moved.includes(id))
        expect(stayed).toEqual(stayed.toSorted())
        expect(stayed.length).toBe(longestRun(shuffled))
      }),
      { seed: 7, numRuns: 120 },
    )
  })
})

describe("the first unit that differs", () => {
  test("is named with the file and the line it comes from on both sides", () => {
    const { first } = between({ texts: { a: "one\ntwo\nthree" } }, { texts: { a: "one\ntwo\nthrew" } })
    const owner = { section: "a", block: 0, offset: "<a>\none\ntwo\nthre".length, path: "A.md", line: 5 }
    expect(first).toEqual({
      kind: "text",
      before: owner,
      after: owner,
      tokensAfter: "<a>\none\ntwo\nthrew\n</a>\n\n".length,
    })
  })

  test("has the right line in a cut text", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    const cut = { head: 150 }
    const { first } = between(
      { texts: { a: lines.join("\n") }, ...cut },
      { texts: { a: lines.with(4, "line X").join("\n") }, ...cut },
    )
    expect(first?.kind === "text" && [first.before?.line, first.after?.line]).toEqual([7, 7])
  })

  test("may be past the end of one prompt", () => {
    const { first } = between({ texts: { a: "A" } }, { texts: { a: "A", b: "B" } })
    expect(first).toEqual({
      kind: "text",
      before: undefined,
      after: { section: "b", block: 0, offset: 12 },
      tokensAfter: 24,
    })
  })

  test("in the tail doesn't count the head's tokens", () => {
    const { changed, first } = between({ texts: { a: "A" }, clock: "1" }, { texts: { a: "A" }, clock: "2" })
    const offset = "<turn-context>\n<clock>\n".length
    expect([changed, first]).toEqual([
      ["clock"],
      {
        kind: "text",
        before: { section: "clock", block: 1, offset },
        after: { section: "clock", block: 1, offset },
        tokensAfter: "<turn-context>\n<clock>\n2\n</clock>\n\n</turn-context>\n\n".length,
      },
    ])
  })

  test("is a tool, if both a tool and a text differ", () => {
    const before = { texts: { a: "A" }, tools: [makeTool("read"), makeTool("write")] }
    const after = {
      texts: { a: "B" },
      tools: [makeTool("list"), makeTool("read", { description: "Reads." })],
    }
    expect(between(before, after)).toMatchObject({
      tools: { added: ["list"], removed: ["write"], changed: ["read"] },
      changed: ["a"],
      first: { kind: "tool", name: "list" },
    })
  })
})

/** The length of the longest sorted subsequence of a list, found by trying all of them. */
function longestRun(list: readonly string[]): number {
  let best = 0
  for (let mask = 0; mask < 1 << list.length; mask += 1) {
    const part = list.filter((_one, at) => mask & (1 << at))
    if (part.every((one, at) => at === 0 || (part[at - 1] ?? "") < one)) best = Math.max(best, part.length)
  }
  return best
}
