// What failed at its start is tried again at growing distances, and not once more after it was closed; and what a server
// answers is text that can be sent, however deep or broken it is.
import { setImmediate as letOthersRun } from "node:timers/promises"
import { expect, test } from "vitest"
import { resultText } from "../../../src/agent/mcp/result.ts"
import { withRetries } from "../../../src/agent/mcp/retries.ts"
import { cleanText, promptText, reasonOf, shortened } from "../../../src/agent/mcp/text.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

/** The pauses that each try is told of, and those that were waited. Over at the given try, or closed in its pause. */
async function tries({
  overAt = 99,
  closedIn = 99,
}: {
  readonly overAt?: number
  readonly closedIn?: number
}) {
  const stop = new AbortController()
  const told: (number | undefined)[] = []
  const waited: number[] = []
  await withRetries({
    attempt: async (pauseMs) => {
      told.push(pauseMs)
      return told.length === overAt
    },
    wait: async (ms, signal) => {
      waited.push(ms)
      if (waited.length < closedIn) return
      stop.abort()
      signal.throwIfAborted()
    },
    signal: stop.signal,
  })
  const first = told.length
  await letOthersRun()
  return { first, told, waited }
}

const PAUSES = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000]

test("what never works is tried nine times, and the first try is not waited beyond", async () => {
  expect(await tries({})).toEqual({ first: 1, told: [...PAUSES, undefined], waited: PAUSES })
})

test("what works is not tried again, and what was closed in a pause is not tried after it", async () => {
  expect(await Promise.all([tries({ overAt: 1 }), tries({ overAt: 3 }), tries({ closedIn: 2 })])).toEqual([
    { first: 1, told: [1_000], waited: [] },
    { first: 1, told: [1_000, 2_000, 5_000], waited: [1_000, 2_000] },
    { first: 1, told: [1_000, 2_000], waited: [1_000, 2_000] },
  ])
})

test("structured content is sent up to 64 levels, and deeper content is named", () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
  const shown = (levels: number) =>
    resultText(
      { structuredContent: deep(levels) },
      { server: "s", tool: "t", counter: o200k, mostTokens: 100_000 },
    ).split("\n")[1]
  expect([64, 65, 5_000].map(shown)).toEqual([
    "[",
    ...Array(2).fill("(left out: structured content more than 64 levels deep)"),
  ])
})

test("half of a pair becomes a sign that can be sent, and every end of a line the same one", () => {
  expect([
    cleanText("a\ud800b\r\nc\rd\u2028e\u2029f", "x"),
    promptText(" \udc00 ", "x", 10).text,
    // Cut in the middle of a pair.
    promptText("ab😀", "x", 3).text,
  ]).toEqual([{ text: "a\ufffdb\nc\nd\ne\nf", warnings: [] }, "\ufffd", "ab\ufffd"])
})

test("a reason is one short line, with its cause", () => {
  const caused = new Error("fetch failed", { cause: new Error("connect\nrefused") })
  const { redact } = createSecrets()
  expect([
    reasonOf(caused, redact),
    reasonOf("gone", redact),
    shortened("x".repeat(300), redact).length,
  ]).toEqual(["fetch failed: connect\\nrefused", "gone", 300])
  expect(shortened("x".repeat(301), redact)).toBe(`${"x".repeat(300)}...`)
})
