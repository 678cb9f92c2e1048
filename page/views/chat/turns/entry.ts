// What a conversation is made of on the screen. The transcript and the live events become the same entries, so that a
// turn looks the same while it runs and afterwards.
import type { Approval } from "../../../../src/tools/host.ts"

export type Entry = SaidEntry | AnswerEntry | ThoughtEntry | ToolEntry | LineEntry

/** What a person said. */
export interface SaidEntry {
  readonly kind: "said"
  readonly key: string
  readonly text: string
  /** Who said it, in a room. */
  readonly by: string | null
  readonly files: readonly { readonly mediaType: string; readonly name: string | null }[]
}

export interface AnswerEntry {
  readonly kind: "answer"
  readonly key: string
  readonly text: string
  /** More of it is coming. */
  readonly isOpen: boolean
}

/** What the model thought before it answered. */
export interface ThoughtEntry {
  readonly kind: "thought"
  readonly key: string
  readonly text: string
  readonly isOpen: boolean
}

export interface ToolEntry {
  readonly kind: "tool"
  /** The id of the call. */
  readonly key: string
  readonly name: string
  /** Undefined if the reader may not see it. */
  readonly input: unknown
  readonly result: { readonly text: string; readonly isError: boolean } | undefined
  readonly durationMs: number | undefined
  /** Somebody was asked whether it may run, and what they said. */
  readonly asked: { readonly id: string; readonly answer: Approval | "stopped" | undefined } | undefined
  /** Work that it delegated: one part for each turn. */
  readonly parts: readonly PartOfWork[]
}

export interface PartOfWork {
  readonly turn: string
  /** Undefined if its beginning was not heard. */
  readonly session: string | undefined
  readonly agent: string | undefined
  readonly entries: readonly Entry[]
}

/** What happened beside the conversation, in one line. */
export interface LineEntry {
  readonly kind: "line"
  readonly key: string
  readonly text: string
  readonly level: "quiet" | "loss" | "bad"
}

export type TurnState = "running" | "done" | "queued" | "failed" | "stopped"

/** One message with everything that became of it. */
export interface ShownTurn {
  readonly key: string
  /** Null for what belongs to no turn, such as a summary. */
  readonly turn: string | null
  readonly at: number | undefined
  readonly state: TurnState
  /** Whether the conversation has it: small talk that needed no model does not enter it. */
  readonly isStored: boolean
  readonly entries: readonly Entry[]
}

/** It may still be worked on, by a process whose events were not heard, or it was left. */
export function isUnanswered({ state, entries }: ShownTurn): boolean {
  const last = entries.at(-1)?.kind
  return state === "done" && (last === "said" || last === "tool")
}

/**
 * Of a tool that a person refused or stopped. Only the text for the model says so (`requireApproval`,
 * `src/agent/turn/calls`) once the page is loaded again.
 */
export function notRunText({ result, asked }: ToolEntry): "not approved" | "stopped" | undefined {
  if (result?.isError !== true) return undefined
  // People without full trust see no text.
  if (asked?.answer === "no" || /^The .*was not approved\.$/.test(result.text)) return "not approved"
  return /^(?:Not run: it|It) was stopped\b/.test(result.text) ? "stopped" : undefined
}

/** The whole answer, for copying and for screen readers. */
export function answerOf(entries: readonly Entry[]): string {
  return entries.flatMap((entry) => (entry.kind === "answer" ? [entry.text] : [])).join("\n\n")
}
