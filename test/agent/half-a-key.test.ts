// A key of the agent's own in a text that a tool cuts or searches: no part of it is shown, wherever the cut falls, and no
// search tells whether it holds something.
import { expect, test } from "vitest"
import { resultText } from "../../src/agent/mcp/result.ts"
import { createSecrets } from "../../src/record/redact/secrets.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import type { ToolContext } from "../../src/tools/asker.ts"
import { bothEnds } from "../../src/tools/both-ends.ts"
import { readAction } from "../../src/tools/read.ts"
import { call, open, say, server, transcript, workspace } from "./fault-world.ts"

// Put together here, so that no scanner takes this file for a leak.
const KEY = ["Zq7", "w9Rk3mTx", "Lp0vB5n", "Yc2dH6jK"].join("_")

/** How many characters of the beginning or the end of the key stand in a text. */
function shownOf(text: string): number {
  const lengths = Array.from({ length: KEY.length - 3 }, (_, at) => KEY.length - at)
  return lengths.find((n) => text.includes(KEY.slice(0, n)) || text.includes(KEY.slice(-n))) ?? 0
}

test("grep shows no part of a key, wherever the part of a long line begins, and finds nothing in one", async () => {
  const root = workspace({
    "long.txt": `${"- ".repeat(3_000)}needle ${KEY} ${"- ".repeat(3_000)}\n`,
    "short.txt": `${"x".repeat(400)} ${KEY}\n`,
  })
  const guesses = [...KEY].slice(4).map((_, at) => KEY.slice(0, at + 4))
  const near = Array.from({ length: 30 }, (_, at) => `(?:- ){${80 + at}}needle`)
  const patterns = [...guesses, "no such text", ...near, "needle"]
  const from = await server([
    call(...patterns.map((pattern) => ["grep", { pattern }] as const)),
    say("Done."),
  ])
  const { agent } = await open(root, from, {
    env: { ...from.env, ANTHROPIC_API_KEY: KEY },
    model: "anthropic/claude-sonnet-5-5",
  })
  const { session } = await agent.send("Look.")
  const results = transcript(root, session).filter((line) => line.startsWith("result: "))
  expect(results).toHaveLength(patterns.length)
  expect(results.map(shownOf)).toEqual(results.map(() => 0))
  expect(new Set(results.slice(0, guesses.length + 1)).size).toBe(1)
})

test("what is cut to the room that there is shows no part of a key", async () => {
  const { redact } = createSecrets([KEY])
  const cuts = Array.from({ length: 80 }, async (_, before) => {
    const text = `${"- ".repeat(before)}${KEY}${" -".repeat(200)}${KEY}${" -".repeat(before)}`
    const ends = bothEnds(redact)
    ends.add(text)
    const host = { kept: () => text, redact }
    // Only what the tool uses is there.
    const context = { host, counter: o200k, mostTokens: 40 } as unknown as ToolContext
    const answer = { content: [{ type: "text", text }] }
    return [
      ends.text(40, o200k),
      await readAction.run({ path: "result:1.0" }, context),
      resultText(answer, { server: "s", tool: "t", counter: o200k, mostTokens: 80, redact }),
    ].map(shownOf)
  })
  expect(new Set((await Promise.all(cuts)).flat())).toEqual(new Set([0]))
})
