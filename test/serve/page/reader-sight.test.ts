// What a reader is left without: sections and tools of a report, calls of a time with more trust, trust that is spelled
// wrongly, and prompts that were not sent.
import { expect, test } from "vitest"
import type { Report, ReportSection } from "../../../src/core/read/report.ts"
import { isSeen, seenBy } from "../../../src/serve/api/sessions/seen.ts"
import { visibleReport } from "../../../src/serve/api/sessions/visible-report.ts"
import { audiences } from "../../../src/serve/page/agent/agent-page.ts"
import { compiledSource } from "../../../src/serve/page/compiled-source.ts"
import { OPERATOR } from "./captured-files.ts"

function section(id: string, facts: Partial<ReportSection> = {}): ReportSection {
  return {
    ...{ id, kind: "section", pace: "stable", priority: "high", trust: "public", tokens: 3 },
    ...{ outcome: { kind: "included" }, spans: [{ block: 0, start: 0, end: 4 }], sent: null, current: null },
    ...{ by: [], ...facts },
  }
}

const UNUSED = { kind: "unused", why: { kind: "no-file", role: "soul", looked: [] } } as const
const WITHHELD = { kind: "withheld", needs: "full", has: "familiar" } as const
const tool = (name: string, outcome: Report["tools"][number]["outcome"]) => ({
  ...({ name, tokens: 1, digest: "sha256:0", outcome } as const),
})

test("a report has for its audience what was sent, and nothing that it may not see or that has no text", () => {
  // It is a report as far as this looks into it.
  const report = {
    trust: "familiar",
    sections: [
      section("sent"),
      section("for-familiars", { trust: "familiar" }),
      section("for-more-trust", { trust: "inner" }),
      section("for-a-trust-of-the-future", { trust: "someday" }),
      section("withheld", { outcome: WITHHELD }),
      section("without-text", { outcome: UNUSED, spans: [] }),
      section("with-a-hint", { outcome: UNUSED }),
    ],
    tools: [tool("list", { kind: "included" }), tool("shell", WITHHELD), tool("memory", UNUSED)],
    withheld: [{ path: "SAFE.md", role: "rule", why: "trust", needs: "full" }],
    diagnostics: [{ code: "bad-link", level: "warning", message: "SAFE.md leads nowhere" }],
  } as unknown as Report
  const shown = visibleReport(report)
  expect({
    sections: shown.sections.map(({ id }) => id),
    tools: shown.tools.map(({ name }) => name),
    withheld: shown.withheld,
    diagnostics: shown.diagnostics,
  }).toEqual({
    sections: ["sent", "for-familiars", "with-a-hint"],
    ...{ tools: ["list"], withheld: [], diagnostics: [] },
  })
  const nobody = visibleReport({ ...report, trust: "someday" })
  expect(nobody.sections.map(({ id }) => id)).toEqual(["sent", "with-a-hint"])
})

test("a call of a time with more trust is not shown any more, and what was asked beside turns needs full trust", () => {
  const reader = { situation: "dm", from: { situation: "dm" }, scopes: ["read"] } as const
  const ada = seenBy({ ...reader, user: "ada", trust: "familiar" }, "s")
  const owner = seenBy({ ...reader, user: undefined, trust: "full" }, "s")
  const calls = [
    { turn: "a", trust: "familiar" },
    { turn: "b", trust: "inner" },
    { turn: "c.title", trust: "public" },
  ] as const
  expect(calls.map((call) => isSeen(call, ada))).toEqual([true, false, false])
  expect(calls.map((call) => isSeen(call, owner))).toEqual([true, true, true])
})

test("a misspelt trust is shown as none", () => {
  const config = {
    users: { ada: { trust: "familiar" }, bo: { trust: "fulll" } },
    situations: { quay: { ceiling: "iner" } },
  }
  const { people, situations } = audiences({ config: () => config })
  expect(people).toEqual([
    { name: "ada", trust: "familiar", isOwner: false },
    { name: "bo", trust: "public", isOwner: false },
  ])
  expect(situations).toContainEqual({ name: "quay", ceiling: "public" })
})

test("a prompt that was not sent is for operators", async () => {
  const versions = async () => [{ report: undefined, error: "no incipit.yaml", at: 1, number: 1 }]
  const source = compiledSource({ id: "folder", title: "boats", versions })
  const asked = async (reader: typeof OPERATOR) => [
    (await source.sessions(reader, { limit: 9 })).sessions.length,
    (await source.calls(reader, { session: "folder", limit: 9 }))?.calls.length,
    (await source.call(reader, "folder.1"))?.call.error,
    (await source.simulated(reader, "folder"))?.session,
  ]
  expect(await asked(OPERATOR)).toEqual([1, 1, "no incipit.yaml", "folder"])
  for (const reader of [
    { ...OPERATOR, scopes: ["read"] as const },
    { ...OPERATOR, trust: "inner" as const },
  ])
    expect(await asked(reader)).toEqual([0, undefined, undefined, undefined])
})
