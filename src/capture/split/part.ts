// A part of a request that its cached prefix can end with: a tool, a block of system text, or a part of a message.
import type { Ref } from "../../database/text-ref.ts"
import type { Tier } from "../../render/cache/cache-rule.ts"

export const PART_KINDS = ["tool", "system", "text", "reasoning", "tool-call", "tool-result", "file"] as const
export type PartKind = (typeof PART_KINDS)[number]

export interface CallPart {
  readonly tier: Tier
  readonly kind: PartKind
  /** In the request without its marks. */
  readonly path: readonly (string | number)[]
  readonly role?: string | undefined
  /** Of the tool: for its definition, its call and its result. */
  readonly tool?: string | undefined
  /** What the tool was called with, for a call and its result. */
  readonly input?: string | undefined
  /** Decoded text; for what is not text, its canonical JSON. */
  readonly text: string
  /** Equal for equal parts, whether they are marked or not, in a list or not. */
  readonly digest: Ref
  /** By o200k, without the model's factor. */
  readonly tokens: number
  /** The lifetime of the mark at its end, if it has one. */
  readonly breakpoint?: string | undefined
}
