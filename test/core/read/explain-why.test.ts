// Why something is in a prompt, or why not: by section, tool, file, or any piece of text.
import { describe, expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import { explain } from "../../../src/core/read/explain.ts"
import { report } from "../../../src/core/read/report.ts"
import {
  chars,
  fileSection,
  filesSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
  turnSection,
} from "../make.ts"

const lines = Array.from({ length: 40 }, (_, at) => `Rule ${at}.`)
const files = [
  makeFile({ role: "soul", path: "SOUL.md", text: "Be kind.\nBe brief.", firstLine: 5 }),
  makeFile({ role: "rules", path: "rules/one.md", text: lines.join("\n") }),
  makeFile({ role: "memory", path: "MEMORY.md", text: "The code is 1234.", trust: "full" }),
  makeFile({ role: "spare", path: "notes/SPARE.md", text: "Nobody reads this." }),
  makeFile({ role: "soul", path: "other/SOUL.md", text: "Second." }),
]
const profile = makeProfile([
  fileSection("soul", { priority: "required" }),
  filesSection("rules", { cut: "lines" }),
  fileSection("memory"),
  fileSection("spare", { priority: "low", build: () => undefined }),
  turnSection("clock"),
])
const made = report(
  compile(
    profile,
    {
      agent: makeAgent({ files, tools: [makeTool("list"), makeTool("shell", { trust: "full" })] }),
      session: makeSession({ audience: { trust: "inner" } }),
      turn: makeTurn({ inputs: { clock: "Be kind." } }),
    },
    { counter: chars, budget: { window: 10_000, reserve: 0, head: 250 } },
  ),
)
const ask = (query: string) => explain(made, query, files)

test("a section by its id", () => {
  const section = made.sections.find(({ id }) => id === "memory")
  expect(section?.outcome).toEqual({ kind: "withheld", needs: "full", has: "inner" })
  expect(ask("memory")).toEqual([{ kind: "section", section }])
})

test("a file with text in the prompt, whether or not the gathered files are known", () => {
  expect(ask("rules/one.md")).toMatchObject([{ kind: "file", fate: { kind: "used" } }])
  expect(explain(made, "rules/one.md", [])).toEqual(ask("rules/one.md"))
})

test("a tool by its name, sent or not", () => {
  const tokens = JSON.stringify({
    description: "Does list.",
    name: "list",
    parameters: { type: "object" },
  }).length
  expect([...ask("list"), ...ask("shell")]).toEqual([
    { kind: "tool", name: "list", tokens, outcome: { kind: "included" } },
    { kind: "tool", name: "shell", tokens: 0, outcome: { kind: "withheld", needs: "full", has: "inner" } },
  ])
})

describe("a file", () => {
  test("that is used, with the lines that are shown", () => {
    expect(ask("rules/one.md")).toEqual([
      {
        kind: "file",
        path: "rules/one.md",
        uses: [{ section: "rules", lines: [1, 16], characters: lines.slice(0, 16).join("\n").length + 1 }],
        fate: { kind: "used" },
      },
    ])
  })

  test("that is withheld", () => {
    expect(ask("MEMORY.md")).toEqual([
      {
        kind: "file",
        path: "MEMORY.md",
        uses: [],
        fate: { kind: "withheld", needs: "full", has: "inner", why: "trust" },
      },
    ])
  })

  test("that was gathered but not used", () => {
    expect(ask("SPARE.md")).toEqual([
      {
        kind: "file",
        path: "notes/SPARE.md",
        uses: [],
        fate: {
          kind: "unused",
          section: "spare",
          outcome: { kind: "unused", why: { kind: "built-nothing" } },
        },
      },
    ])
  })

  test("by the end of its path, if several match", () => {
    expect(ask("SOUL.md")).toEqual([
      {
        kind: "file",
        path: "SOUL.md",
        uses: [{ section: "soul", lines: [5, 6], characters: 18 }],
        fate: { kind: "used" },
      },
      {
        kind: "file",
        path: "other/SOUL.md",
        uses: [],
        fate: { kind: "unused", section: "soul", outcome: { kind: "included" } },
      },
    ])
  })
})

describe("a piece of text", () => {
  test("in the prompt, at every occurrence, with its file and line", () => {
    expect(ask("Be kind.")).toEqual([
      { kind: "text", section: "soul", block: 0, offset: 7, path: "SOUL.md", line: 5 },
      { kind: "text", section: "clock", block: 1, offset: "<turn-context>\n<clock>\n".length },
    ])
    expect(ask("brief")).toEqual([
      { kind: "text", section: "soul", block: 0, offset: 19, path: "SOUL.md", line: 6 },
    ])
  })

  test("in a section that was cut, with its own line", () => {
    expect(ask("Rule 7.")).toMatchObject([{ kind: "text", section: "rules", path: "rules/one.md", line: 8 }])
  })

  test("that only a withheld file contains", () => {
    expect(ask("1234")).toEqual([
      {
        kind: "file",
        path: "MEMORY.md",
        uses: [],
        fate: { kind: "withheld", needs: "full", has: "inner", why: "trust" },
      },
    ])
  })

  test("that was cut off, by its file", () => {
    expect(ask("Rule 39.")).toMatchObject([{ kind: "file", path: "rules/one.md" }])
  })

  test("that doesn't exist has no explanation", () => {
    expect(ask("unheard of")).toEqual([])
  })
})
