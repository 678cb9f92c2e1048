import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { PI } from "../../../src/capture/clients/pi/pi.ts"
import { callsIn, testReader } from "./reader-contract.ts"
import { writeRows } from "./written-files.ts"

const PATH = ".pi/agent/sessions/--work-lamp--/2026-11-18T12-00-00-000Z_s1.jsonl"

const at = (second: number) => new Date(Date.UTC(2026, 10, 18, 12, 0, second)).toISOString()
const head = (more: object = {}) => ({
  type: "session",
  version: 3,
  id: "s1",
  timestamp: at(0),
  cwd: "/work/lamp",
  ...more,
})

let second = 0
function entry(id: string, parentId: string | null, message: object): object {
  second += 1
  return { type: "message", id, parentId, timestamp: at(second), message }
}
const said = (text: string) => ({ role: "user", content: [{ type: "text", text }] })
const answered = (text: string, usage: object, more: object = {}) => ({
  ...{ role: "assistant", api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" },
  content: [{ type: "text", text }],
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage },
  ...more,
})

/** As 0.87 writes it: with the system text and the tools. */
const rows = (): readonly object[] => [
  head(),
  {
    type: "model_change",
    id: "m0",
    parentId: null,
    timestamp: at(0),
    provider: "anthropic",
    modelId: "claude-sonnet-4-5",
  },
  entry("e0", "m0", {
    role: "system",
    content: "",
    sections: {
      preamble: "You keep a lamp.",
      project_context:
        '<project_context>\n<project_instructions path="/work/lamp/AGENTS.md">\nBe brief.\n</project_instructions>\n</project_context>',
    },
    toolsAdded: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
  }),
  entry("e1", "e0", said("Look around.")),
  entry(
    "e2",
    "e1",
    answered(
      "Step.",
      { cacheWrite: 900, cacheWrite1h: 300, output: 20, cost: { total: 0.25 } },
      {
        responseId: "msg_0000000000000001",
        content: [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } }],
      },
    ),
  ),
  entry("e3", "e2", {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content: [{ type: "text", text: "the log" }],
  }),
  entry("e4", "e3", answered("Done.", { input: 5, cacheRead: 900, output: 10 })),
  // Back to the first question, another way.
  entry("e5", "e1", answered("Otherwise.", { input: 7, cacheRead: 800, output: 11 })),
  entry("e6", "e5", answered("Stopped.", {}, { stopReason: "aborted" })),
  {
    type: "compaction",
    id: "k1",
    parentId: "e4",
    timestamp: at(40),
    summary: "They looked.",
    firstKeptEntryId: "e4",
    usage: { input: 50, output: 9 },
  },
  entry("e7", "k1", said("And now?")),
  entry("e8", "e7", answered("Now.", { input: 60, output: 12 })),
]

testReader({ name: "pi", reader: PI, record: (home) => void writeRows(home, PATH, rows()) })

test("each call has the way that leads to it, and its system text", async () => {
  const home = mkdtempSync(join(tmpdir(), "pi-"))
  writeRows(home, PATH, rows())
  const calls = await callsIn(PI, home)
  expect(
    calls.map(({ id, usage, thread, coverage }) => ({
      id: id.replace(/:\d+$/, ""),
      usage,
      thread,
      coverage,
    })),
  ).toEqual([
    {
      id: "msg_0000000000000001",
      usage: { uncached: 0, read: 0, write: { "5m": 600, "1h": 300 }, output: 20 },
      thread: "s1",
      coverage: "partial",
    },
    {
      id: "pi:e4",
      usage: { uncached: 5, read: 900, write: {}, output: 10 },
      thread: "s1",
      coverage: "partial",
    },
    {
      id: "pi:e5",
      usage: { uncached: 7, read: 800, write: {}, output: 11 },
      thread: "s1",
      coverage: "partial",
    },
    {
      id: "pi:k1",
      usage: { uncached: 50, read: 0, write: {}, output: 9 },
      thread: "s1/summary",
      coverage: "none",
    },
    {
      id: "pi:e8",
      usage: { uncached: 60, read: 0, write: {}, output: 12 },
      thread: "s1",
      coverage: "partial",
    },
  ])
  expect(calls.map(({ model }) => model)).toEqual(
    Array.from({ length: 5 }, () => "anthropic/claude-sonnet-4-5"),
  )
  expect(calls[0]?.reportedUsd).toBe(0.25)
  const text = { type: "text", text: "Look around." }
  const called = {
    role: "assistant",
    content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }],
  }
  const result = { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "the log" }] }
  expect(calls.map(({ request }) => request?.messages)).toEqual([
    [{ role: "user", content: [text] }],
    [{ role: "user", content: [text] }, called, { role: "user", content: [result] }],
    [{ role: "user", content: [text] }],
    undefined,
    [
      { role: "user", content: [{ type: "text", text: "They looked." }] },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
      { role: "user", content: [{ type: "text", text: "And now?" }] },
    ],
  ])
  expect(calls[1]?.request?.tools).toEqual([
    { name: "read", description: "Reads.", input_schema: { type: "object" } },
  ])
  expect(JSON.stringify(calls[1]?.request?.system)).toContain("You keep a lamp.\\n\\n<project_context>")
  expect(calls[1]?.files).toEqual([{ path: "/work/lamp/AGENTS.md", text: "Be brief." }])
})

test("a session without a tree is one line, and a fork of a session repeats its ids", async () => {
  const home = mkdtempSync(join(tmpdir(), "pi-"))
  const plain = [
    head({ version: undefined }),
    { type: "message", timestamp: at(1), message: said("Hello.") },
    { type: "message", timestamp: at(2), message: answered("Hi.", { input: 9, output: 2 }) },
  ]
  writeRows(home, PATH, plain)
  expect((await callsIn(PI, home)).map(({ request }) => request?.messages)).toEqual([
    [{ role: "user", content: [{ type: "text", text: "Hello." }] }],
  ])
  const whole = rows()
  writeRows(home, PATH, whole)
  writeRows(home, PATH.replace("s1", "s2"), [head({ id: "s2", parentSession: "s1" }), ...whole.slice(1, 7)])
  const ids = (await callsIn(PI, home)).map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([7, 5])
})
