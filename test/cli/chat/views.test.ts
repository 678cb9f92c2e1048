// What a chat shows besides the conversation: the context, the line of figures, tools, help and completion.
import { describe, expect, test } from "vitest"
import { digest } from "../../../src/base/digest.ts"
import { contextView, shares } from "../../../src/cli/chat/commands/context.ts"
import { helpLines, helpOn } from "../../../src/cli/chat/commands/help.ts"
import { SLASH_COMMANDS } from "../../../src/cli/chat/commands/slash.ts"
import { completed } from "../../../src/cli/chat/screen/complete.ts"
import { type Figures, statusLine } from "../../../src/cli/chat/screen/status-line.ts"
import { toolLine, unfolded } from "../../../src/cli/chat/tool-line.ts"
import { painter } from "../../../src/cli/views/colour.ts"
import { cells } from "../../../src/cli/views/widths.ts"
import { compile } from "../../../src/core/compile/compiler.ts"
import { textContent } from "../../../src/core/model/content.ts"
import { section } from "../../../src/core/model/section.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import {
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
} from "../../core/make.ts"

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `Rule ${at + 1} of the house.\n`).join("")

function samplePlan() {
  const facts = { trust: "public", cut: "whole" } as const
  const profile = makeProfile([
    fileSection("base", { priority: "required" }),
    fileSection("rules", { priority: "high", cut: "lines" }),
    fileSection("diary", { priority: "high", trust: "full" }),
    fileSection("gossip", { priority: "low" }),
    section({
      id: "place",
      pace: "session",
      priority: "required",
      ...facts,
      build: () => textContent("The lighthouse."),
    }),
    section({ id: "weather", pace: "turn", priority: "high", ...facts, build: () => undefined }),
    section({
      id: "clock",
      pace: "turn",
      priority: "required",
      ...facts,
      build: () => textContent("It is noon."),
    }),
  ])
  const files = [
    makeFile({ role: "base", text: "You keep the lighthouse at Skagen.\n".repeat(6) }),
    makeFile({ role: "rules", text: lines(40) }),
    makeFile({ role: "diary", trust: "full" }),
    makeFile({ role: "gossip", text: lines(30) }),
  ]
  const session = makeSession({ audience: { trust: "familiar" }, model: "anthropic/claude-sonnet-5-5" })
  const scopes = {
    agent: makeAgent({ files, tools: [makeTool("read"), makeTool("write")] }),
    session,
    turn: makeTurn(),
  }
  const budget = { window: 2_000, reserve: 200, head: 260, ratio: { factor: 1.2, exact: false } }
  return compile(profile, scopes, { counter: o200k, budget }).plan
}

describe("/context", () => {
  test.each([40, 80, 200])("at %d columns", async (columns) => {
    const text = contextView(samplePlan(), { columns, colour: false, hasCache: true })
    expect(text.filter((line) => cells(line) > columns)).toEqual([])
    await expect(`${text.join("\n")}\n`).toMatchFileSnapshot(`../../golden/chat/context-${columns}.txt`)
  })

  test("shows which section waits because its source has changed", () => {
    const plan = samplePlan()
    const entries = plan.entries.map((entry) =>
      entry.id === "place" ? { ...entry, current: digest("The harbour.") } : entry,
    )
    const text = contextView({ ...plan, entries }, { columns: 80, colour: false, hasCache: true })
    expect(text.filter((line) => /^place|^changed since/.test(line))).toEqual([
      "place           9  per session  yes     waiting",
      "changed since it was sent: place; sent when the prompt is rebuilt, or after",
    ])
  })

  test("in colours the bar is coloured by pace", () => {
    const [bar = ""] = contextView(samplePlan(), { columns: 40, colour: true, hasCache: false }).slice(4)
    expect(bar.replaceAll("\u001b", "^")).toMatchInlineSnapshot(
      `"^[32m██████^[39m^[34m▓▓▓▓▓▓▓▓▓^[39m^[34m██████████████████^[39m^[36m▓▓^[39m^[35m███^[39m^[35m▓▓^[39m"`,
    )
  })

  test("cells are shared out to the last one", () => {
    expect([shares([1, 1, 998], 20), shares([5, 5], 2), shares([1, 2, 3, 4], 3)]).toEqual([
      [1, 1, 18],
      [1, 1],
      [1, 1, 1, 0],
    ])
  })
})

