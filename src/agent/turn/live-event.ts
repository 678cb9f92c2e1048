// Events of a turn as it happens: for a terminal that draws it, or a script that reads it as JSON lines. All of them
// are for the operator; `event-for-person.ts` decides what the person sees.
import type { DiagnosticLevel } from "../../base/diagnostics/kind.ts"
import type { Trust } from "../../base/trust.ts"
import type { Change } from "../../core/epoch/epoch.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { StepCost, StoredReply } from "../../database/contract/reply.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { Approval, ApprovalRequest } from "../../tools/host.ts"

/** What happens during a turn, as it happens: text, reasoning, tool calls, retries, the end. */
export type LiveEvent =
  | {
      readonly kind: "turn-started"
      readonly turn: string
      readonly session: string
      readonly isResumed: boolean
    }
  /** The turn has taken up a further message, which steers it; `turn` is the one that the message would have had. */
  | { readonly kind: "message-joined"; readonly turn: string; readonly text: string }
  | { readonly kind: "step-started"; readonly step: number; readonly model: string }
  /** Another piece of the answer. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  /** Discards the streamed text of this step: the call failed and is repeated. */
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
  /** What a running tool is at, in a few words of its own. */
  | { readonly kind: "tool-progress"; readonly call: string; readonly name: string; readonly text: string }
  /** Somebody is asked whether a tool may run. `request` is undefined for a person without full trust. */
  | {
      readonly kind: "approval-requested"
      readonly id: string
      readonly call: string
      readonly request: ApprovalRequest | undefined
    }
  /** The question is over: answered, or `stopped` because the answer is no longer needed or asking failed. */
  | { readonly kind: "approval-finished"; readonly id: string; readonly answer: Approval | "stopped" }
  /** An event of a part of the work that the turn delegated, by the call `call`. `turn` is the part's own. */
  | {
      readonly kind: "delegated"
      readonly call: string
      /** The further agent that does it; undefined for the same agent. */
      readonly agent: string | undefined
      readonly turn: string
      readonly event: PartEvent
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
  | { readonly kind: "diagnostic"; readonly level: DiagnosticLevel; readonly text: string }
  | { readonly kind: "turn-finished"; readonly reply: Reply }

/** Questions for approval are events of the turn itself, because its asker answers them. */
export type PartEvent = Exclude<
  LiveEvent,
  { readonly kind: "delegated" | "approval-requested" | "approval-finished" }
>

/** What became of a message. */
export type Reply = StoredReply

/** The result of `send`. Only this type has the prompt: its plan must not be passed on to a person. */
export interface SentReply extends Reply {
  /** The prompt of the last step, for the operator. */
  readonly prompt: Prompt | undefined
}

/** An event with the turn that it belongs to, for a program that shows several people what is going on. */
export interface WatchedEvent {
  readonly agent: string
  readonly session: string
  readonly turn: string
  /** The turn that delegated this one; the turn itself if none did. */
  readonly trace: string
  /** Of its session: nobody with less gets it. */
  readonly trust: Trust
  /** For the operator: everything, whoever it concerns. */
  readonly event: LiveEvent
  /** Characters of all its texts, such as inputs of tools, for a program that keeps events. */
  readonly length: number
  /** The event as this person may see it now; undefined if they may not. */
  for(reader: Sender): LiveEvent | undefined
}
