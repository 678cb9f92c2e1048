// Numbers, money, times, people and changed lines as the page writes them.
import { expect, test } from "vitest"
import {
  change,
  count,
  counted,
  moment,
  money,
  moneyChange,
  percent,
  shortCount,
  span,
} from "../../page/parts/figures.ts"
import { lineRows } from "../../page/parts/lines/line-rows.ts"
import { whoText } from "../../page/parts/who-text.ts"

test("numbers have as many digits as matter", () => {
  expect([0, 999, 1_204.4, 1_204_000].map(count)).toEqual(["0", "999", "1,204", "1,204,000"])
  expect([counted(1, "call"), counted(1_204, "call"), counted(2, "miss", "misses")]).toEqual([
    ...["1 call", "1,204 calls", "2 misses"],
  ])
  expect(
    [999, 1_000, 18_042, 99_949, 99_950, 999_499, 999_500, 1_234_567, 123_456_789].map(shortCount),
  ).toEqual([...["999", "1.0k", "18.0k", "99.9k", "100k", "999k", "1.00M", "1.23M", "123M"]])
  expect([0, 0.001, 0.01, 0.5, 0.99, 0.994, 0.9999, 1].map(percent)).toEqual([
    ...["0%", "< 1%", "1%", "50%", "99%", "> 99%", "> 99%", "100%"],
  ])
  expect([0.4, -0.4, 3, -1_204].map(change)).toEqual(["±0", "±0", "+3", "−1,204"])
})

test("money has cents as far as they matter, and never looks like nothing", () => {
  expect([null, 0, 0.00004, 0.0097, 0.0999, 0.1, 1.836, 999.99, 1_204.4].map(money)).toEqual([
    ...["no price", "$0", "under $0.0001", "$0.0097", "$0.0999", "$0.10", "$1.84", "$999.99", "$1,204"],
  ])
  expect([-0.00004, -0.5].map(money)).toEqual(["under −$0.0001", "−$0.50"])
  expect([0, 0.00004, -0.00004, 0.5, -1_204.4].map(moneyChange)).toEqual([
    ...["±$0", "under +$0.0001", "under −$0.0001", "+$0.50", "−$1,204"],
  ])
})

test("times are as long as people say them", () => {
  const minutes = [-1, 0.1, 1, 41, 119, 120, 125, 47 * 60, 49 * 60]
  expect(minutes.map((one) => span(one * 60_000))).toEqual([
    ...["0 s", "6 s", "1 min", "41 min", "119 min", "2 h", "2 h 5 min", "47 h", "2 days"],
  ])
  const now = new Date(2026, 10, 18, 9, 14).getTime()
  expect([moment(now, now), moment(new Date(2025, 0, 2, 23, 5).getTime(), now)]).toEqual([
    ...["18 Nov 09:14", "2 Jan 2025 23:05"],
  ])
})

test("a session is somebody's", () => {
  const stored = ["person:ada", "person:a:b", "unknown:telegram", "room:quay", "room:dm:person:ada", "owner"]
  expect(stored.map(whoText)).toEqual([
    ...["ada", "a:b", "unknown on telegram", "room quay", "ada in dm", "owner"],
  ])
})

test("changed lines have three lines around them, and a gap stands for at least two", () => {
  const before = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`)
  const shown = (...changed: readonly number[]) =>
    lineRows(
      before.join("\n"),
      before.map((line, at) => (changed.includes(at + 1) ? "new" : line)).join("\n"),
    ).map(({ kind, text, was, is }) =>
      kind === "gap" ? `… ${was}` : `${was ?? ""} ${is ?? ""} ${kind} ${text}`,
    )
  expect(shown(6)).toEqual([
    ...["… 2", "3 3 same line 3", "4 4 same line 4", "5 5 same line 5"],
    ...["6  removed line 6", " 6 added new", "7 7 same line 7", "8 8 same line 8", "9 9 same line 9", "… 3"],
  ])
  // One line is shown in place of a gap.
  expect(shown(5).slice(0, 2)).toEqual(["1 1 same line 1", "2 2 same line 2"])
  expect(shown(2, 10)[3]).toBe("3 3 same line 3")
  expect(shown()).toEqual([])
  // No text is no lines, and not an empty one.
  expect(lineRows("", "new\n\nline").map(({ kind }) => kind)).toEqual(["added", "added", "added"])
  expect(lineRows("old", "").map(({ kind }) => kind)).toEqual(["removed"])
})