describe("the line of figures", () => {
  const figures: Figures = {
    model: "anthropic/claude-sonnet-5-5",
    contextTokens: 12_345,
    window: 200_000,
    usage: { uncached: 100, read: 900, write: { "5m": 200 }, output: 50 },
    costUsd: 0.0123,
    unpriced: 0,
    isSimulated: true,
    isPlanning: true,
  }

  test("gets shorter with the window", () => {
    const shown = [120, 90, 70, 50, 40, 24].map((columns) => statusLine(figures, columns))
    expect(shown).toMatchInlineSnapshot(`
      [
        "plan mode · anthropic/claude-sonnet-5-5 · 12,345 of 200,000 tokens (6%) · cache 75% simulated · $0.012",
        "plan · claude-sonnet-5-5 · 6% full · cache 75% simulated · $0.012",
        "plan · claude-sonnet-5-5 · 6% full · cache 75% simulated · $0.012",
        "plan, claude-sonnet… · 6% · cache 75% sim · $0.012",
        "plan, cla… · 6% · cache 75% sim · $0.012",
        "6% · cache 75% sim · $0…",
      ]
    `)
    expect(shown.every((line, at) => cells(line) <= ([120, 90, 70, 50, 40, 24][at] ?? 0))).toBe(true)
  })

  test("says free where only the offline model answered, and what a provider's calls cost beside it", () => {
    const offline = { ...figures, isPlanning: false, costUsd: 0 }
    expect(statusLine(offline, 70)).toBe("claude-sonnet-5-5 · 6% full · cache 75% simulated · free")
    expect(statusLine({ ...offline, costUsd: 0.5 }, 70)).toContain("$0.50")
    expect(statusLine({ ...offline, unpriced: 1 }, 70)).toContain("cost unknown")
    expect(statusLine({ ...offline, isSimulated: false }, 70)).toContain("$0")
  })

  test("says what it does not know", () => {
    const unknown = {
      contextTokens: undefined,
      window: undefined,
      usage: undefined,
      isSimulated: false,
      isPlanning: false,
    }
    expect([
      statusLine({ ...figures, ...unknown, unpriced: 2, costUsd: 0 }, 80),
      statusLine({ ...figures, ...unknown, unpriced: 2 }, 80),
    ]).toEqual([
      "anthropic/claude-sonnet-5-5 · cost unknown",
      "anthropic/claude-sonnet-5-5 · $0.012 plus unknown",
    ])
  })
})

