// The events that the benches of the record write, and the questions that they ask.
import type { EventType } from "../../src/base/event-types.ts"
import type { LogFilter } from "../../src/record/ask/logs.ts"
import type { RecordEvent } from "../../src/record/write/event.ts"

export const START = Date.UTC(2026, 10, 1)

/** The events of a turn, in order; three of ten have a text. */
export const TURN: readonly EventType[] = [
  "message_received",
  "trust_resolved",
  "prompt_built",
  "turn_started",
  "api_call",
  "tool_call",
  "tool_call",
  "tool_error",
  "turn_completed",
  "message_sent",
]
const SESSIONS = 500
/** Sessions in use at a time; after some turns, others take over. */
const AT_ONCE = 20
const USERS = 50

/**
 * Ids grow with time, like version 7 UUIDs. Random ones cost about a third of the speed: each lands on a different
 * page.
 */
export function eventAt(n: number, events: number): RecordEvent {
  const turn = Math.floor(n / TURN.length)
  const turnsAtOnce = events / TURN.length / (SESSIONS / AT_ONCE)
  const session = Math.floor(turn / turnsAtOnce) * AT_ONCE + (turn % AT_ONCE)
  const type = TURN[n % TURN.length] ?? "diagnostic"
  return {
    type,
    at: START + n * 1_000,
    session: `session-${session}`,
    agent: "main",
    user: `user-${session % USERS}`,
    channel: turn % 3 === 0 ? "signal" : "terminal",
    trust: "full",
    trace: `trace-${turn}`,
    turn: `turn-${turn}`,
    span: n.toString(36),
    ...(type === "api_call" && {
      model: "claude-opus-5",
      durationMs: 900,
      usage: { uncached: 120, read: 4_000, write: { "5m": 300 }, output: 250 },
      costUsd: 0.011,
    }),
    ...(type === "tool_call" && {
      durationMs: 12,
      data: { tool: "bash", command: `ls -la /home/user/project-${turn % 9973}` },
    }),
    ...(type === "tool_error" && { error: `ENOENT: no such file or directory, open /srv/notes/${turn}.md` }),
  }
}

export interface QuestionKind {
  readonly name: string
  readonly filter: (n: number) => LogFilter
}

/** Each finds something in a log of so many events. */
export function questionKinds(events: number): readonly QuestionKind[] {
  const turns = events / TURN.length
  return [
    { name: "newest 100", filter: () => ({}) },
    { name: "a session", filter: (n) => ({ session: `session-${(n * 7) % SESSIONS}` }) },
    { name: "errors of a user", filter: (n) => ({ user: `user-${n % USERS}`, level: "error" }) },
    {
      name: "a type since yesterday",
      filter: (n) => ({ types: ["api_call"], since: START + (events - 86_400 - n) * 1_000 }),
    },
    {
      name: "two types in an old hour",
      filter: (n) => ({
        types: ["api_call", "tool_error"],
        since: START + n * 3_600_000,
        until: START + (n + 1) * 3_600_000,
      }),
    },
    { name: "a channel", filter: () => ({ channel: "signal" }) },
    { name: "a trace", filter: (n) => ({ trace: `trace-${(n * 313) % turns}` }) },
    { name: "a turn", filter: (n) => ({ turn: `turn-${(n * 271) % turns}` }) },
    { name: "a rare text", filter: (n) => ({ text: `notes/${(n * 331) % turns}.md` }) },
    { name: "a common text", filter: () => ({ text: "no such file" }) },
    {
      name: "a common text in a session",
      filter: (n) => ({ text: "directory", session: `session-${n % SESSIONS}` }),
    },
    { name: "a text that the level excludes", filter: () => ({ text: "bash", level: "error" }) },
    { name: "a text that is nowhere", filter: (n) => ({ text: `absent${n}` }) },
  ]
}

export function percentile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN
  )
}
