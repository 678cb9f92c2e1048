// Where the text of a prompt is found in a request, and when a folder has another prompt than before. Pure.
import { expect, test } from "vitest"
import type { CallPart } from "../../../src/capture/split/part.ts"
import type { Report } from "../../../src/core/read/report.ts"
import { planSpans } from "../../../src/serve/page/agent/plan-spans.ts"
import { folderVersions } from "../../../src/serve/page/folder-versions.ts"
import { reportDetail, reportRow } from "../../../src/serve/page/report-detail.ts"

const block = (placement: "head" | "tail", text: string) => ({
  ...{ placement, text, pace: placement === "head" ? "stable" : "turn", tokens: 1, breakpoint: null },
})
const section = (id: string, at: number, start: number, end: number, current: string | null = null) => ({
  ...{ id, kind: "section", outcome: { kind: "included" }, current, spans: [{ block: at, start, end }] },
})

/** It is a report as far as this looks into it. */
function reportOf(blocks: readonly object[], sections: readonly object[]): Report {
  const rest = { tools: [], withheld: [], diagnostics: [], prefix: "", budget: { factor: 1 }, model: null }
  return { blocks, sections, ...rest } as unknown as Report
}

test("of texts that are the same, each is found where it is: one after the other, and the turn's at the end", () => {
  const report = reportOf(
    [block("head", "Be brief.\n"), block("head", "Be brief.\n"), block("tail", "<now>\n")],
    [section("first", 0, 0, 10), section("second", 1, 0, 10), section("clock", 2, 0, 6)],
  )
  // They are parts as far as this looks into them.
  const parts = [
    { tier: "system", kind: "system", text: "Be brief.\nBe brief.\n" },
    { tier: "messages", kind: "text", role: "user", text: "<now>\n is what you said.\n<now>\n" },
  ] as unknown as readonly CallPart[]
  const found = planSpans(parts, { report, tail: report }).flatMap(({ spans }) =>
    spans.flatMap(({ start, end, section: of }) => (of === null ? [] : [[of, start, end]])),
  )
  expect(found).toEqual([
    ["first", 0, 10],
    ["second", 10, 20],
    ["clock", 25, 31],
  ])
})

test("a stretch of an edited report that its text does not have is left out", () => {
  const report = reportOf(
    [block("head", "Be brief.\n"), block("head", "And kind.\n")],
    [
      section("in", 0, 0, 10),
      section("beyond", 0, 4, 11),
      section("backwards", 0, 6, 5),
      section("other", 1, 0, 3),
    ],
  )
  const row = reportRow(report, { id: "a.1", session: "a", turn: "a", step: 1, at: 0, error: null })
  const { parts } = reportDetail(report, row)
  expect(parts.map(({ spans }) => spans.map((span) => span.section))).toEqual([["in"], ["other"]])
})

test("a folder whose clock alone goes on has no new version; one whose text has changed does", async () => {
  let [time, soul] = [0, "a"]
  const { versions } = folderVersions({
    folder: "/nowhere",
    problem: String,
    now: () => time,
    compile: async () =>
      reportOf([], [section("clock", 0, 0, 1, `at ${time}`), section("soul", 0, 0, 1, soul)]),
  })
  expect((await versions()).map(({ number }) => number)).toEqual([1])
  time += 60_000
  expect((await versions()).map(({ number }) => number)).toEqual([1])
  soul = "b"
  expect((await versions()).map(({ number, at }) => [number, at])).toEqual([
    [1, 0],
    [2, 60_000],
  ])
})
