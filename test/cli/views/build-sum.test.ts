// The figures below the table of `build` are sums of the rows above, times the printed factor; and so is the JSON.
import { expect, test } from "vitest"
import type { Report } from "../../../src/core/read/report.ts"
import { incipitHere } from "../here.ts"

const WHERE = { cwd: process.cwd() }
const SAMPLE = [
  "--workspace",
  "examples/lighthouse",
  "--cwd",
  "/island",
  "--now",
  "2026-06-15T09:00:00+02:00",
]

const CASES = [
  ["an agent's tools", []],
  ["tools of a file", ["--tools", "examples/lighthouse/tools.json"]],
  ["no tools", ["--tools", "none"]],
  ["a stranger", ["--channel", "telegram:1"]],
  ["an exact factor", ["--model", "openai/gpt-5.2"]],
  ["tools as text", ["--model", "ollama/gemma3"]],
  ["a small budget", ["--budget", "2400"]],
] as const

const figure = (text: string | undefined) => Number(text?.replaceAll(",", ""))

test.each(CASES)("by hand: %s", async (_case, flags) => {
  const { stdout } = await incipitHere(["build", ...SAMPLE, ...flags], WHERE)
  const [table = "", , sums = ""] = stdout.split("\n\n").slice(1)
  const rows = table.split("\n").flatMap((line) => {
    const [, pace, tokens] = / (rarely|per session|per turn) +([\d,]+) {2}/.exec(line) ?? []
    return pace === undefined
      ? []
      : [
          {
            pace,
            tokens: figure(tokens),
            isTool: /^ +(?:\d+ tools|tool) /.test(line),
          },
        ]
  })
  const sumOf = (some: typeof rows) => some.reduce((sum, { tokens }) => sum + tokens, 0)
  const factor = figure(/× ([\d.]+) for/.exec(sums)?.[1] ?? "1")
  const row = (label: string) =>
    figure(new RegExp(`^  ${label} .*?([\\d,]+)(?: of|$)`, "m").exec(sums)?.[1] ?? "0")
  const times = (tokens: number) => Math.max(0, Math.ceil(tokens * factor - 1e-6))
  const sections = rows.filter(({ isTool }) => !isTool)
  expect({ tools: row("tools"), head: row("cached prefix"), tail: row("turn context") }).toEqual({
    tools: times(sumOf(rows.filter(({ isTool }) => isTool))),
    head: times(sumOf(sections.filter(({ pace }) => pace !== "per turn"))),
    tail: times(sumOf(sections.filter(({ pace }) => pace === "per turn"))),
  })
  expect(row("in all")).toBe(row("tools") + row("cached prefix") + row("turn context"))
})

test.each(CASES)("from the JSON: %s", async (_case, flags) => {
  const { stdout } = await incipitHere(["build", "--json", ...SAMPLE, ...flags], WHERE)
  const { budget, blocks, sections, tools }: Report = JSON.parse(stdout)
  const times = (items: readonly { readonly tokens: number }[]) =>
    Math.max(0, Math.ceil(items.reduce((sum, { tokens }) => sum + tokens, 0) * budget.factor - 1e-6))
  const isSent = ({ outcome }: { readonly outcome: { readonly kind: string } }) => outcome.kind === "included"
  expect(budget.tools).toBe(times(tools.filter(isSent)))
  expect(budget.head.used).toBe(times(blocks.filter(({ placement }) => placement === "head")))
  expect(budget.tail.used).toBe(times(blocks.filter(({ placement }) => placement === "tail")))
  expect(times(sections)).toBe(times(blocks))
})
