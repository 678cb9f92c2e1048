// Tool runs, stored before they start so that no action is done twice, and results that were too long to send whole.
import type { Trust } from "../../base/trust.ts"
import type { Lease } from "./lease.ts"
import type { MessageFile } from "./message-file.ts"

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
  /** Images that go to the model after the results of the step. */
  readonly files?: readonly MessageFile[]
}

export interface ToolRun {
  readonly turn: string
  readonly call: string
}

export interface ToolRuns {
  /** What is known of a run: its result, if it has one. Returns undefined if it was never started. */
  find(run: ToolRun): Promise<{ readonly result: ToolResult | undefined } | undefined>
  /** Returns `new`, or what is known of an earlier run: its result, if it has one. */
  start(lease: Lease, run: ToolRun): Promise<"new" | { readonly result: ToolResult | undefined }>
  /** The run has done nothing so far and waits for an approval: it counts as never started. */
  withdraw(lease: Lease, run: ToolRun): Promise<void>
  finish(lease: Lease, run: ToolRun, result: ToolResult): Promise<void>
  /** Whether the turn has run a tool, whatever the outcome. */
  any(turn: string): Promise<boolean>
}

export interface LongResult {
  /** The name that the model uses. */
  readonly name: string
  /** The trust of the person whose message called the tool. */
  readonly trust: Trust
  readonly text: string
}

/**
 * Results that were too long for the prompt, stored so that the model can read on. They belong to one conversation,
 * which keeps the newest ones up to a number of characters.
 */
export interface LongResults {
  /** Keeps a result that is stored under this name already. Returns whether the whole text is stored. */
  keep(lease: Lease, result: LongResult): Promise<boolean>
  /**
   * Returns undefined if the conversation has no result of that name, or the reader may not see it: in a room several
   * people speak, and reading on takes the trust that the result was requested with.
   */
  read(reader: { readonly session: string; readonly trust: Trust }, name: string): Promise<string | undefined>
}
