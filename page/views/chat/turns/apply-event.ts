// What an event of a turn changes in its entries. Events that say nothing to people change nothing.
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { clock, count, span } from "../../../parts/figures.ts"
import type { Entry, LineEntry, PartOfWork, ToolEntry } from "./entry.ts"

/** Those that say something to people; the state of a turn is told elsewhere. */
type Kind = Exclude<
  LiveEvent["kind"],
  "turn-started" | "step-started" | "tool-progress" | "epoch-started" | "section-updated"
>
type Changes = {
  readonly [K in Kind]: (
    entries: readonly Entry[],
    event: Extract<LiveEvent, { kind: K }>,
  ) => readonly Entry[]
}

const CHANGES: Changes = {
  "message-joined": (entries, { turn, text }) => [
    ...closed(entries),
    { kind: "said", key: turn, text, by: null, files: [] },
  ],
  text: (entries, { text }) => grown(entries, "answer", text),
  reasoning: (entries, { text }) => grown(entries, "thought", text),
  "step-discarded": (entries) => withoutStep(entries),
  "tool-started": (entries, { call, name, input }) => [...closed(entries), startedTool(call, name, input)],
  "tool-finished": (entries, { call, name, text, isError, durationMs }) =>
    changedTool(entries, call, (tool) => ({ ...tool, result: { text, isError }, durationMs }), name),
  "approval-requested": (entries, { id, call }) =>
    changedTool(entries, call, (tool) => ({ ...tool, asked: { id, answer: undefined } })),
  "approval-finished": (entries, { id, answer }) =>
    entries.map((entry) =>
      entry.kind === "tool" && entry.asked?.id === id ? { ...entry, asked: { id, answer } } : entry,
    ),
  delegated: (entries, { call, agent, turn, event }) =>
    changedTool(entries, call, (tool) => ({
      ...tool,
      parts: changedPart(
        tool.parts,
        { turn, agent, session: event.kind === "turn-started" ? event.session : undefined, entries: [] },
        event,
      ),
    })),
  "step-finished": closed,
  retrying: (entries, { attempt, waitMs, why }) =>
    withLine(
      entries,
      `The model did not answer (${why}). Try ${attempt + 1} ${waitMs < 1_000 ? "now" : `in ${span(waitMs)}`}.`,
      "quiet",
    ),
  queued: (entries, { why, notBefore }) =>
    withLine(
      entries,
      `The model cannot answer now (${why}). It is tried again at ${clock(notBefore)}.`,
      "quiet",
    ),
  "cache-missed": (entries, { reason, tokens }) =>
    withLine(entries, `Cache miss, ${count(tokens)} tokens: ${reason}`, "loss"),
  compacted: (entries, { from, to, lost }) =>
    withLine(
      entries,
      `The conversation was summarized: ${count(from)} tokens became ${count(to)}.${
        lost.length === 0 ? "" : ` Not in the summary: ${lost.join(", ")}.`
      }`,
      "quiet",
    ),
  notice: (entries, { text }) => withLine(entries, text, "quiet"),
  "plan-suggested": (entries) =>
    withLine(
      entries,
      "This looks like a larger task. With “Plan first”, you get a plan before anything is done.",
      "quiet",
    ),
  "plan-saved": (entries, { name }) => withLine(entries, `Plan saved as ${name}.`, "quiet"),
  diagnostic: (entries, { level, text }) =>
    withLine(entries, `${level}: ${text}`, level === "error" ? "bad" : "quiet"),
  "turn-finished": (entries, { reply }) => finished(entries, reply),
}

export function applyEvent(entries: readonly Entry[], event: LiveEvent): readonly Entry[] {
  // Each function takes the events of its own key; a newer server may send kinds that this page does not know.
  const change = CHANGES[event.kind as Kind] as
    | ((entries: readonly Entry[], event: LiveEvent) => readonly Entry[])
    | undefined
  return change?.(entries, event) ?? entries
}

type Reply = Extract<LiveEvent, { kind: "turn-finished" }>["reply"]

function finished(open: readonly Entry[], { state, text, isOverLimit }: Reply): readonly Entry[] {
  const entries = closed(open)
  const hasAnswer = entries.some(({ kind }) => kind === "answer")
  if (state === "failed") return withLine(entries, text, "bad")
  if (state === "queued") return withLine(withoutLast(entries, "It is tried again at"), text, "quiet")
  if (state === "stopped") return withLine(entries, isOverLimit ? text : "Stopped.", "quiet")
  if (state === "silent" && !hasAnswer) return withLine(entries, "The agent gave no answer.", "quiet")
  // Of an answer that was written by another process, only the end is heard.
  return hasAnswer || text === ""
    ? entries
    : [...entries, { kind: "answer", key: keyIn(entries), text, isOpen: false }]
}

/** The same fact is said once. */
function withoutLast(entries: readonly Entry[], words: string): readonly Entry[] {
  const last = entries.at(-1)
  return last?.kind === "line" && last.text.includes(words) ? entries.slice(0, -1) : entries
}

function withLine(entries: readonly Entry[], text: string, level: LineEntry["level"]): readonly Entry[] {
  return [...closed(entries), { kind: "line", key: keyIn(entries), text, level }]
}

/** Entries are only added at the end, and a discarded step takes its own along. */
function keyIn(entries: readonly Entry[]): string {
  return `entry ${entries.length}`
}

function grown(entries: readonly Entry[], kind: "answer" | "thought", more: string): readonly Entry[] {
  const last = entries.at(-1)
  if (last?.kind === kind && last.isOpen)
    return [...entries.slice(0, -1), { ...last, text: last.text + more }]
  return [...closed(entries), { kind, key: keyIn(entries), text: more, isOpen: true }]
}

/** Nothing more is added to texts that are written so far. */
function closed(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  if ((last?.kind !== "answer" && last?.kind !== "thought") || !last.isOpen) return entries
  return [...entries.slice(0, -1), { ...last, isOpen: false }]
}

/** The call is repeated, so what it wrote does not count; lines that say why stay. */
function withoutStep(entries: readonly Entry[]): readonly Entry[] {
  const begin = entries.findLastIndex(({ kind }) => kind === "tool" || kind === "said") + 1
  return [...entries.slice(0, begin), ...entries.slice(begin).filter(({ kind }) => kind === "line")]
}

function startedTool(call: string, name: string, input: unknown): ToolEntry {
  return {
    ...{ kind: "tool", key: call, name, input, parts: [] },
    ...{ result: undefined, durationMs: undefined, asked: undefined },
  }
}

/** A tool whose beginning was missed is added. */
function changedTool(
  entries: readonly Entry[],
  call: string,
  change: (tool: ToolEntry) => ToolEntry,
  name = "a tool",
): readonly Entry[] {
  const at = entries.findLastIndex((entry) => entry.kind === "tool" && entry.key === call)
  const found = entries[at]
  if (found?.kind !== "tool") return [...closed(entries), change(startedTool(call, name, undefined))]
  return entries.with(at, change(found))
}

function changedPart(
  parts: readonly PartOfWork[],
  begun: PartOfWork,
  event: LiveEvent,
): readonly PartOfWork[] {
  const known = parts.some(({ turn }) => turn === begun.turn) ? parts : [...parts, begun]
  return known.map((part) =>
    part.turn === begun.turn ? { ...part, entries: applyEvent(part.entries, event) } : part,
  )
}
