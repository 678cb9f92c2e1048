// A cut names a tool only if that tool is registered and can open the very file that was cut.
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { TextPart } from "../../../src/core/model/content.ts"
import type { Cut } from "../../../src/core/model/section.ts"
import { bodyOf } from "../../../src/core/model/source.ts"
import { readerOf, toolFor } from "../../../src/core/view/reader.ts"
import { chars, fileSection, makeAgent, makeFile, makeProfile, makeSession, makeTool } from "../make.ts"

const text = `Intro.\n\n# One\n\n${"one ".repeat(30)}\n\n# Two\n\n${"two ".repeat(30)}\n`
const files = [makeFile({ role: "notes", path: "AGENTS.md", text })]

function cutWith(tools: readonly string[], how: Cut, parts?: readonly TextPart[], trust?: "public" | "full") {
  const spec = fileSection("notes", { cut: how, ...(parts && { build: () => ({ parts }) }) })
  const agent = makeAgent({ files, tools: tools.map((name) => makeTool(name, { trust: "familiar" })) })
  const session = makeSession({ directory: "/project", audience: { trust: trust ?? "full" } })
  const head = createCompiler({ profile: makeProfile([spec]), counter: chars }).head(agent, session, {
    budget: { window: 100_000, reserve: 0, head: 200 },
  })
  return head.blocks.map((block) => block.text).join("")
}

describe.each<Cut>(["headings", "lines", "ends", "menu"])("cut by %s", (how) => {
  test("names the tool that reads files, not the one that reads memory", () => {
    const cut = cutWith(["memory_get", "read"], how)
    expect(cut).toMatch(/\bread\b/)
    expect(cut).not.toContain("memory_get")
  })

  test("names none if the only one reads memory", () => {
    const cut = cutWith(["memory_get"], how)
    expect(cut).toContain("fit the budget")
    expect(cut).not.toMatch(/memory_get|To see|Load what/)
  })

  test("names none that the audience may not call", () => {
    expect(cutWith(["read"], how, undefined, "public")).not.toMatch(/\bread\b/)
  })

  test("names none for a file that no tool may open", () => {
    const above = bodyOf(makeFile({ role: "notes", path: "/AGENTS.md", text }))
    expect(cutWith(["read"], how, [above])).not.toMatch(/\bread\b/)
    const inside = bodyOf(makeFile({ role: "notes", path: "/project/AGENTS.md", text }))
    expect(cutWith(["read"], how, [inside])).toMatch(/\bread\b/)
  })
})

test("several files are not named, because a title doesn't show which file it is in", () => {
  const parts = ["a.md", "b.md"].map((path) => bodyOf(makeFile({ role: "notes", path, text })))
  expect(cutWith(["read"], "headings", parts)).not.toMatch(/\bread\b/)
})

test("a tool opens files of the workspace, the working directory and Incipit's home folder", () => {
  const agent = makeAgent({ tools: [makeTool("read")] })
  const reader = readerOf(agent, makeSession({ directory: "/project", directories: ["/data"] }))
  const named = (path: string) => toolFor(reader, path)
  for (const path of ["AGENTS.md", "rules/a.md", "/project/x.md", "/data/x.md", "~/.incipit/AGENTS.md"])
    expect([path, named(path)]).toEqual([path, "read"])
  for (const path of ["/project-2/x.md", "/etc/x.md", "~/.claude/CLAUDE.md", "../x.md", "C:\\x.md"])
    expect([path, named(path)]).toEqual([path, undefined])
})
