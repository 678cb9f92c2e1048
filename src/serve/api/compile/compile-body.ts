// Which of its two forms a body of the compiler has.
import { isRecord } from "../../../base/is-record.ts"
import type { InlineBody } from "./inline-schema.ts"
import type { WorkspaceBody } from "./workspace-prompt.ts"

/**
 * Compiling blocks the process, so its time is limited by the size of its input. Text takes 0.3 s at this size, and at
 * worst, one endless word, a few seconds.
 */
export const MOST_BYTES = 1_000_000

export function isInline(body: InlineBody | WorkspaceBody): body is InlineBody {
  return "sections" in body
}

/** By what only the inline form has, so that a forgotten `sections` is what the answer names. */
export function isInlineValue(value: unknown): boolean {
  return isRecord(value) && ["sections", "target", "chat"].some((key) => Object.hasOwn(value, key))
}
