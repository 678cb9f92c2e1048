// What `incipit mcp` says of a coding agent's calls: of its own session, for the owner alone, and without keys.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { type Answer, INITIALIZE, openStdio, type StdioClient } from "./stdio-client.ts"

const KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"
const SESSION = "0b9f6a52-1111-4222-8333-444455556666"
const MINUTE = 60_000

/** A turn of Claude Code in the folder, with a key in what was said, in a call of a tool and in its result. */
function transcript(cwd: string): string {
  const common = { sessionId: SESSION, cwd, version: "2.0.1", isSidechain: false }
  const at = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()
  const usage = (read: number, written: number) => ({
    ...{ input_tokens: 4, cache_read_input_tokens: read, cache_creation_input_tokens: written },
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: 120,
  })
  const answer = (minutes: number, content: unknown, used: object) => ({
    ...{
      ...common,
      type: "assistant",
      uuid: `a${minutes}`,
      timestamp: at(minutes),
      requestId: `req_${minutes}`,
    },
    message: {
      ...{ id: `msg_${minutes}`, type: "message", role: "assistant", model: "claude-sonnet-5-5", content },
      usage: used,
    },
  })
  const said = (minutes: number, content: unknown) => ({
    ...{ ...common, type: "user", uuid: `u${minutes}`, timestamp: at(minutes) },
    message: { role: "user", content },
  })
  const command = `curl -H 'x-api-key: ${KEY}' http://127.0.0.1`
  return [
    said(90, `Look at ${KEY}`),
    answer(89, [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command } }], usage(0, 40_000)),
    said(88, [{ type: "tool_result", tool_use_id: "toolu_1", content: `It says ${KEY}. `.repeat(500) }]),
    answer(87, [{ type: "text", text: "Done." }], usage(40_000, 9_000)),
    said(40, `And ${KEY}`),
    answer(39, [{ type: "text", text: "Done." }], usage(0, 50_000)),
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("")
}

function openWithCalls(args: readonly string[] = []): StdioClient {
  return openStdio({
    ...{ args, files: { "SOUL.md": "# Soul\n", "incipit.yaml": "users: { ada: { trust: familiar } }\n" } },
    before({ home, folder }) {
      const projects = join(home, ".claude", "projects", "-winch")
      mkdirSync(projects, { recursive: true })
      writeFileSync(join(projects, `${SESSION}.jsonl`), transcript(folder))
    },
  })
}

const QUESTIONS = [
  ...[["trace", {}] as const, ["bill", { since: "7d" }] as const, ["cost", { by: "owner" }] as const],
  ...[["cost", { by: "session" }] as const, ["explain", { what: "curl", call: "last" }] as const],
  ["explain", { what: "It says", call: "last" }] as const,
]

test("the owner's own session is found, and no key in it is said", async () => {
  const client = openWithCalls()
  await client.request("initialize", { ...INITIALIZE, clientInfo: { name: "claude-code", version: "2" } })
  const answers: Answer[] = []
  for (const [name, input] of QUESTIONS) answers.push((await client.call(name, input)).result)
  const [trace, bill] = answers
  expect(trace.structuredContent).toMatchObject({ client: "Claude Code", lastMiss: { cause: "expired" } })
  expect(bill.structuredContent).toMatchObject({ calls: 3, sessions: 1 })
  const { id } = trace.structuredContent.call
  answers.push(await client.request("resources/read", { uri: `incipit://calls/${encodeURIComponent(id)}` }))
  for (const answer of answers) {
    expect(answer.isError, JSON.stringify(answer)).toBeUndefined()
    expect(JSON.stringify(answer)).not.toContain(KEY.slice(12))
  }
  expect(JSON.stringify(answers)).toContain("[redacted")
})

test("somebody with less trust sees none of them, and hears the same as if there were none", async () => {
  const ada = openWithCalls(["--as", "ada"])
  const alone = openStdio({
    files: { "SOUL.md": "# Soul\n", "incipit.yaml": "users: { ada: { trust: familiar } }\n" },
    args: ["--as", "ada"],
  })
  const answers: Answer[][] = []
  for (const client of [ada, alone]) {
    await client.request("initialize", INITIALIZE)
    const found: Answer[] = [await client.request("tools/list")]
    for (const [name, input] of QUESTIONS) found.push(await client.call(name, input))
    found.push(await client.call("trace", { id: SESSION }))
    found.push(await client.request("resources/read", { uri: `incipit://calls/${SESSION}` }))
    answers.push(found)
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0].result.tools.map(({ name }: Answer) => name)).not.toContain("bill")
})
