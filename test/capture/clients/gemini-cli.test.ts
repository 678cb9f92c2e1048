import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { GEMINI_CLI } from "../../../src/capture/clients/gemini-cli.ts"
import { callsIn, testReader } from "./reader-contract.ts"
import { writeRows, writeText } from "./written-files.ts"

const CHATS = ".gemini/tmp/lamp/chats"
const at = (second: number) => new Date(Date.UTC(2026, 10, 18, 12, 0, second)).toISOString()

const head = { sessionId: "g1", projectHash: "p", startTime: at(0), lastUpdated: at(0), kind: "main" }
const said = (id: string, text: string) => ({ id, timestamp: at(1), type: "user", content: [{ text }] })
const tokens = (input: number, cached: number, output: number, thoughts = 0, tool = 0) => ({
  ...{ input, cached, output, thoughts, tool },
  total: input + output + thoughts + tool,
})
const answer = (id: string, text: string, used: object, more: object = {}) => ({
  ...{ id, timestamp: at(2), type: "gemini", content: text, tokens: used, model: "gemini-2.5-pro" },
  ...more,
})
const CALL = { toolCalls: [{ id: "c", name: "read_file", args: { path: "a" }, status: "success" }] }

const rows = (): readonly object[] => [
  head,
  { $set: { messages: [said("u0", "The folder.")], lastUpdated: at(0) } },
  said("u1", "Look around."),
  answer("a1", "Step.", tokens(1_000, 0, 20)),
  { $set: { lastUpdated: at(3) } },
  answer("a1", "Step.", tokens(1_000, 0, 20), CALL),
  {
    id: "u2",
    timestamp: at(4),
    type: "user",
    content: [{ functionResponse: { name: "read_file", response: { output: "the log" } } }],
  },
  answer("a2", "Done.", tokens(1_100, 900, 10, 5, 7)),
  { $rewindTo: "a2" },
  answer("a3", "Otherwise.", tokens(1_100, 900, 12)),
]

testReader({
  name: "Gemini CLI",
  reader: GEMINI_CLI,
  record: (home) => void writeRows(home, `${CHATS}/session-2026-11-18T12-00-g1.jsonl`, rows()),
})

test("thoughts are output, cached input is part of the input, and a message that is written again counts once", async () => {
  const home = mkdtempSync(join(tmpdir(), "gemini-"))
  writeRows(home, `${CHATS}/session-2026-11-18T12-00-g1.jsonl`, rows())
  writeText(home, ".gemini/tmp/lamp/.project_root", "/work/lamp\n")
  const calls = await callsIn(GEMINI_CLI, home)
  expect(calls.map(({ project }) => project)).toEqual(["/work/lamp", "/work/lamp", "/work/lamp"])
  expect(calls.map(({ id, usage, session, model }) => [id, usage, session, model])).toEqual([
    ["a1", { uncached: 1_000, read: 0, write: {}, output: 20 }, "g1", "google/gemini-2.5-pro"],
    ["a2", { uncached: 207, read: 900, write: {}, output: 15 }, "g1", "google/gemini-2.5-pro"],
    ["a3", { uncached: 200, read: 900, write: {}, output: 12 }, "g1", "google/gemini-2.5-pro"],
  ])
  const before = [
    { role: "user", parts: [{ text: "The folder." }] },
    { role: "user", parts: [{ text: "Look around." }] },
  ]
  const step = {
    role: "model",
    parts: [{ text: "Step." }, { functionCall: { name: "read_file", args: { path: "a" } } }],
  }
  const result = {
    role: "user",
    parts: [{ functionResponse: { name: "read_file", response: { output: "the log" } } }],
  }
  expect(calls.map(({ request }) => request?.contents)).toEqual([
    before,
    [...before, step, result],
    [...before, step, result],
  ])
})

test("a chat that is one document is read too, and a sub-agent's is a thread of its own", async () => {
  const home = mkdtempSync(join(tmpdir(), "gemini-"))
  writeText(
    home,
    `${CHATS}/session-old.json`,
    JSON.stringify({ ...head, messages: [said("u", "Hello."), answer("o1", "Hi.", tokens(9, 0, 2))] }),
  )
  writeRows(home, `${CHATS}/g1/helper.jsonl`, [
    { ...head, kind: "subagent" },
    answer("h1", "Found.", tokens(7, 0, 1)),
  ])
  writeText(home, ".gemini/tmp/lamp/logs.json", "[]")
  const calls = await callsIn(GEMINI_CLI, home)
  expect(calls.map(({ id, thread }) => [id, thread])).toEqual([
    ["h1", "g1/helper.jsonl"],
    ["o1", "g1"],
  ])
})
