import { expect, test } from "vitest"
import { makeFile } from "../core/make.ts"
import { lintFiles, lintText } from "./lint-text.ts"

test.each([
  ["Last updated: 2026-06-12 14:05", "the time of its last change"],
  ["*Last modified* on 12 June 2026, 14:05", "the time of its last change"],
  ["**Last updated:** June 12th, 2026 at 2:05 pm", "the time of its last change"],
  ["Last edited by: 2026-06-12T14:05:00Z", "the time of its last change"],
  ["Last synced: 2026-06-12", "the date on which it was generated"],
  ["_Last generated_ on 12 June 2026", "the date on which it was generated"],
  ["<!-- generated on 2026-06-12 by a script -->", "the date on which it was generated"],
  ["Generated: Friday, 12.06.2026", "the date on which it was generated"],
  ["Today is Friday.", "today's date"],
  ["Today's date: 2026-06-12", "today's date"],
  ["The current time is 10:42.", "today's date"],
  ["Current date: Friday", "today's date"],
  ["2026-06-12T10:42:00Z", "the time when it was written"],
  ["_(2026-06-12 10:42)_", "the time when it was written"],
  ["**Timestamp:** 2026-06-12 10:42", "the time when it was written"],
  ["Session started at 2026-06-12T10:42:00Z", "the time when it was written"],
  ["- Updated: 2026-06-12, 10:42", "the time when it was written"],
  ["Updated on 2026-06-12 at 10:42", "the time when it was written"],
  ["Status as of 2026-06-12 10:42 UTC", "the time when it was written"],
  ["This is run #123.", "a counter"],
  ["Heartbeat no. 7", "a counter"],
  ["ts: 1781234567", "a Unix time"],
  ["at 1781234567890.", "a Unix time"],
])("text that changes automatically: %j", (line, what) => {
  expect(lintText(`# Rules\n${line}\n`)).toEqual([
    { code: "moving-text-in-file", path: "rules/a.md", line: 2, what, needs: "public" },
  ])
})

test.each([
  "The lamp was first lit in 1887 and is off the list since 1998.",
  "Their answer is due on 2026-06-12.",
  "Jonas turns 50 on Thursday 27 August 2026.",
  "If today is Friday, remind Jonas. Today is a good day.",
  "Ask when it was last updated. Lists are generated on demand.",
  "As of version 3 this is gone. As of 1998 it is off the list.",
  "See pull request #12 and issue #123. Run 3 tests.",
  "Call +4615123456789 or telegram:1712345678, see example.org/1712345678 and v1.1712345678",
  "Write times as `2026-06-12T10:42:00Z`.",
  "Leaves at 09:30 and 15:30. ISBN 978-1781234567.",
  "Today is {{DATE}}.",
  "**Last Updated**: 2026-06-12",
  "*Last modified* on 12 June 2026, by Jonas",
  "**How to read the log (added 2026-06-12 10:42):**",
  "3. Ring twice at night (Jonas, 2026-06-12 10:42)",
  "### The rule of the lamp, learnt on 2026-06-12 04:30",
  "夜は一度だけ鳴らす（2026-06-12 10:42追加）",
  "@jonas (2026-06-12 10:42 UTC):",
  "The ferry of 2026-06-12 10:42 was late because nobody had looked at the tide.",
  "We updated the engine on 2026-06-12 10:42 after the storm.",
])("a date that is part of the content is fine: %j", (line) => {
  expect(lintText(line)).toEqual([])
})

test("ignores code, reports the file's lines, and needs the file's trust", () => {
  const text = "```json\n2026-06-12T10:42:00Z\n```\nNow 2026-06-12T10:42:00Z\n"
  expect(lintFiles([makeFile({ role: "soul", path: "SOUL.md", text, firstLine: 4, trust: "full" })])).toEqual(
    [
      {
        code: "moving-text-in-file",
        path: "SOUL.md",
        line: 7,
        what: "the time when it was written",
        needs: "full",
      },
    ],
  )
})

test.each(["As of June 2026 there are seven.", "as of 2026-06-12, Node 24 is required"])(
  "a fixed date that says since when something holds stays: %s",
  (text) => {
    expect(lintText(text)).toEqual([])
  },
)
