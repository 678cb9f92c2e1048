// What happens in a turn, told while it happens: for a terminal that draws it, or a script that reads it as JSON lines.
// All of it is for those who run the agent; what the person is told of it is decided in `fit-for.ts`.
import type { Change } from "../../core/epoch/epoch.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Usage } from "../../render/cache/price.ts"

export type LiveEvent =
  | {
      readonly kind: "turn-started"
      readonly turn: string
      readonly session: string
      readonly isResumed: boolean
    }
  | { readonly kind: "step-started"; readonly step: number; readonly model: string }
  /** A further piece of the answer. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  /** What was streamed of this step is void: the call failed and is made again. */
  | { readonly kind: "step-discarded"; readonly step: number }
  | { readonly kind: "tool-started"; readonly call: string; readonly name: string; readonly input: unknown }
  | {
      readonly kind: "tool-finished"
      readonly call: string
      readonly name: string
      readonly text: string
      readonly isError: boolean
      readonly durationMs: number
    }
  | { readonly kind: "step-finished"; readonly step: number; readonly calls: number; readonly cost: StepCost }
  | { readonly kind: "retrying"; readonly attempt: number; readonly waitMs: number; readonly why: string }
  | { readonly kind: "queued"; readonly why: string; readonly notBefore: number }
  | {
      readonly kind: "epoch-started"
      readonly epoch: number
      readonly reason: string
      readonly rewrites: number
    }
  | ({ readonly kind: "section-updated" } & Pick<Change, "id" | "why" | "how">)
  | { readonly kind: "cache-missed"; readonly reason: string; readonly tokens: number }
  | {
      readonly kind: "compacted"
      readonly from: number
      readonly to: number
      readonly lost: readonly string[]
    }
  | { readonly kind: "notice"; readonly text: string }
  /** The message looks like a larger piece of work. */
  | { readonly kind: "plan-suggested" }
  /** The answer holds a plan; it waits for approval under this name. */
  | { readonly kind: "plan-saved"; readonly name: string; readonly goal: string }
  | { readonly kind: "finding"; readonly text: string }
  | { readonly kind: "turn-finished"; readonly reply: Reply }

/** What one call took and cost. */
export interface StepCost {
  readonly usage: Usage
  /** Null where the price is not known. */
  readonly costUsd: number | null
  /** The figures are of a model of a provider's cache, because no provider was asked. */
  readonly isSimulated: boolean
}

export const REPLY_STATES = ["answered", "silent", "queued", "stopped", "failed"] as const
export type ReplyState = (typeof REPLY_STATES)[number]

/** What became of a message. */
export interface Reply {
  readonly state: ReplyState
  /** The answer; empty if it is silent. For `queued` and `failed`, what the person is told instead. */
  readonly text: string
  readonly turn: string
  readonly session: string
  readonly steps: number
  /**
   * Of its steps, of a summary that it waited for, and of parts that were delegated. What it does not wait for (how the
   * message reads, the bulletin) is counted in the record alone.
   */
  readonly cost: StepCost
  readonly durationMs: number
}

/** What `send` comes back with. Only here: whatever is passed on to a person must not carry the plan of the prompt. */
export interface SentReply extends Reply {
  /** The prompt of the last step, for those who run the agent. */
  readonly prompt: Prompt | undefined
}
