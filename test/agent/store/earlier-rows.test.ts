// Rows of 0.1.0 are read in today's words, and rows of today as they are.
import { expect, test } from "vitest"
import { baselineFrom, itemFrom, replyFrom, stateFrom } from "../../../src/database/rows/earlier-rows.ts"

const FACTS = { epoch: 1, reason: "start", profile: "incipit", tools: "sha256:0", blocks: [] }
const ENTRY = { kind: "section", id: "soul", pace: "stable", trust: "public", tokens: 3, spans: [], by: [] }

test("the outcomes of a baseline", () => {
  const outcomes = [
    { kind: "kept" },
    { kind: "cut", from: 9, to: 3, how: "lines" },
    { kind: "told" },
    { kind: "absent", why: "nothing to say" },
    { kind: "withheld", needs: "full", has: "public" },
    { kind: "dropped", overBy: 4 },
    { kind: "ended" },
  ]
  const entries = outcomes.map((outcome) => ({ ...ENTRY, need: "low", told: "sha256:1", outcome }))
  expect(baselineFrom(JSON.stringify({ ...FACTS, entries })).entries).toEqual(
    [
      { kind: "included" },
      { kind: "truncated", from: 9, to: 3, how: "lines" },
      { kind: "unchanged" },
      { kind: "unused", why: { kind: "stored", text: "nothing to say" } },
      { kind: "withheld", needs: "full", has: "public" },
      { kind: "dropped", overBy: 4 },
      { kind: "ended" },
    ].map((outcome) => ({ ...ENTRY, priority: "low", sent: "sha256:1", outcome })),
  )
})

test("what a session was sent, and what a reply cost", () => {
  const sent = { epoch: 1, turn: "t1", sections: {} }
  expect(stateFrom(JSON.stringify({ told: sent, planMode: true }))).toEqual({ sent, planMode: true })
  const usage = { read: 2, write: { "5m": 3 }, output: 4 }
  const reply = { state: "answered", text: "Hi.", cost: { costUsd: null, usage: { fresh: 1, ...usage } } }
  expect(replyFrom(JSON.stringify(reply)).cost.usage).toEqual({ uncached: 1, ...usage })
})

test("whether the model was sent a command of the user", () => {
  const shell = { kind: "shell", command: "ls", output: "a", exitCode: 0 }
  expect(itemFrom(JSON.stringify({ ...shell, isTold: false }))).toEqual({ ...shell, isSent: false })
  expect(itemFrom(JSON.stringify({ ...shell, isTold: true }))).toEqual({ ...shell, isSent: true })
})

test("a reason that was a sentence, in a row of today's words", () => {
  const entry = { ...ENTRY, priority: "low", sent: "sha256:1" }
  const entries = [{ ...entry, outcome: { kind: "unused", why: "nothing to say" } }]
  expect(baselineFrom(JSON.stringify({ ...FACTS, entries })).entries).toEqual([
    { ...entry, outcome: { kind: "unused", why: { kind: "stored", text: "nothing to say" } } },
  ])
})

test("rows of today stay as they are", () => {
  const outcomes = [{ kind: "included" }, { kind: "unused", why: { kind: "empty", path: "SOUL.md" } }]
  const entries = outcomes.map((outcome) => ({ ...ENTRY, priority: "low", sent: "sha256:1", outcome }))
  const state = { sent: { epoch: 1, turn: "t1", sections: {} } }
  const reply = { cost: { costUsd: null, usage: { uncached: 1, read: 0, write: {}, output: 0 } } }
  expect(baselineFrom(JSON.stringify({ ...FACTS, entries }))).toEqual({ ...FACTS, entries })
  expect(stateFrom(JSON.stringify(state))).toEqual(state)
  expect(replyFrom(JSON.stringify(reply))).toEqual(reply)
  const shell = { kind: "shell", command: "ls", output: "a", exitCode: 0, isSent: true }
  expect(itemFrom(JSON.stringify(shell))).toEqual(shell)
})
