// A long line is quoted where it differs: both quotes are short, and they differ if the lines do.
import fc from "fast-check"
import { expect, test } from "vitest"
import { quotedChange } from "../../../src/capture/attribute/quoted-change.ts"

const LONG =
  "- **Ferry:** the *Margareta*, Tuesday to Sunday. Leaves Norrbrygga at 09:30 and 15:30, leaves Ytterholm at 10:15 and 16:45. The crossing takes 25 minutes."

test("a long line that was edited in its middle", () => {
  expect(quotedChange(LONG, LONG.replace("09:30 and 15:30", "09:15 and 15:15"))).toEqual({
    before: "…Leaves Norrbrygga at 09:30 and 15:30, leaves Ytterholm at 10:15…",
    after: "…Leaves Norrbrygga at 09:15 and 15:15, leaves Ytterholm at 10:15…",
  })
})

test("a long line that was edited at its end, and one that grew", () => {
  expect(quotedChange(LONG, LONG.replace("25 minutes.", "half an hour."))).toEqual({
    before: "…16:45. The crossing takes 25 minutes.",
    after: "…16:45. The crossing takes half an hour.",
  })
  expect(quotedChange("Short.", `Short. ${LONG}`)).toEqual({
    before: "Short.",
    after: `Short. ${LONG.slice(0, 112)}…`,
  })
})

test("short lines are quoted whole, and so is the beginning of a line that is new", () => {
  expect(quotedChange("  - one\r", "- two")).toEqual({ before: "- one", after: "- two" })
  expect(quotedChange(undefined, LONG)).toEqual({ before: undefined, after: `${LONG.slice(0, 119)}…` })
  expect(quotedChange(LONG, undefined)).toEqual({ before: `${LONG.slice(0, 119)}…`, after: undefined })
})

const line = fc.string({ unit: "grapheme", maxLength: 400 })

test("whatever the lines are", () => {
  fc.assert(
    fc.property(line, line, line, line, (start, one, other, end) => {
      const [was, is] = [`${start}${one}${end}`.trim(), `${start}${other}${end}`.trim()]
      const { before = "", after = "" } = quotedChange(was, is)
      for (const [shown, whole] of [
        [before, was],
        [after, is],
      ] as const) {
        expect(shown.length).toBeLessThanOrEqual(121)
        expect(shown.isWellFormed()).toBe(whole.isWellFormed())
        expect(whole).toContain(shown.replace(/^…/, "").replace(/…$/, ""))
      }
      if (was !== is) expect(before).not.toBe(after)
    }),
  )
})
