// What each event of a turn becomes on the screen: every kind, in the order in which they come.
import { expect, test } from "vitest"
import { applyEvent } from "../../page/views/chat/turns/apply-event.ts"
import type { Entry } from "../../page/views/chat/turns/entry.ts"
import type { LiveEvent } from "../../src/agent/turn/live-event.ts"

const cost = { usage: { uncached: 1, read: 2, write: {}, output: 3 }, costUsd: 0.01, isSimulated: false }
const reply = { turn: "t", session: "s", steps: 1, cost, durationMs: 1 }

function after(...events: readonly LiveEvent[]): readonly Entry[] {
  return events.reduce<readonly Entry[]>(applyEvent, [])
}

/** Without what is only for drawing. */
function shown(entries: readonly Entry[]): readonly unknown[] {
  return entries.map((entry) => {
    if (entry.kind === "line") return `${entry.level}: ${entry.text}`
    if (entry.kind !== "tool")
      return `${entry.kind}${"isOpen" in entry && entry.isOpen ? " …" : ""}: ${entry.text}`
    const { name, result, asked, durationMs, parts } = entry
    return {
      name,
      result,
      asked,
      durationMs,
      parts: parts.map((part) => [part.agent, ...shown(part.entries)]),
    }
  })
}

test("texts grow, tools end, approvals are answered, delegated work is inside", () => {
  const events: readonly LiveEvent[] = [
    { kind: "turn-started", turn: "t", session: "s", isResumed: false },
    { kind: "step-started", step: 0, model: "m" },
    { kind: "reasoning", text: "Let me " },
    { kind: "reasoning", text: "think." },
    { kind: "text", text: "I " },
    { kind: "text", text: "look." },
    { kind: "tool-started", call: "c", name: "shell", input: { command: "ls" } },
    { kind: "approval-requested", id: "a", call: "c", request: undefined },
    { kind: "approval-finished", id: "a", answer: "always" },
    { kind: "delegated", call: "c", agent: "scout", turn: "p", event: { kind: "text", text: "Inside." } },
    { kind: "tool-finished", call: "c", name: "shell", text: "out", isError: true, durationMs: 1_200 },
    { kind: "step-finished", step: 0, calls: 1, cost },
    { kind: "message-joined", turn: "u", text: "And hurry." },
    { kind: "text", text: "Done" },
  ]
  expect(shown(after(...events))).toEqual([
    "thought: Let me think.",
    "answer: I look.",
    {
      name: "shell",
      result: { text: "out", isError: true },
      asked: { id: "a", answer: "always" },
      durationMs: 1_200,
      parts: [["scout", "answer …: Inside."]],
    },
    "said: And hurry.",
    "answer …: Done",
  ])
})

test("a discarded step takes its text along, and not the reason", () => {
  const events: readonly LiveEvent[] = [
    { kind: "tool-started", call: "c", name: "read", input: undefined },
    { kind: "tool-finished", call: "c", name: "read", text: "", isError: false, durationMs: 1 },
    { kind: "text", text: "Half a" },
    { kind: "retrying", attempt: 1, waitMs: 4_000, why: "overloaded" },
    { kind: "step-discarded", step: 1 },
    { kind: "text", text: "A whole answer." },
    { kind: "turn-finished", reply: { ...reply, state: "answered", text: "A whole answer." } },
  ]
  expect(shown(after(...events)).slice(1)).toEqual([
    "quiet: The model did not answer (overloaded). Try 2 in 4 s.",
    "answer: A whole answer.",
  ])
})

test("everything else is one quiet line; money that was lost and errors are not quiet", () => {
  const events: readonly LiveEvent[] = [
    { kind: "cache-missed", reason: "AGENTS.md:3 changed", tokens: 12_345 },
    { kind: "compacted", from: 90_000, to: 4_000, lost: ["the plan"] },
    { kind: "notice", text: "The lamp is on." },
    { kind: "plan-suggested" },
    { kind: "plan-saved", name: "lamp", goal: "Clean it" },
    { kind: "diagnostic", level: "warning", text: "no key" },
    { kind: "diagnostic", level: "error", text: "no file" },
    { kind: "epoch-started", epoch: 2, reason: "r", rewrites: 1 },
    { kind: "queued", why: "overloaded", notBefore: 0 },
    { kind: "turn-finished", reply: { ...reply, state: "queued", text: "It is kept and tried again." } },
  ]
  expect(shown(after(...events))).toEqual([
    "loss: Cache miss, 12,345 tokens: AGENTS.md:3 changed",
    "quiet: The conversation was summarized: 90,000 tokens became 4,000. Not in the summary: the plan.",
    "quiet: The lamp is on.",
    "quiet: This looks like a larger task. With “Plan first”, you get a plan before anything is done.",
    "quiet: Plan saved as lamp.",
    "quiet: warning: no key",
    "bad: error: no file",
    "quiet: It is kept and tried again.",
  ])
})

test("every end of a turn is said, once", () => {
  const end = (state: "answered" | "silent" | "stopped" | "failed", text = "") =>
    shown(after({ kind: "turn-finished", reply: { ...reply, state, text } }))
  expect(end("answered", "From another process.")).toEqual(["answer: From another process."])
  expect(end("silent")).toEqual(["quiet: The agent gave no answer."])
  expect(end("stopped")).toEqual(["quiet: Stopped."])
  expect(end("failed", "The model refused.")).toEqual(["bad: The model refused."])
})

test("a kind that this page does not know changes nothing", () => {
  // A newer server may send it.
  const unknown = { kind: "of-tomorrow" } as unknown as LiveEvent
  expect(after({ kind: "text", text: "Here" }, unknown)).toEqual(after({ kind: "text", text: "Here" }))
})
