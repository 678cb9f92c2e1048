// A key of the agent's own in a text that a tool cuts or searches: no part of it is shown, wherever the cut falls, and no
// search tells whether it holds something.
import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { expect, test } from "vitest"
import { readLines } from "../../../src/agent/mcp/lines.ts"
import { resultText } from "../../../src/agent/mcp/result.ts"
import { reasonOf, shortened } from "../../../src/agent/mcp/text.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { boundedOutput } from "../../../src/tools/bounded-output.ts"
import { readTool } from "../../../src/tools/files/read.ts"
import type { ToolContext } from "../../../src/tools/tool-context.ts"
import { call, open, say, server, transcript, workspace } from "../world/agent-world.ts"

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
    const ends = boundedOutput(redact)
    ends.add(text)
    const host = { kept: () => text, redact }
    // Only what the tool uses is there.
    const context = { host, counter: o200k, mostTokens: 40 } as unknown as ToolContext
    const answer = { content: [{ type: "text", text }] }
    return [
      ends.text(40, o200k),
      await readTool.run({ path: "result:1.0" }, context),
      resultText(answer, { server: "s", tool: "t", counter: o200k, mostTokens: 80, redact }),
    ].map(shownOf)
  })
  expect(new Set((await Promise.all(cuts)).flat())).toEqual(new Set([0]))
})

test("memory shows no part of a key, wherever a hit or a line is cut", async () => {
  const notes = Array.from({ length: 24 }, (_, at) => {
    const gap = "so ".repeat(60 + at)
    return `- kettle${at} ${gap}${KEY} ${gap}${"x".repeat(270 + at)}${KEY}\n`
  })
  const root = workspace({
    "memory/shared/notes.md": notes.join(""),
    "memory/shared/long.md": `# ${"h".repeat(280)} ${KEY}\n\nA teapot ${"y".repeat(290)}${KEY}\n`,
  })
  const searches = notes.map(
    (_, at) => ["memory_search", { query: `kettle${at}`, budget: 100 + at * 5 }] as const,
  )
  const from = await server([
    call(...searches, ["memory_search", { query: "teapot" }], ["memory_get", { path: "shared/notes.md" }]),
    say("Done."),
  ])
  const { agent } = await open(root, from, {
    env: { ...from.env, ANTHROPIC_API_KEY: KEY },
    model: "anthropic/claude-sonnet-5-5",
  })
  const { session } = await agent.send("Look for kettle3.")
  const results = transcript(root, session).filter((line) => line.startsWith("result: "))
  expect(results).toHaveLength(searches.length + 2)
  expect(results.map(shownOf)).toEqual(results.map(() => 0))
  expect(from.bodies.map((body) => shownOf(JSON.stringify(body)))).toEqual(from.bodies.map(() => 0))
})

test("what a server writes to stderr, or fails with, shows no part of a key", async () => {
  const secrets = createSecrets([KEY])
  const told: string[] = []
  for (let at = 1; at < KEY.length + 2; at += 1) {
    const text = `${"-".repeat(at)}${KEY}${"-".repeat(at)}${KEY}\n${KEY}`
    const chunks = [text.slice(0, at), text.slice(at, at * 2), text.slice(at * 2)].map((part) =>
      Buffer.from(part),
    )
    const stream = Readable.from(chunks)
    readLines(stream, { mostLine: KEY.length, tell: (line) => told.push(line), secrets: secrets.stream() })
    await finished(stream)
    const long = `${"-".repeat(300 - at)}${KEY}`
    told.push(shortened(long, secrets.redact), reasonOf(new Error(long), secrets.redact))
  }
  expect(new Set(told.map(shownOf))).toEqual(new Set([0]))
})
