// The line diff of two texts is exact, small for a small change, and inexpensive for any text.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { diffLines, patched, patchOf } from "../../src/base/text/line-diff.ts"

const lines = (text: string) => text.split("")

describe("diffLines", () => {
  test("gives one hunk for a changed, added or removed line", () => {
    expect(diffLines(lines("abcd"), lines("abXd"))).toEqual([{ at: 2, removed: 1, to: 2, added: 1 }])
    expect(diffLines(lines("abcd"), lines("abcdX"))).toEqual([{ at: 4, removed: 0, to: 4, added: 1 }])
    expect(diffLines(lines("abcd"), lines("acd"))).toEqual([{ at: 1, removed: 1, to: 1, added: 0 }])
    expect(diffLines(lines("abcd"), lines("abcd"))).toEqual([])
  })

  test("keeps distant changes in separate hunks", () => {
    expect(diffLines(lines("abcdef"), lines("XbcdeY"))).toEqual([
      { at: 0, removed: 1, to: 0, added: 1 },
      { at: 5, removed: 1, to: 5, added: 1 },
    ])
  })

  test("finds a change among repeated lines", () => {
    expect(diffLines(lines("-a-b-c-"), lines("-a-X-c-"))).toEqual([{ at: 3, removed: 1, to: 3, added: 1 }])
  })

  test("gives a patch that turns any old text into any new one", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", "", "e", "f", "g"), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (old, now) => {
        const hunks = diffLines(old, now)
        expect(patched(old, patchOf(hunks, now))).toEqual(now)
        for (const { removed, added } of hunks) expect(removed + added).toBeGreaterThan(0)
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })

  test("gives one hunk of one line for one changed line, wherever it is", () => {
    const made = fc.record({ length: fc.integer({ min: 1, max: 200 }), seed: fc.nat() })
    fc.assert(
      fc.property(made, ({ length, seed }) => {
        const old = Array.from({ length }, (_, at) => (at % 3 === 0 ? "" : `line ${at}`))
        const at = seed % length
        expect(diffLines(old, old.with(at, "changed"))).toEqual([{ at, removed: 1, to: at, added: 1 }])
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})