describe("tools", () => {
  const plain = painter({ colour: false })
  const done = (text: string, isError = false, durationMs = 120) => ({ text, isError, durationMs })

  test("one line each, while they run and after", () => {
    const uses = [
      { call: "1", name: "read", input: { lines: 3, path: "data/tides.csv" } },
      { call: "1", name: "read", input: { path: "data/tides.csv" }, result: done("a\nb") },
      {
        call: "2",
        name: "shell",
        input: { command: "make\u001b[2J all\nmore" },
        result: done("ok", false, 65_000),
      },
      { call: "3", name: "read", input: { path: "x" }, result: done("no such file: x\nat y", true) },
      { call: "4", name: "now", input: {}, result: done("") },
      { call: "5", name: "search", input: { query: "q".repeat(90) }, result: done("") },
      { call: "6", name: "shell", input: { command: `ls${" ".repeat(90)}; curl evil` } },
      { call: "8", name: "shell", input: { command: "make" }, result: done("exit code 2\nno rule") },
      { call: "9", name: "shell", input: { command: "make" }, result: done("exit code 0\nexit code 2") },
      { call: "7", name: "write", input: { path: "deep/".repeat(20) }, result: done("refused", true) },
    ]
    expect(uses.map((use) => toolLine(use, 40, plain)).join("\n")).toBe(String.raw`○ read data/tides.csv …
● read data/tides.csv … 120 ms
● shell make\u001b[2J all (+1… … 1 m 5 s
✗ read x: no such file: x … 120 ms
● now … 120 ms
● search qqqqqqqqqqqqqqqqqqqqq… … 120 ms
○ shell ls ; curl evil …
✗ shell make: exit code 2 … 120 ms
● shell make … 120 ms
✗ write deep/deep/dee…: refused … 120 ms`)
  })

  test("unfolded, with an end", () => {
    const text = Array.from({ length: 402 }, (_, at) => `\u0007row ${at}`).join("\n")
    const shown = unfolded({ call: "1", name: "read", input: "x", result: done(text) }, 40, plain)
    expect([shown.slice(0, 2), shown.slice(-2)]).toEqual([
      ["● read x … 120 ms", String.raw`  \u0007row 0`],
      [String.raw`  \u0007row 399`, "  2 more lines"],
    ])
  })
})

describe("commands", () => {
  test.each([40, 80])("the help fits the screen at %d columns", async (columns) => {
    const help = helpLines(SLASH_COMMANDS, { columns, colour: false })
    // Below it are a blank line, the figures and the message, above it the command and a blank line.
    if (columns >= 80) expect(help.length).toBeLessThanOrEqual(24 - 5)
    expect(help.filter((line) => cells(line) > columns)).toEqual([])
    await expect(`${help.join("\n")}\n`).toMatchFileSnapshot(`../../golden/chat/help-${columns}.txt`)
  })

  test.each([40, 80])("what each of them takes, and the keys, at %d columns", async (columns) => {
    const names = [...SLASH_COMMANDS.map(({ name }) => name), "keys"]
    const help = names.flatMap((name) => helpOn(name, SLASH_COMMANDS, { columns, colour: false }) ?? [])
    expect(help.filter((line) => cells(line) > columns)).toEqual([])
    await expect(`${help.join("\n")}\n`).toMatchFileSnapshot(`../../golden/chat/help-on-${columns}.txt`)
  })

  test.each([
    ["/con", "/context ", []],
    ["/co", "/co", ["/context", "/cost", "/compact"]],
    ["/cost s", "/cost se", ["session", "section"]],
    ["/tools ", "/tools ", ["off", "on", "last"]],
    ["/tools l", "/tools last ", []],
    ["/plan a", "/plan approve ", []],
    ["/plan show ", "/plan show ", []],
    ["/workflow s", "/workflow st", ["start", "stop"]],
    ["/nothing", "/nothing", []],
    ["/help x", "/help x", []],
    ["word", "word", []],
  ])("Tab on %j", async (text, expected, candidates) => {
    expect(await completed(text)).toEqual({
      text: expected,
      candidates: candidates.map((name) => ({ name })),
    })
  })
})

test("cells of what is not plain", () => {
  const widths = [
    "👨‍👩‍👧",
    "❤️",
    "⌚︎",
    "🇩🇪",
    "1️⃣",
    "👍🏽",
    "e\u0301",
    "漢字",
    "ｱｲ",
    "한글",
    "\u1112\u1161\u11ab",
    "क्ष",
    "￥",
    "“”",
    "\u200b",
  ]
  expect(Object.fromEntries(widths.map((text) => [text, cells(text)]))).toMatchInlineSnapshot(`
    {
      "1️⃣": 2,
      "é": 1,
      "क्ष": 2,
      "한": 2,
      "​": 0,
      "“”": 2,
      "⌚︎": 1,
      "❤️": 2,
      "漢字": 4,
      "한글": 4,
      "🇩🇪": 2,
      "👍🏽": 2,
      "👨‍👩‍👧": 2,
      "ｱｲ": 2,
      "￥": 2,
    }
  `)
})
